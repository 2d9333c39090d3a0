import type { Db } from '../../../platform/db.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { clearUses } from '../credits/use-queries.ts'
import { releaseMonth } from '../months/month-queries.ts'
import { type Invoice, invoiceEvent } from './invoice.ts'
import { onInvoice } from './on-invoice.ts'
import { deleteInvoice } from './queries.ts'

/** Deletes a draft, which never had a number. A month it billed is drafted again only when that is asked for. */
export async function deleteDraft(ctx: Context, id: string, seen?: number): Promise<void> {
  const work = (tx: Db, invoice: Invoice) => deleteDraftWithin(tx, ctx.actor, ctx.now, invoice)
  await onInvoice(ctx, id, 'delete', work, seen)
}

/** For whoever holds the tenant's lock. Credits that it used come back. */
export async function deleteDraftWithin(tx: Db, actor: Actor, now: Date, invoice: Invoice): Promise<void> {
  const at = await takeTimes(tx, actor.installerId, now, 1)
  await releaseMonth(tx, invoice, 'its draft was deleted', at)
  await withdrawDraft(tx, actor, at, invoice)
}

/** The same, where its month is not to be drafted again. */
export async function withdrawDraft(tx: Db, actor: Actor, at: Date, invoice: Invoice): Promise<void> {
  await clearUses(tx, invoice)
  await deleteInvoice(tx, invoice)
  const gone = { ...invoice, version: invoice.version + 1, updatedAt: at }
  await recordEvents(tx, actor, at, [invoiceEvent('invoice.deleted', gone)])
}
