import type { Db, Statement } from '../../../platform/db.ts'
import { asciiLowered } from '../../kernel/email.ts'
import type { Invoice } from '../invoices/invoice.ts'
import type { CreditUse } from './credit.ts'

/** Whose credits are asked for, and by which invoice. */
export type CreditUser = Pick<
  Invoice,
  'installerId' | 'companyId' | 'installationId' | 'currency' | 'customer' | 'id'
>

// As the table's own columns have it.
const keyOf = (text: string) => `lower(regexp_replace(btrim(normalize(${text}, NFKC)), '\\s+', ' ', 'g'))`

/**
 * A company's credits in one currency. The customer is the same where name and email are, or name and address where
 * neither has an email; at the same installation one of name and email is enough, as the other may have been corrected.
 * Who has come to live there since shares neither.
 */
const openStatement: Statement = {
  name: 'credits-for-invoice',
  text: `select c.id as "creditId", c.amount - c.used - c.refunded + coalesce(u.amount, 0) as amount
    from credits c left join credit_uses u
      on u.installer_id = c.installer_id and u.credit_id = c.id and u.invoice_id = $4 and u.released_at is null
    where c.installer_id = $1 and c.company_id = $2 and c.currency = $3 and not c.erased
      and (c.amount > c.used + c.refunded or u.amount is not null)
      and ((c.name_key = ${keyOf('$5')}
          and (c.email_key = ${asciiLowered('btrim($6::text)')}
            or (c.email_key is null and $6 is null and ${keyOf("c.customer->>'address'")} is not distinct from ${keyOf('$7')})))
        or (c.installation_id = $8 and (c.name_key = ${keyOf('$5')} or c.email_key = ${asciiLowered('btrim($6::text)')})))
    order by c.id limit 200`,
}

/** What is left of the customer's credits, the oldest first, with what the invoice itself uses already. */
export function listCreditsFor(db: Db, user: CreditUser): Promise<CreditUse[]> {
  const { installerId, companyId, currency, id, customer, installationId } = user
  const { name, email, address } = customer
  const values = [installerId, companyId, currency, id, name, email, address, installationId]
  return db.query<CreditUse>(openStatement, values)
}

const usesStatement: Statement = {
  name: 'credit-uses-of-invoice',
  text: `select u.credit_id as "creditId", u.amount, c.invoice_id as "invoiceId", i.number
    from credit_uses u join credits c on c.installer_id = u.installer_id and c.id = u.credit_id
      join invoices i on i.installer_id = c.installer_id and i.id = c.invoice_id
    where u.installer_id = $1 and u.invoice_id = $2 order by u.credit_id`,
}

export interface UsedCredit extends CreditUse {
  /** The invoice that it comes from. */
  invoiceId: string
  number: string
}

/** Which credits an invoice uses; of a void one, which it used. */
export function listUses(
  db: Db,
  { installerId, id }: Pick<Invoice, 'installerId' | 'id'>,
): Promise<UsedCredit[]> {
  return db.query<UsedCredit>(usesStatement, [installerId, id])
}

const freed = `update credits c set used = c.used - f.amount, version = c.version + 1 from freed f
    where c.installer_id = $1 and c.id = f.credit_id`

const clearStatement: Statement = {
  name: 'clear-credit-uses',
  text: `with freed as (
      delete from credit_uses where installer_id = $1 and invoice_id = $2 and released_at is null
      returning credit_id, amount
    ) ${freed}`,
}

/** Gives back what a draft uses. */
export async function clearUses(
  tx: Db,
  { installerId, id }: Pick<Invoice, 'installerId' | 'id'>,
): Promise<void> {
  await tx.query(clearStatement, [installerId, id])
}

const releaseStatement: Statement = {
  name: 'release-credit-uses',
  text: `with freed as (
      update credit_uses set released_at = $3 where installer_id = $1 and invoice_id = $2 and released_at is null
      returning credit_id, amount
    ) ${freed}`,
}

/** Gives back what an invoice used that is voided; that it did stays to be read. */
export async function releaseUses(tx: Db, { installerId, id }: Invoice, at: Date): Promise<void> {
  await tx.query(releaseStatement, [installerId, id, at])
}

const insertStatement: Statement = {
  name: 'insert-credit-uses',
  text: `with taken as (
      insert into credit_uses (installer_id, credit_id, invoice_id, amount)
      select $1, t."creditId", $2, t.amount from json_to_recordset($3) as t("creditId" text, amount numeric)
      returning credit_id, amount
    )
    update credits c set used = c.used + t.amount, version = c.version + 1 from taken t
    where c.installer_id = $1 and c.id = t.credit_id`,
}

export async function insertUses(
  tx: Db,
  { installerId, id }: Pick<Invoice, 'installerId' | 'id'>,
  uses: readonly CreditUse[],
): Promise<void> {
  await tx.query(insertStatement, [installerId, id, JSON.stringify(uses)])
}
