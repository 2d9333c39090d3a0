import { type FormEvent, useState } from 'react'
import type { KeyMade } from '../../../../src/api/console/keys.ts'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { keys as texts } from '../../../texts/en/keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import type { KeyShown } from './use-keys.ts'

interface RollDialogProps {
  apiKey: KeyShown
  onClose: () => void
  onRolled: (made: KeyMade) => void
}

export function RollDialog({ apiKey: { id, name }, onClose, onRolled }: RollDialogProps) {
  const [grace, setGrace] = useState('24')
  const roll = useSubmit({
    // Answers nothing: what it answers is kept for a while, and the key must not be.
    mutationFn: async (_, once) =>
      onRolled(await api.post<KeyMade>(`/keys/${id}/roll`, { graceHours: Number(grace) }, once)),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    roll.mutate()
  }

  return (
    <Dialog open onClose={onClose} title={texts.rollTitle(name)} description={texts.rollNote}>
      <form onSubmit={submit}>
        <Field label={texts.grace} error={roll.error?.message}>
          <Select value={grace} onChange={(event) => setGrace(event.target.value)}>
            {Object.entries(texts.graces).map(([hours, text]) => (
              <option key={hours} value={hours}>
                {text}
              </option>
            ))}
          </Select>
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={roll.isPending}>
            {texts.rollConfirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
