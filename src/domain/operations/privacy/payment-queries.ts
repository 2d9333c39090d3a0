import type { Db, Statement } from '../../../platform/db.ts'

type Kind = 'payment' | 'refund'

const listStatement: Statement = {
  name: 'references-of-payments',
  text: `select 'payment' as kind, id, reference from invoice_payments
      where installer_id = $1 and invoice_id = any($2::text[]) and reference is not null
    union all
    select 'refund', f.id, f.reference from credits c
      join credit_refunds f on f.installer_id = c.installer_id and f.credit_id = c.id
      where c.installer_id = $1 and c.invoice_id = any($2::text[]) and f.reference is not null`,
}

/** What somebody noted of the payments of invoices, and of what was paid back. */
export function listReferences(
  tx: Db,
  installerId: string,
  invoiceIds: readonly string[],
): Promise<{ kind: Kind; id: string; reference: string }[]> {
  return tx.query(listStatement, [installerId, invoiceIds])
}

const saveStatements: Record<Kind, Statement> = {
  payment: {
    name: 'save-payment-reference',
    text: 'update invoice_payments set reference = $3 where installer_id = $1 and id = $2',
  },
  refund: {
    name: 'save-refund-reference',
    text: 'update credit_refunds set reference = $3 where installer_id = $1 and id = $2',
  },
}

export async function saveReference(
  tx: Db,
  kind: Kind,
  installerId: string,
  id: string,
  reference: string,
): Promise<void> {
  await tx.query(saveStatements[kind], [installerId, id, reference])
}
