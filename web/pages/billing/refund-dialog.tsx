import { billing as texts } from '../../texts/en/billing.ts'
import { TransferDialog } from './transfer-dialog.tsx'
import type { CreditResponse } from './use-billing.ts'

interface RefundDialogProps {
  credit: CreditResponse
  onClose: () => void
}

export function RefundDialog({ credit, onClose }: RefundDialogProps) {
  const { id, version, remaining, currency, customer } = credit
  return (
    <TransferDialog
      title={texts.refundTitle(customer.name)}
      note={texts.refundNote}
      confirm={texts.refundConfirm}
      done={texts.refundDone}
      dayLabel={texts.refundedOn}
      path={`/billing/credits/${id}/refund`}
      version={version}
      open={remaining}
      currency={currency}
      onClose={onClose}
    />
  )
}
