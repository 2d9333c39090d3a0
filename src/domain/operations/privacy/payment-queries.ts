import { row, text } from '../../../platform/sql/row.ts'
import { type Params, pick, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'

interface Reference {
  kind: 'payment' | 'refund'
  id: string
  reference: string
}

/** What somebody noted of the payments of invoices, and of what was paid back. */
export const listReferences = many(
  row<Reference>({ kind: text, id: text, reference: text }),
  ($: Params<{ installerId: string; invoiceIds: readonly string[] }>) => sql`
    select 'payment' as kind, id, reference from invoice_payments
      where installer_id = ${$.installerId} and invoice_id = any(${$.invoiceIds}::text[]) and reference is not null
    union all
    select 'refund', f.id, f.reference from credits c
      join credit_refunds f on f.installer_id = c.installer_id and f.credit_id = c.id
      where c.installer_id = ${$.installerId} and c.invoice_id = any(${$.invoiceIds}::text[])
        and f.reference is not null`,
)

export const saveReference = run(
  ($: Params<Reference & { installerId: string }>) => sql`
    update ${pick($.kind, { payment: sql`invoice_payments`, refund: sql`credit_refunds` })}
    set reference = ${$.reference} where installer_id = ${$.installerId} and id = ${$.id}`,
)
