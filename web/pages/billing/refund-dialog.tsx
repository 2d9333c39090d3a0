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
import { billingKey, type CreditShown } from './use-billing.ts'

interface RefundDialogProps {
  credit: CreditShown
  onClose: () => void
}

export function RefundDialog({ credit, onClose }: RefundDialogProps) {
  const { id, version, remaining, currency, customer } = credit
  const { say } = useToasts()
  const client = useQueryClient()
  const transfer = useTransfer()
  const [typed, setTyped] = useState(remaining)
  const refund = useSubmit({
    mutationFn: (amount: string, once) =>
      api.post(`/billing/credits/${id}/refund`, { version, amount, ...transfer.sent }, once),
    onSuccess: (_done, amount) => {
      say(texts.refundDone(formatAmount(amount, currency)))
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: billingKey }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!refund.isPending) refund.mutate(typedDecimal(typed) ?? typed)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.refundTitle(customer.name)}
      description={texts.refundNote(formatAmount(remaining, currency))}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={`${texts.payAmount} (${currency})`} error={refund.error?.message}>
          <TextInput
            required
            inputMode="decimal"
            maxLength={14}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <TransferFields transfer={transfer} dayLabel={texts.refundedOn} />
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={refund.isPending}>
            {texts.refundConfirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
