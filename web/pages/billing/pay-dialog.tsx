import { useQueryClient } from '@tanstack/react-query'
import { billing as texts } from '../../texts/en/billing.ts'
import { TransferDialog } from './transfer-dialog.tsx'
import { type InvoiceRead, invoiceQuery } from './use-billing.ts'

interface PayDialogProps {
  invoice: InvoiceRead
  onClose: () => void
}

export function PayDialog({ invoice, onClose }: PayDialogProps) {
  const { id, version, amountRemaining, currency } = invoice
  const client = useQueryClient()
  return (
    <TransferDialog<InvoiceRead>
      title={texts.payTitle}
      note={texts.payNote}
      confirm={texts.payConfirm}
      done={texts.payDone}
      dayLabel={texts.receivedOn}
      path={`/billing/invoices/${id}/pay`}
      version={version}
      open={amountRemaining}
      currency={currency}
      onDone={(next) => client.setQueryData(invoiceQuery(id).queryKey, next)}
      onClose={onClose}
    />
  )
}
