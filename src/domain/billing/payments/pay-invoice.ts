import { Big } from 'big.js'
import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import { keyUsedOtherwise } from '../../journal/idempotency/call.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { cents, exactly, sumOf } from '../../kernel/money.ts'
import { lockTenant, takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { type Invoice, invoiceEvent, invoiceRecord, remainingOf } from '../invoices/invoice.ts'
import { onInvoice, requireInvoice, requireInvoiceFor } from '../invoices/on-invoice.ts'
import { updateInvoice } from '../invoices/queries.ts'
import {
  type Answered,
  paymentRecord,
  requestKeyOf,
  type Transfer,
  type TransferInput,
  transferOf,
} from './payment.ts'
import { findRequestedPayment, insertPayment } from './payment-queries.ts'

export interface NewPayment extends TransferInput {
  /** All that remains when absent. */
  amount?: Decimal | undefined
}

/** What a caller saw, and the key by which they may call again. */
export interface Asking {
  /** The version that somebody had before their eyes. */
  seen?: number | undefined
  idempotencyKey?: string | null | undefined
}

/**
 * Notes a payment: all that remains where no amount is given. A part keeps the invoice open. Answers the invoice as it
 * then reads. Money that a call of the same key has brought is not noted again, however long ago that was.
 */
export async function payInvoice(
  ctx: Context,
  id: string,
  input: NewPayment = {},
  { seen, idempotencyKey = null }: Asking = {},
): Promise<Answered> {
  const amount = input.amount === undefined ? null : cents(exactly(input.amount, 2, 'amount'))
  const transfer = await transferOf(ctx, input, 'received_on')
  const key = requestKeyOf(ctx, idempotencyKey)
  const work = async (tx: Db, invoice: Invoice) =>
    JSON.stringify(invoiceRecord(await notePayment(tx, ctx, invoice, amount, transfer, key)))
  if (key === null) return { body: await onInvoice(ctx, id, 'pay', work, seen), replayed: false }
  return ctx.db.transaction(async (tx) => {
    await lockTenant(tx, ctx.actor.installerId)
    const invoice = await requireInvoice(tx, ctx, id, 'pay')
    const before = await findRequestedPayment(tx, { installerId: ctx.actor.installerId, requestKey: key })
    if (before && before.invoiceId !== invoice.id) throw keyUsedOtherwise()
    if (before) return { body: JSON.stringify(invoiceRecord(invoice)), replayed: true }
    return { body: await work(tx, await requireInvoiceFor(tx, ctx, id, 'pay', seen)), replayed: false }
  })
}

/** The last payment is told of twice: that it came, and that the invoice is paid. Each has a version of its own. */
async function notePayment(
  tx: Db,
  { actor, now }: Context,
  invoice: Invoice,
  given: Decimal | null,
  transfer: Transfer,
  key: string | null,
): Promise<Invoice> {
  const remaining = remainingOf(invoice)
  const amount = given ?? remaining
  if (new Big(amount).gt(remaining)) {
    throw new DomainError(
      'invalid',
      `amount: ${remaining} ${invoice.currency} remain to be paid. Send at most that.`,
    )
  }
  const at = await takeTimes(tx, actor.installerId, now, 1)
  const payment = await insertPayment(tx, {
    ...transfer,
    installerId: invoice.installerId,
    invoiceId: invoice.id,
    id: newId('pay'),
    amount,
    at,
    actorKind: actor.kind,
    actorId: actor.id,
    by: actor.name,
    requestKey: key,
  })
  const noted: Invoice = {
    ...invoice,
    amountPaid: sumOf([invoice.amountPaid, amount]),
    updatedAt: at,
    version: invoice.version + 1,
  }
  const event = invoiceEvent('invoice.payment_recorded', noted, invoice)
  const events = [{ ...event, data: { ...event.data, payment: paymentRecord(payment) } }]
  const full = noted.amountPaid === noted.amountDue
  const next: Invoice = full ? { ...noted, status: 'paid', paidAt: at, version: noted.version + 1 } : noted
  if (full) events.push(invoiceEvent('invoice.paid', next, noted) as (typeof events)[number])
  await updateInvoice(tx, next)
  await recordEvents(tx, actor, at, events)
  return next
}
