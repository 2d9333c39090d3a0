import { Big } from 'big.js'
import type { Db } from '../../platform/db.ts'
import type { Context } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import type { Decimal } from '../leads/lead.ts'
import { type Invoice, remainingOf } from './invoice.ts'
import { cents, exactly, sumOf } from './money.ts'
import { commitInvoice, onInvoice } from './on-invoice.ts'
import { insertPayment } from './queries.ts'

/** Notes a payment: all that remains where no amount is given. A part keeps the invoice open. */
export async function payInvoice(ctx: Context, id: string, given?: Decimal, seen?: number): Promise<Invoice> {
  const amount = given === undefined ? null : cents(exactly(given, 2, 'amount'))
  const work = (tx: Db, invoice: Invoice) => {
    const remaining = remainingOf(invoice)
    const payment = amount ?? remaining
    if (new Big(payment).gt(remaining)) {
      throw new DomainError(
        'invalid',
        `amount: ${remaining} ${invoice.currency} remain to be paid. Send at most that.`,
      )
    }
    return commitInvoice(tx, ctx, invoice, async (at) => {
      await insertPayment(tx, ctx.actor, invoice, payment, at)
      const amountPaid = sumOf([invoice.amountPaid, payment])
      if (amountPaid !== invoice.amountDue) return { invoice: { ...invoice, amountPaid }, events: [] }
      return { invoice: { ...invoice, amountPaid, status: 'paid', paidAt: at }, events: ['invoice.paid'] }
    })
  }
  return onInvoice(ctx, id, 'pay', work, seen)
}
