import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { keys as texts } from '../../../texts/en/keys.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import type { KeyResponse } from './use-keys.ts'

interface RevokeDialogProps {
  apiKey: KeyResponse
  onClose: () => void
  onRevoked: () => void
}

export function RevokeDialog({ apiKey: { id, name }, onClose, onRevoked }: RevokeDialogProps) {
  const { say } = useToasts()
  const revoke = useSubmit({
    mutationFn: (_, submission) => api.post(`/keys/${id}/revoke`, {}, submission),
    onSuccess: () => {
      say(texts.revoked(name))
      onRevoked()
    },
  })
  return (
    <FormDialog
      title={texts.revokeTitle(name)}
      description={texts.revokeNote}
      sending={revoke}
      confirm={texts.revokeConfirm}
      kind="danger"
      onClose={onClose}
    />
  )
}
