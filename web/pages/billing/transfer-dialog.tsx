import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { billing as texts } from '../../texts/en/billing.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { typedDecimal } from './line-amount.ts'
import { formatAmount } from './money.ts'
import { TransferFields, useTransfer } from './transfer-fields.tsx'
import { billingKey } from './use-billing.ts'

interface TransferDialogProps<T> {
  title: string
  note: (amount: string) => string
  confirm: string
  done: (amount: string) => string
  dayLabel: string
  path: string
  version: number
  /** What is open, and offered first. */
  open: string
  currency: string
  onDone?: (answer: T) => void
  onClose: () => void
}

/** Money that moved, in either direction: how much, how and when. */
export function TransferDialog<T>(props: TransferDialogProps<T>) {
  const { title, note, confirm, done, dayLabel, path, version, open, currency, onDone, onClose } = props
  const { say } = useToasts()
  const client = useQueryClient()
  const transfer = useTransfer()
  const [typed, setTyped] = useState(open)
  const send = useSubmit({
    mutationFn: (amount: string, submission) =>
      api.post<T>(path, { version, amount, ...transfer.sent }, submission),
    onSuccess: (answer, amount) => {
      onDone?.(answer)
      say(done(formatAmount(amount, currency)))
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: billingKey }),
  })
  return (
    <FormDialog
      title={title}
      description={note(formatAmount(open, currency))}
      sending={send}
      onSubmit={() => send.mutate(typedDecimal(typed) ?? typed)}
      error={null}
      confirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={`${texts.payAmount} (${currency})`}
        error={send.error?.message}
        required
        inputMode="decimal"
        maxLength={14}
        value={typed}
        onChange={setTyped}
      />
      <TransferFields transfer={transfer} dayLabel={dayLabel} />
    </FormDialog>
  )
}
