import type { Db } from '../../../platform/db.ts'
import { day, decimal, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one } from '../../../platform/sql/statements.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { Payment } from './payment.ts'

const payment = row<Payment>({
  id: text,
  ordinal: integer,
  amount: decimal,
  method: text,
  reference: text,
  on: day,
  at: instant,
  by: text,
})
const columns = select(payment, '', { on: sql`received_on`, by: sql`actor_name` })

interface NewPayment extends Omit<Payment, 'ordinal'> {
  installerId: string
  invoiceId: string
  actorKind: string
  actorId: string | null
  requestKey: string | null
}

export const insertPayment = one(
  payment,
  ($: Params<NewPayment>) => sql`
    insert into invoice_payments (installer_id, invoice_id, ordinal, id, amount, method, reference, received_on, at,
      actor_kind, actor_id, actor_name, request_key)
    select ${$.installerId}, ${$.invoiceId}, coalesce(max(ordinal), 0) + 1, ${$.id}, ${$.amount}, ${$.method},
      ${$.reference}, ${$.on}, ${$.at}, ${$.actorKind}, ${$.actorId}, ${$.by}, ${$.requestKey}
    from invoice_payments where installer_id = ${$.installerId} and invoice_id = ${$.invoiceId}
    returning ${columns}`,
)

/** An invoice's payments, the first that come after so many others. */
export const listPayments = many(
  payment,
  ($: Params<{ installerId: string; invoiceId: string; before: number; limit: number }>) => sql`
    select ${columns} from invoice_payments
    where installer_id = ${$.installerId} and invoice_id = ${$.invoiceId} and ordinal > ${$.before}
    order by ordinal limit ${$.limit}`,
)

const lastOrdinal = one(
  row<{ ordinal: number }>({ ordinal: integer }),
  ($: Params<{ installerId: string; invoiceId: string }>) => sql`
    select coalesce(max(ordinal), 0) as ordinal from invoice_payments
    where installer_id = ${$.installerId} and invoice_id = ${$.invoiceId}`,
)

/** None is ever taken away, so the last one's number says how many there are. */
export async function countPayments(
  db: Db,
  invoice: { installerId: string; invoiceId: string },
): Promise<number> {
  return (await lastOrdinal(db, invoice)).ordinal
}

/** The payment that was noted by a call of this key. */
export const findRequestedPayment = maybeOne(
  row<{ invoiceId: string; amount: Decimal }>({ invoiceId: text, amount: decimal }),
  ($: Params<{ installerId: string; requestKey: string }>) => sql`
    select invoice_id as "invoiceId", amount from invoice_payments
    where installer_id = ${$.installerId} and request_key = ${$.requestKey}`,
)
