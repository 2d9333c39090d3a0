import type { Caller } from './caller.ts'
import { type State, stateOf, type Writer } from './writer.ts'

interface Target {
  installerId: string
  invoiceId: string
}

/** Notes payments on one large invoice, each of an amount of its own, and repeats what was not answered under its key. */
export function paymentWriter(
  caller: Caller,
  headers: Record<string, string>,
  { installerId, invoiceId }: Target,
): Writer {
  const payments: { cents: number; state: State }[] = []
  return {
    kind: 'payments',
    async write() {
      if (payments.at(-1)?.state !== 'unknown')
        payments.push({ cents: 100 + payments.length, state: 'unknown' })
      const payment = payments.at(-1)!
      const answer = await caller.call({
        kind: 'payments',
        method: 'POST',
        path: `/catalog/v1/billing/invoices/${invoiceId}/pay`,
        headers: { ...headers, 'idempotency-key': `${invoiceId}-${payment.cents}` },
        body: { amount: payment.cents / 100 },
      })
      payment.state = stateOf(answer)
    },
    async hold(rows) {
      const there = await rows<{ cents: number; n: number }>(
        `select (amount * 100)::int as cents, count(*)::int as n from invoice_payments
         where installer_id = $1 and invoice_id = $2 group by amount`,
        [installerId, invoiceId],
      )
      const counts = new Map(there.map(({ cents, n }) => [cents, n]))
      const lost: string[] = []
      const twice: string[] = []
      for (const { cents, state } of payments) {
        const count = counts.get(cents) ?? 0
        if (count === 0 && state === 'answered') lost.push(`a payment of ${cents} cents`)
        if (count > 1) twice.push(`a payment of ${cents} cents, ${count} times`)
      }
      const [row] = await rows<{ right: boolean }>(
        `select amount_paid = (select coalesce(sum(amount), 0) from invoice_payments p
           where p.installer_id = i.installer_id and p.invoice_id = i.id) as right
         from invoices i where installer_id = $1 and id = $2`,
        [installerId, invoiceId],
      )
      if (!row!.right) lost.push(`what was paid of ${invoiceId} is not the sum of its payments`)
      return { checked: payments.length, lost, twice }
    },
  }
}
