import type { Db, Statement } from '../../../platform/db.ts'
import type { Decimal } from '../../deals/leads/lead.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Invoice } from '../invoices/invoice.ts'
import type { Payment } from './payment.ts'

const columns = 'id, ordinal, amount, method, reference, received_on as "on", at, actor_name as by'

const insertStatement: Statement = {
  name: 'insert-invoice-payment',
  text: `insert into invoice_payments (installer_id, invoice_id, ordinal, id, amount, method, reference, received_on, at,
      actor_kind, actor_id, actor_name, request_key)
    select $1, $2, coalesce(max(ordinal), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
    from invoice_payments where installer_id = $1 and invoice_id = $2
    returning ${columns}`,
}

export async function insertPayment(
  tx: Db,
  actor: Actor,
  { installerId, id: invoiceId }: Invoice,
  payment: Omit<Payment, 'ordinal' | 'by'>,
  requestKey: string | null,
): Promise<Payment> {
  const { id, amount, method, reference, on, at } = payment
  const values = [installerId, invoiceId, id, amount, method, reference, on, at]
  const [row] = await tx.query<Payment>(insertStatement, [
    ...values,
    ...[actor.kind, actor.id, actor.name, requestKey],
  ])
  return row!
}

const listStatement: Statement = {
  name: 'list-invoice-payments',
  text: `select ${columns} from invoice_payments
    where installer_id = $1 and invoice_id = $2 and ordinal > $3 order by ordinal limit $4`,
}

/** The first that come after so many others. */
export function listPayments(
  db: Db,
  { installerId, id }: Pick<Invoice, 'installerId' | 'id'>,
  before: number,
  limit: number,
): Promise<Payment[]> {
  return db.query<Payment>(listStatement, [installerId, id, before, limit])
}

const countStatement: Statement = {
  name: 'count-invoice-payments',
  text: `select coalesce(max(ordinal), 0) as count from invoice_payments where installer_id = $1 and invoice_id = $2`,
}

/** None is ever taken away, so the last one's number says how many there are. */
export async function countPayments(
  db: Db,
  { installerId, id }: Pick<Invoice, 'installerId' | 'id'>,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(countStatement, [installerId, id])
  return row!.count
}

const requestedStatement: Statement = {
  name: 'find-requested-payment',
  text: `select invoice_id as "invoiceId", amount from invoice_payments where installer_id = $1 and request_key = $2`,
}

/** The payment that was noted by a call of this key. */
export async function findRequestedPayment(
  db: Db,
  installerId: string,
  requestKey: string,
): Promise<{ invoiceId: string; amount: Decimal } | null> {
  const [row] = await db.query<{ invoiceId: string; amount: Decimal }>(requestedStatement, [
    installerId,
    requestKey,
  ])
  return row ?? null
}
