import { useState } from 'react'
import type { KeyMade } from '../../../../src/api/console/keys.ts'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { keys as texts } from '../../../texts/en/keys.ts'
import { SelectField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import type { KeyResponse } from './use-keys.ts'

interface RollDialogProps {
  apiKey: KeyResponse
  onClose: () => void
  onRolled: (made: KeyMade) => void
}

export function RollDialog({ apiKey: { id, name }, onClose, onRolled }: RollDialogProps) {
  const [grace, setGrace] = useState('24')
  const roll = useSubmit({
    // Answers nothing: what it answers is kept for a while, and the key must not be.
    mutationFn: async (_, submission) =>
      onRolled(await api.post<KeyMade>(`/keys/${id}/roll`, { graceHours: Number(grace) }, submission)),
  })

  return (
    <FormDialog
      title={texts.rollTitle(name)}
      description={texts.rollNote}
      sending={roll}
      error={null}
      confirm={texts.rollConfirm}
      onClose={onClose}
    >
      <SelectField
        label={texts.grace}
        error={roll.error?.message}
        value={grace}
        options={Object.entries(texts.graces)}
        onChange={setGrace}
      />
    </FormDialog>
  )
}
