import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { ladder as texts } from '../../../texts/en/ladder.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { type Line, type StageSettingResponse, useLadderChange } from './use-ladders.ts'

interface AddStageDialogProps {
  line: Line
  stages: readonly StageSettingResponse[]
  onClose: () => void
}

/** A name and a place: the rest is on the stage's own page, where it leads. */
export function AddStageDialog({ line, stages, onClose }: AddStageDialogProps) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [after, setAfter] = useState(stages.at(-1)?.id ?? '')
  const add = useLadderChange((submission) =>
    api.post<{ id: string }>('/stages', { productLine: line, name, after: after || null }, submission),
  )

  return (
    <FormDialog
      title={texts.addStage}
      description={texts.addNote}
      sending={add}
      error={null}
      onSubmit={() =>
        add.mutate(undefined, {
          onSuccess: ({ id }) => navigate({ to: '/settings/ladder/$id', params: { id } }),
        })
      }
      confirm={texts.addStage}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        error={add.error?.message}
        value={name}
        onChange={setName}
        autoComplete="off"
        maxLength={60}
        autoFocus
        required
      />
      <SelectField
        label={texts.place}
        value={after}
        options={[['', texts.first], ...stages.map(({ id, name }) => [id, texts.after(name)] as const)]}
        onChange={setAfter}
      />
    </FormDialog>
  )
}
