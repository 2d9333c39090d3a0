import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { SelectField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import type { SecretResponse } from './use-webhooks.ts'

interface RotateDialogProps {
  id: string
  onClose: () => void
  onRotated: (made: SecretResponse) => void
}

const longestFirst = Object.entries(texts.graces).toSorted(([a], [b]) => Number(b) - Number(a))

export function RotateDialog({ id, onClose, onRotated }: RotateDialogProps) {
  const [grace, setGrace] = useState('24')
  const rotate = useSubmit({
    // Answers nothing: what it answers is kept for a while, and the secret must not be.
    mutationFn: async (_, submission) =>
      onRotated(
        await api.post<SecretResponse>(`/webhooks/${id}/secret`, { graceHours: Number(grace) }, submission),
      ),
  })

  return (
    <FormDialog
      title={texts.rotateTitle}
      description={texts.rotateNote}
      sending={rotate}
      error={null}
      confirm={texts.rotateConfirm}
      onClose={onClose}
    >
      <SelectField
        label={texts.grace}
        error={rotate.error?.message}
        value={grace}
        options={longestFirst}
        onChange={setGrace}
      />
    </FormDialog>
  )
}
