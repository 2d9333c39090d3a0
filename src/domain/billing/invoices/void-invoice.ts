import type { Db } from '../../../platform/db.ts'
import type { RecordEvent } from '../../journal/events/record-events.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { createCredit, creditCreated } from '../credits/create-credit.ts'
import { noteRefund } from '../credits/refund-credit.ts'
import { releaseUses } from '../credits/use-queries.ts'
import { releaseMonth } from '../months/month-queries.ts'
import { type Transfer, type TransferInput, transferOf } from '../payments/payment.ts'
import type { Invoice } from './invoice.ts'
import { commitInvoice, onInvoice } from './on-invoice.ts'

/** What becomes of what was paid: a credit, unless it is said to be paid back. */
export interface Voiding {
  refund?: TransferInput | undefined
  /** The version that somebody saw. */
  seen?: number | undefined
}

/**
 * Takes an open invoice back. It keeps its number; a month it billed is drafted again only when that is asked for. Credits
 * that it used come back, and what was paid on it is the customer's: their next invoices use it, or it is paid back.
 */
export async function voidInvoice(
  ctx: Context,
  id: string,
  { refund, seen }: Voiding = {},
): Promise<Invoice> {
  const transfer = refund && (await transferOf(ctx, refund, 'refunded_on'))
  const work = (tx: Db, invoice: Invoice) => {
    if (transfer && invoice.amountPaid === '0.00')
      throw new DomainError('invalid', 'paidAs: nothing was paid on this invoice. Void it without a refund.')
    return commitInvoice(tx, ctx, invoice, async (at) => {
      await releaseMonth(tx, invoice, `its invoice ${invoice.number} was voided`, at)
      await releaseUses(tx, { ...invoice, at })
      const more = invoice.amountPaid === '0.00' ? [] : [await keepPaid(tx, ctx, invoice, transfer, at)]
      return { invoice: { ...invoice, status: 'void', voidedAt: at }, events: ['invoice.voided'], more }
    })
  }
  return onInvoice(ctx, id, 'void', work, seen)
}

async function keepPaid(
  tx: Db,
  ctx: Context,
  invoice: Invoice,
  transfer: Transfer | undefined,
  at: Date,
): Promise<RecordEvent> {
  const amount = invoice.amountPaid
  const credit = await createCredit(tx, ctx.actor, invoice, 'voided_invoice', amount, at)
  if (transfer) await noteRefund(tx, ctx, credit, { ...transfer, amount, at })
  return creditCreated(tx, credit)
}
