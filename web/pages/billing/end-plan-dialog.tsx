import { api } from '../../api/client.ts'
import { billing as texts } from '../../texts/en/billing.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import type { InstallationPlanResponse } from './use-billing.ts'

interface EndPlanDialogProps {
  installation: InstallationPlanResponse
  onClose: () => void
}

export function EndPlanDialog({ installation: { id, name }, onClose }: EndPlanDialogProps) {
  return (
    <ConfirmDialog
      title={texts.endTitle(name)}
      note={texts.endNote}
      confirm={texts.endConfirm}
      kind="danger"
      work={(submission) => api.delete(`/billing/plans/${id}`, submission)}
      done={() => texts.ended(name)}
      onClose={onClose}
    />
  )
}
