import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { billing as texts } from '../../texts/en/billing.ts'
import { common } from '../../texts/en/common.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { typedDecimal } from './line-amount.ts'
import { formatAmount } from './money.ts'
import { TransferFields, useTransfer } from './transfer-fields.tsx'
import { billingKey, type InvoiceRead, invoiceQuery } from './use-billing.ts'

interface PayDialogProps {
  invoice: InvoiceRead
  onClose: () => void
}

export function PayDialog({ invoice, onClose }: PayDialogProps) {
  const { id, version, amountRemaining, currency } = invoice
  const { say } = useToasts()
  const client = useQueryClient()
  const transfer = useTransfer()
  const [typed, setTyped] = useState(amountRemaining)
  const pay = useSubmit({
    mutationFn: (amount: string, once) =>
      api.post<InvoiceRead>(`/billing/invoices/${id}/pay`, { version, amount, ...transfer.sent }, once),
    onSuccess: (next, amount) => {
      client.setQueryData(invoiceQuery(id).queryKey, next)
      say(texts.payDone(formatAmount(amount, currency)))
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: billingKey }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!pay.isPending) pay.mutate(typedDecimal(typed) ?? typed)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.payTitle}
      description={texts.payNote(formatAmount(amountRemaining, currency))}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={`${texts.payAmount} (${currency})`} error={pay.error?.message}>
          <TextInput
            required
            inputMode="decimal"
            maxLength={14}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <TransferFields transfer={transfer} dayLabel={texts.receivedOn} />
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={pay.isPending}>
            {texts.payConfirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
