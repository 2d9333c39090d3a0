import { Big } from 'big.js'
import type { Db } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { type Context, confinedTo, requireRunner, requireWriter } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { recordEvents } from '../events/record-events.ts'
import type { Decimal } from '../leads/lead.ts'
import { takeTimes } from '../renderings/queries.ts'
import { type Invoice, invoiceEvent, remainingOf } from './invoice.ts'
import { cents, exactly, sumOf } from './money.ts'
import { onInvoice } from './on-invoice.ts'
import {
  keyUsedOtherwise,
  paymentRecord,
  requestKeyOf,
  type Transfer,
  type TransferInput,
  transferOf,
} from './payment.ts'
import { findRequestedPayment, insertPayment } from './payment-queries.ts'
import { findInvoice, updateInvoice } from './queries.ts'

export interface NewPayment extends TransferInput {
  /** All that remains when absent. */
  amount?: Decimal | undefined
  /** The same key twice is one payment. */
  key?: string | undefined
}

export interface Paid {
  invoice: Invoice
  /** Whether it was noted before, by a call of the same key. */
  replayed: boolean
}

/** Notes a payment: all that remains where no amount is given. A part keeps the invoice open. */
export async function payInvoice(
  ctx: Context,
  id: string,
  input: NewPayment = {},
  seen?: number,
): Promise<Paid> {
  const amount = input.amount === undefined ? null : cents(exactly(input.amount, 2, 'amount'))
  const key = requestKeyOf(ctx, input.key)
  const paid = await findRepeated(ctx.db, ctx, id, key, amount)
  if (paid) return paid
  const transfer = await transferOf(ctx, input, 'received_on')
  const work = (tx: Db, invoice: Invoice) => notePayment(tx, ctx, invoice, amount, transfer, key)
  const done = key === null ? undefined : (tx: Db) => findRepeated(tx, ctx, id, key, amount)
  return onInvoice(ctx, id, 'pay', work, seen, done)
}

/** Where a call of this key has been done: the invoice as it now reads, whatever became of it since. */
async function findRepeated(
  db: Db,
  { actor }: Context,
  id: string,
  key: string | null,
  amount: Decimal | null,
): Promise<Paid | null> {
  const before = key === null ? null : await findRequestedPayment(db, actor.installerId, key)
  if (!before) return null
  requireRunner(actor, 'bill customers')
  const invoice = await findInvoice(db, actor.installerId, confinedTo(actor), id)
  if (!invoice) throw notFound('invoice')
  requireWriter(actor)
  if (before.invoiceId !== invoice.id || (amount !== null && amount !== before.amount))
    throw keyUsedOtherwise()
  return { invoice, replayed: true }
}

/** The last payment is told of twice: that it came, and that the invoice is paid. Each has a version of its own. */
async function notePayment(
  tx: Db,
  { actor, now }: Context,
  invoice: Invoice,
  given: Decimal | null,
  transfer: Transfer,
  key: string | null,
): Promise<Paid> {
  const remaining = remainingOf(invoice)
  const amount = given ?? remaining
  if (new Big(amount).gt(remaining)) {
    throw new DomainError(
      'invalid',
      `amount: ${remaining} ${invoice.currency} remain to be paid. Send at most that.`,
    )
  }
  const at = await takeTimes(tx, actor.installerId, now, 1)
  const payment = await insertPayment(tx, actor, invoice, { id: newId('pay'), amount, at, ...transfer }, key)
  const noted: Invoice = {
    ...invoice,
    amountPaid: sumOf([invoice.amountPaid, amount]),
    version: invoice.version + 1,
  }
  const told = invoiceEvent('invoice.payment_recorded', noted, invoice)
  const events = [{ ...told, data: { ...told.data, payment: paymentRecord(payment) } }]
  const full = noted.amountPaid === noted.amountDue
  const next: Invoice = full ? { ...noted, status: 'paid', paidAt: at, version: noted.version + 1 } : noted
  if (full) events.push(invoiceEvent('invoice.paid', next, noted) as (typeof events)[number])
  await updateInvoice(tx, next)
  await recordEvents(tx, actor, at, events)
  return { invoice: next, replayed: false }
}
