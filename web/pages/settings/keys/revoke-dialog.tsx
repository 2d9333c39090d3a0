import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { keys as texts } from '../../../texts/en/keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import type { KeyShown } from './use-keys.ts'

interface RevokeDialogProps {
  apiKey: KeyShown
  onClose: () => void
  onRevoked: () => void
}

export function RevokeDialog({ apiKey: { id, name }, onClose, onRevoked }: RevokeDialogProps) {
  const { say } = useToasts()
  const revoke = useSubmit({
    mutationFn: (_, once) => api.post(`/keys/${id}/revoke`, {}, once),
    onSuccess: () => {
      say(texts.revoked(name))
      onRevoked()
    },
  })
  return (
    <Dialog open onClose={onClose} title={texts.revokeTitle(name)} description={texts.revokeNote}>
      {revoke.error && (
        <p role="alert" className="text-bad">
          {revoke.error.message}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button kind="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          {texts.revokeConfirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
