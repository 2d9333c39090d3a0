import type { Db } from '../../platform/db.ts'
import { lockTenant } from '../companies/queries.ts'
import { type Context, confinedTo, requireRunner, requireWriter } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { type RecordEvent, recordEvents } from '../events/record-events.ts'
import { takeTimes } from '../renderings/queries.ts'
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
 * had before their eyes when they decided on it: another one is not theirs to decide on. `done` answers where the same
 * call was done meanwhile: then it is not done again, nor refused.
 */
export async function onInvoice<T>(
  ctx: Context,
  id: string,
  action: InvoiceAction,
  work: (tx: Db, invoice: Invoice) => Promise<T>,
  seen?: number,
  done?: (tx: Db) => Promise<T | null>,
): Promise<T> {
  // Looked at first without the lock: what is refused holds nobody up.
  if (!done) await findFor(ctx.db, ctx, id, action, seen)
  return ctx.db.transaction(async (tx) => {
    await lockTenant(tx, ctx.actor.installerId)
    return (await done?.(tx)) ?? work(tx, await findFor(tx, ctx, id, action, seen))
  })
}

async function findFor(
  db: Db,
  { actor }: Context,
  id: string,
  action: InvoiceAction,
  seen: number | undefined,
): Promise<Invoice> {
  requireRunner(actor, 'bill customers')
  const invoice = await findInvoice(db, actor.installerId, confinedTo(actor), id)
  if (!invoice) throw notFound('invoice')
  requireWriter(actor)
  requireStatusFor(action, invoice)
  if (seen !== undefined && seen !== invoice.version)
    throw new DomainError(
      'invalid',
      'This invoice was changed meanwhile. Look at it as it is now, then try again.',
    )
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
  const invoice = { ...next, version: before.version + 1 }
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
