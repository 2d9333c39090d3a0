import type { Db } from '../../../platform/db.ts'
import { type RecordEvent, recordEvents } from '../../journal/events/record-events.ts'
import { ChangedMeanwhile } from '../../kernel/changed-meanwhile.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { type Action, authorize } from '../../kernel/policy.ts'
import { lockTenant, takeTimes } from '../../kernel/tenant/clock-queries.ts'
import {
  type Invoice,
  type InvoiceAction,
  type InvoiceEvent,
  invoiceEvent,
  requireStatusFor,
} from './invoice.ts'
import { findInvoice, updateInvoice } from './queries.ts'

/**
 * Does something with an invoice that may be done with it, holding the tenant's lock. `seen` is the version that somebody
 * had before their eyes when they decided on it: another one is not theirs to decide on.
 */
export async function onInvoice<T>(
  ctx: Context,
  id: string,
  action: InvoiceAction,
  work: (tx: Db, invoice: Invoice) => Promise<T>,
  seen?: number,
): Promise<T> {
  // Looked at first without the lock: what is refused holds nobody up.
  await requireInvoiceFor(ctx.db, ctx, id, action, seen)
  return ctx.db.transaction(async (tx) => {
    await lockTenant(tx, ctx.actor.installerId)
    return work(tx, await requireInvoiceFor(tx, ctx, id, action, seen))
  })
}

const rightTo: Record<InvoiceAction, Action> = {
  change: 'billing.draft',
  delete: 'billing.draft',
  finalize: 'billing.finalize',
  pay: 'billing.pay',
  void: 'billing.void',
}

/** An invoice that the actor may do something with. */
export async function requireInvoice(
  db: Db,
  { actor }: Context,
  id: string,
  action: InvoiceAction,
): Promise<Invoice> {
  authorize(actor, 'billing.read')
  const invoice = await findInvoice(db, actor.installerId, confinedTo(actor), id)
  if (!invoice) throw notFound('invoice')
  authorize(actor, rightTo[action])
  return invoice
}

/** The same, where this may be done with it as it is. */
export async function requireInvoiceFor(
  db: Db,
  ctx: Context,
  id: string,
  action: InvoiceAction,
  seen: number | undefined,
): Promise<Invoice> {
  const invoice = await requireInvoice(db, ctx, id, action)
  requireStatusFor(action, invoice)
  if (seen !== undefined && seen !== invoice.version) throw new ChangedMeanwhile({ version: invoice.version })
  return invoice
}

/** Writes an invoice's next version, and what is told of it. */
export async function commitInvoice(
  tx: Db,
  { actor, now }: Pick<Context, 'actor' | 'now'>,
  before: Invoice,
  changed: (at: Date) => Promise<Changed>,
): Promise<Invoice> {
  const at = await takeTimes(tx, actor.installerId, now, 1)
  const { invoice: next, events, more = [] } = await changed(at)
  const invoice = { ...next, version: before.version + 1, updatedAt: at }
  await updateInvoice(tx, invoice)
  await recordEvents(tx, actor, at, [...events.map((type) => invoiceEvent(type, invoice, before)), ...more])
  return invoice
}

interface Changed {
  invoice: Omit<Invoice, 'version'>
  events: InvoiceEvent[]
  /** Of other records that were changed with it. */
  more?: RecordEvent[]
}
