import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import type { WebhookShown } from './use-webhooks.ts'

interface RemoveDialogProps {
  webhook: WebhookShown
  onClose: () => void
  onRemoved: () => void
}

export function RemoveDialog({ webhook: { id, url }, onClose, onRemoved }: RemoveDialogProps) {
  const remove = useSubmit({
    mutationFn: (_, once) => api.delete(`/webhooks/${id}`, once),
    onSuccess: onRemoved,
  })
  return (
    <Dialog open onClose={onClose} title={texts.removeTitle} description={texts.removeNote}>
      <p>{url}</p>
      {remove.error && (
        <p role="alert" className="pt-2 text-bad">
          {remove.error.message}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {texts.removeConfirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
