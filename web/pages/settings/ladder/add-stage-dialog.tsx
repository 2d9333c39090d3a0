import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { common } from '../../../texts/en/common.ts'
import { ladder as texts } from '../../../texts/en/ladder.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../../ui/field.tsx'
import { type Line, type StageSettingShown, useLadderChange } from './use-ladders.ts'

interface AddStageDialogProps {
  line: Line
  stages: readonly StageSettingShown[]
  onClose: () => void
}

/** A name and a place: the rest is on the stage's own page, where it leads. */
export function AddStageDialog({ line, stages, onClose }: AddStageDialogProps) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [after, setAfter] = useState(stages.at(-1)?.id ?? '')
  const add = useLadderChange((once) =>
    api.post<{ id: string }>('/stages', { productLine: line, name, after: after || null }, once),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate(undefined, {
      onSuccess: ({ id }) => navigate({ to: '/settings/ladder/$id', params: { id } }),
    })
  }

  return (
    <Dialog open onClose={onClose} title={texts.addStage} description={texts.addNote}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.name} error={add.error?.message}>
          <TextInput
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="off"
            maxLength={60}
            autoFocus
            required
          />
        </Field>
        <Field label={texts.place}>
          <Select value={after} onChange={(event) => setAfter(event.target.value)}>
            <option value="">{texts.first}</option>
            {stages.map((stage) => (
              <option key={stage.id} value={stage.id}>
                {texts.after(stage.name)}
              </option>
            ))}
          </Select>
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={add.isPending}>
            {texts.addStage}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
