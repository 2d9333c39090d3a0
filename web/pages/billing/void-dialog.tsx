import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { billing as texts } from '../../texts/en/billing.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { formatAmount } from './money.ts'
import { TransferFields, useTransfer } from './transfer-fields.tsx'
import { billingKey, type InvoiceRead, invoiceQuery } from './use-billing.ts'

interface VoidDialogProps {
  invoice: InvoiceRead
  onClose: () => void
}

type PaidAs = keyof typeof texts.paidAs

/** Asks first, and what is to become of what was paid. What is refused is said. */
export function VoidDialog({ invoice, onClose }: VoidDialogProps) {
  const { id, version, number, amountPaid, currency } = invoice
  const { say } = useToasts()
  const client = useQueryClient()
  const transfer = useTransfer()
  const [paidAs, setPaidAs] = useState<PaidAs>('credit')
  const isPaid = amountPaid !== '0.00'
  const asked = useSubmit({
    mutationFn: (_, submission) =>
      api.post<InvoiceRead>(
        `/billing/invoices/${id}/void`,
        {
          version,
          ...(isPaid && paidAs === 'refund' ? { refund: transfer.sent } : {}),
        },
        submission,
      ),
    onSuccess: (next) => {
      client.setQueryData(invoiceQuery(id).queryKey, next)
      say(texts.voided(number ?? ''))
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: billingKey }),
  })

  return (
    <FormDialog
      title={texts.voidTitle(number ?? '')}
      description={texts.voidNote}
      sending={asked}
      confirm={texts.voidConfirm}
      kind="danger"
      leave={texts.asItIs}
      onClose={onClose}
    >
      {isPaid && (
        <fieldset className="flex flex-col gap-2">
          <legend className="pb-1 font-medium">
            {texts.paidQuestion(formatAmount(amountPaid, currency))}
          </legend>
          {Object.entries(texts.paidAs).map(([value, [label, note]]) => (
            <label key={value} className="flex min-h-8 items-start gap-2">
              <input
                type="radio"
                name="paidAs"
                className="mt-1 size-4.5 shrink-0 accent-action"
                checked={paidAs === value}
                onChange={() => setPaidAs(value as PaidAs)}
              />
              <span>
                {label}
                <span className="block text-[0.87rem] text-ink-soft">{note}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {isPaid && paidAs === 'refund' && <TransferFields transfer={transfer} dayLabel={texts.refundedOn} />}
    </FormDialog>
  )
}
