import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import type { SecretShown } from './use-webhooks.ts'

interface RotateDialogProps {
  id: string
  onClose: () => void
  onRotated: (made: SecretShown) => void
}

const longestFirst = Object.entries(texts.graces).toSorted(([a], [b]) => Number(b) - Number(a))

export function RotateDialog({ id, onClose, onRotated }: RotateDialogProps) {
  const [grace, setGrace] = useState('24')
  const rotate = useSubmit({
    // Answers nothing: what it answers is kept for a while, and the secret must not be.
    mutationFn: async (_, once) =>
      onRotated(await api.post<SecretShown>(`/webhooks/${id}/secret`, { graceHours: Number(grace) }, once)),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    rotate.mutate()
  }

  return (
    <Dialog open onClose={onClose} title={texts.rotateTitle} description={texts.rotateNote}>
      <form onSubmit={submit}>
        <Field label={texts.grace} error={rotate.error?.message}>
          <Select value={grace} onChange={(event) => setGrace(event.target.value)}>
            {longestFirst.map(([hours, text]) => (
              <option key={hours} value={hours}>
                {text}
              </option>
            ))}
          </Select>
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={rotate.isPending}>
            {texts.rotateConfirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
