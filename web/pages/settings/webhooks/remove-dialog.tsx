import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import type { WebhookResponse } from './use-webhooks.ts'

interface RemoveDialogProps {
  webhook: WebhookResponse
  onClose: () => void
  onRemoved: () => void
}

export function RemoveDialog({ webhook: { id, url }, onClose, onRemoved }: RemoveDialogProps) {
  const remove = useSubmit({
    mutationFn: (_, submission) => api.delete(`/webhooks/${id}`, submission),
    onSuccess: onRemoved,
  })
  return (
    <FormDialog
      title={texts.removeTitle}
      description={texts.removeNote}
      sending={remove}
      confirm={texts.removeConfirm}
      kind="danger"
      onClose={onClose}
    >
      <p>{url}</p>
    </FormDialog>
  )
}
