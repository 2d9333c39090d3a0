import type { Db } from '../../../platform/db.ts'
import { decimal, row, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Param, type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import { asciiLoweredValue } from '../../kernel/email.ts'
import type { Invoice } from '../invoices/invoice.ts'
import type { CreditUse } from './credit.ts'

/** Whose credits are asked for, and by which invoice. */
export type CreditUser = Pick<
  Invoice,
  'installerId' | 'companyId' | 'installationId' | 'currency' | 'customer' | 'id'
>

type Asked = Omit<CreditUser, 'customer'> & CreditUser['customer']

// As the table's own columns have it.
const keyOf = (value: Fragment | Param) =>
  sql`lower(regexp_replace(btrim(normalize(${value}, NFKC)), '\\s+', ' ', 'g'))`
const emailKeyOf = (email: Param) => asciiLoweredValue(sql`btrim(${email}::text)`)

/**
 * A company's credits in one currency. The customer is the same where name and email are, or name and address where
 * neither has an email; at the same installation one of name and email is enough, as the other may have been corrected.
 * Who has come to live there since shares neither.
 */
const creditsOfCustomer = many(
  row<CreditUse>({ creditId: text, amount: decimal }),
  ($: Params<Asked>) => sql`
    select c.id as "creditId", c.amount - c.used - c.refunded + coalesce(u.amount, 0) as amount
    from credits c left join credit_uses u
      on u.installer_id = c.installer_id and u.credit_id = c.id and u.invoice_id = ${$.id} and u.released_at is null
    where c.installer_id = ${$.installerId} and c.company_id = ${$.companyId} and c.currency = ${$.currency}
      and not c.erased and (c.amount > c.used + c.refunded or u.amount is not null)
      and ((c.name_key = ${keyOf($.name)}
          and (c.email_key = ${emailKeyOf($.email)}
            or (c.email_key is null and ${$.email} is null
              and ${keyOf(sql`c.customer->>'address'`)} is not distinct from ${keyOf($.address)})))
        or (c.installation_id = ${$.installationId}
          and (c.name_key = ${keyOf($.name)} or c.email_key = ${emailKeyOf($.email)})))
    order by c.id limit 200`,
)

/** What is left of the customer's credits, the oldest first, with what the invoice itself uses already. */
export const listCreditsFor = (db: Db, { customer, ...user }: CreditUser): Promise<CreditUse[]> =>
  creditsOfCustomer(db, { ...customer, ...user })

type InvoiceId = Pick<Invoice, 'installerId' | 'id'>

export interface UsedCredit extends CreditUse {
  /** The invoice that it comes from. */
  invoiceId: string
  number: string
}

/** Which credits an invoice uses; of a void one, which it used. */
export const listUses = many(
  row<UsedCredit>({ creditId: text, amount: decimal, invoiceId: text, number: text }),
  ($: Params<InvoiceId>) => sql`
    select u.credit_id as "creditId", u.amount, c.invoice_id as "invoiceId", i.number
    from credit_uses u join credits c on c.installer_id = u.installer_id and c.id = u.credit_id
      join invoices i on i.installer_id = c.installer_id and i.id = c.invoice_id
    where u.installer_id = ${$.installerId} and u.invoice_id = ${$.id} order by u.credit_id`,
)

const giveBack = ({ installerId }: Params<InvoiceId>) => sql`
    update credits c set used = c.used - f.amount, version = c.version + 1 from freed f
    where c.installer_id = ${installerId} and c.id = f.credit_id`

/** Gives back what a draft uses. */
export const clearUses = run(
  ($: Params<InvoiceId>) => sql`with freed as (
      delete from credit_uses where installer_id = ${$.installerId} and invoice_id = ${$.id} and released_at is null
      returning credit_id, amount
    ) ${giveBack($)}`,
)

/** Gives back what an invoice used that is voided; that it did stays to be read. */
export const releaseUses = run(
  ($: Params<InvoiceId & { at: Date }>) => sql`with freed as (
      update credit_uses set released_at = ${$.at}
      where installer_id = ${$.installerId} and invoice_id = ${$.id} and released_at is null
      returning credit_id, amount
    ) ${giveBack($)}`,
)

/** `uses` are JSON. */
export const insertUses = run(
  ($: Params<InvoiceId & { uses: string }>) => sql`with taken as (
      insert into credit_uses (installer_id, credit_id, invoice_id, amount)
      select ${$.installerId}, t."creditId", ${$.id}, t.amount
      from json_to_recordset(${$.uses}) as t("creditId" text, amount numeric)
      returning credit_id, amount
    )
    update credits c set used = c.used + t.amount, version = c.version + 1 from taken t
    where c.installer_id = ${$.installerId} and c.id = t.credit_id`,
)
