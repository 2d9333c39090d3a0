import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import type { RecordEvent } from '../../journal/events/record-events.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { Invoice } from '../invoices/invoice.ts'
import { type Credit, type CreditReason, creditEvent } from './credit.ts'
import { findCredit, insertCredit, readCredit } from './queries.ts'

/** Writes down that the customer of an invoice has a credit. */
export async function createCredit(
  tx: Db,
  actor: Actor,
  { installerId, companyId, installationId, currency, customer, id: invoiceId }: Invoice,
  reason: CreditReason,
  amount: Decimal,
  at: Date,
): Promise<Credit> {
  const credit: Credit = {
    ...{ installerId, companyId, installationId, currency, customer, reason, invoiceId, amount },
    id: newId('cred'),
    used: '0.00',
    refunded: '0.00',
    remaining: amount,
    version: 1,
    createdAt: at,
  }
  await insertCredit(tx, actor, credit)
  return credit
}

/** What is told of a new one, as it then reads. */
export async function creditCreated(tx: Db, { installerId, id }: Credit): Promise<RecordEvent> {
  const named = { installerId, companyId: null, id }
  const written = (await findCredit(tx, named))!
  const record = JSON.parse((await readCredit(tx, named))!)
  return creditEvent('credit.created', written, record)
}
