import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { type SearchWords, wordsShape } from '../../deals/leads/search-words.ts'
import type { Actor, Reach } from '../../kernel/context.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { NumberedList } from '../../kernel/numbered-lists.ts'
import type { Credit, Refund } from './credit.ts'

const columns = `c.installer_id as "installerId", c.id, c.company_id as "companyId", c.reason, c.invoice_id as "invoiceId",
  c.installation_id as "installationId", c.currency, c.customer, c.amount, c.used, c.refunded,
  c.amount - c.used - c.refunded as remaining, c.version, c.created_at as "createdAt"`

// A credit is used by a few invoices and paid back in a few parts; what is shown of them is bounded all the same.
const mostParts = 100
const uses = (
  fields: string,
) => `(select coalesce(json_agg(json_build_object(${fields}) order by u.invoice_id), '[]')
    from (select * from credit_uses u where u.installer_id = c.installer_id and u.credit_id = c.id and u.released_at is null
      order by u.invoice_id limit ${mostParts}) u
      join invoices i on i.installer_id = u.installer_id and i.id = u.invoice_id)`
const refunds = (
  fields: string,
) => `(select coalesce(json_agg(json_build_object(${fields}) order by f.id), '[]')
    from (select * from credit_refunds f where f.installer_id = c.installer_id and f.credit_id = c.id
      order by f.id limit ${mostParts}) f)`

const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** As the catalogue API reads it. */
const record = `json_build_object('id', c.id, 'reason', c.reason, 'invoice_id', c.invoice_id, 'installation_id', c.installation_id,
    'customer', json_build_object('name', c.customer->'name', 'email', c.customer->'email', 'address', c.customer->'address'),
    'currency', c.currency, 'amount', c.amount, 'amount_used', c.used, 'amount_refunded', c.refunded,
    'amount_remaining', c.amount - c.used - c.refunded,
    'uses', ${uses(`'invoice_id', u.invoice_id, 'amount', u.amount`)},
    'refunds', ${refunds(`'id', f.id, 'amount', f.amount, 'method', f.method, 'reference', f.reference,
      'refunded_on', f.refunded_on, 'created_at', ${utc('f.at')}`)},
    'created_at', ${utc('c.created_at')})::text`

const insertStatement: Statement = {
  name: 'insert-credit',
  text: `with credit as (
      insert into credits (installer_id, id, company_id, invoice_id, installation_id, currency, customer, amount, created_at,
        actor_name, reason)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning company_id
    )
    insert into credit_counts as n (installer_id, company_id, credits, changes) select $1, company_id, 1, 1 from credit
    on conflict (installer_id, company_id) do update set credits = n.credits + 1, changes = n.changes + 1`,
}

export async function insertCredit(tx: Db, actor: Actor, credit: Credit): Promise<void> {
  const { installerId, id, companyId, invoiceId, installationId, currency, customer, amount, createdAt } =
    credit
  const who = [installerId, id, companyId, invoiceId, installationId, currency, JSON.stringify(customer)]
  await tx.query(insertStatement, [...who, amount, createdAt, actor.name, credit.reason])
}

const findStatement: Statement = {
  name: 'find-credit',
  text: `select ${columns} from credits c
    where c.installer_id = $1 and c.id = $2 and ($3::text is null or c.company_id = $3)`,
}

/** `companyId` confines to one company's; null sees the whole tenant's. */
export async function findCredit(
  db: Db,
  installerId: string,
  companyId: string | null,
  id: string,
): Promise<Credit | null> {
  if (!isId(id, 'cred')) return null
  const [row] = await db.query<Credit>(findStatement, [installerId, id, companyId])
  return row ?? null
}

const ofInvoiceStatement: Statement = {
  name: 'find-credit-of-invoice',
  text: `select ${columns} from credits c where c.installer_id = $1 and c.invoice_id = $2`,
}

/** The credit that an invoice became, or made. */
export async function findCreditOf(db: Db, installerId: string, invoiceId: string): Promise<Credit | null> {
  const [row] = await db.query<Credit>(ofInvoiceStatement, [installerId, invoiceId])
  return row ?? null
}

const readStatement: Statement = {
  name: 'read-credit',
  text: `select ${record} as record from credits c
    where c.installer_id = $1 and c.id = $2 and ($3::text is null or c.company_id = $3)`,
}

/** As the API reads it. */
export async function readCredit(
  db: Db,
  installerId: string,
  companyId: string | null,
  id: string,
): Promise<string | null> {
  if (!isId(id, 'cred')) return null
  const [row] = await db.query<{ record: string }>(readStatement, [installerId, id, companyId])
  return row?.record ?? null
}

/** Newest first. */
export const creditList: NumberedList = {
  table: 'credits',
  order: [{ name: 'id', type: 'text' }],
  listed: '',
  columns: 'l.*',
  json: 'c.record',
  found: '',
  joined: `join lateral (select ${record} as record from credits c where c.installer_id = $1 and c.id = r.id) c on true`,
  counts: { table: 'credit_counts', column: 'credits' },
}

export interface ListedCredit extends Credit {
  /** Of the invoice that it comes from. */
  number: string
  uses: { invoiceId: string; number: string | null; amount: Decimal }[]
  refunds: (Omit<Refund, 'at'> & { at: string })[]
}

/** Newest first, from behind one of them on. */
export function listCredits(
  db: Db,
  { installerId, companyId }: Reach,
  { left, words }: { left: boolean; words: SearchWords },
  after: string | null,
  limit: number,
): Promise<ListedCredit[]> {
  const values: unknown[] = [installerId, limit]
  const given = (value: unknown) => `$${values.push(value)}`
  const wanted = ['c.installer_id = $1']
  const shape: string[] = []
  if (companyId !== null) {
    shape.push('company')
    wanted.push(`c.company_id = ${given(companyId)}`)
  }
  if (left) {
    shape.push('left')
    wanted.push('c.amount > c.used + c.refunded')
  }
  if (after !== null) {
    shape.push('after')
    wanted.push(`c.id < ${given(after)}`)
  }
  if (words.length > 0) shape.push(`words${wordsShape(words)}`)
  for (const patterns of words)
    wanted.push(`(${patterns.map((pattern) => `c.search like ${given(pattern)}`).join(' or ')})`)
  const statement: Statement = {
    name: ['list-credits', ...shape].join('-by-'),
    text: `select ${columns}, origin.number,
        ${uses(`'invoiceId', u.invoice_id, 'number', i.number, 'amount', u.amount::text`)} as uses,
        ${refunds(`'id', f.id, 'amount', f.amount::text, 'method', f.method, 'reference', f.reference,
          'on', f.refunded_on, 'at', ${utc('f.at')}, 'by', f.actor_name`)} as refunds
      from (select * from credits c where ${wanted.join(' and ')} order by c.id desc limit $2) c
        join invoices origin on origin.installer_id = c.installer_id and origin.id = c.invoice_id
      order by c.id desc`,
  }
  return db.query<ListedCredit>(statement, values)
}

export interface CreditSum {
  currency: string
  remaining: Decimal
}

const sumStatement: Statement = {
  name: 'sum-credits',
  text: `select currency, sum(amount - used - refunded) as remaining from credits
    where installer_id = $1 and ($2::text is null or company_id = $2) and amount > used + refunded
    group by currency order by currency`,
}

/** What customers have left, in each currency. */
export function sumCredits(db: Db, { installerId, companyId }: Reach): Promise<CreditSum[]> {
  return db.query<CreditSum>(sumStatement, [installerId, companyId])
}

const refundStatement: Statement = {
  name: 'insert-credit-refund',
  text: `with refund as (
      insert into credit_refunds (installer_id, id, credit_id, amount, method, reference, refunded_on, at, actor_kind, actor_id,
        actor_name, request_key)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning credit_id, amount
    )
    update credits c set refunded = c.refunded + f.amount, version = c.version + 1 from refund f
    where c.installer_id = $1 and c.id = f.credit_id`,
}

export async function insertRefund(
  tx: Db,
  actor: Actor,
  { installerId, id: creditId }: Credit,
  { id, amount, method, reference, on, at }: Omit<Refund, 'by'>,
  requestKey: string | null,
): Promise<void> {
  const what = [installerId, id, creditId, amount, method, reference, on, at]
  await tx.query(refundStatement, [...what, actor.kind, actor.id, actor.name, requestKey])
}

const requestedStatement: Statement = {
  name: 'find-requested-refund',
  text: `select credit_id as "creditId", amount from credit_refunds where installer_id = $1 and request_key = $2`,
}

/** The refund that was noted by a call of this key. */
export async function findRequestedRefund(
  db: Db,
  installerId: string,
  requestKey: string,
): Promise<{ creditId: string; amount: Decimal } | null> {
  const [row] = await db.query<{ creditId: string; amount: Decimal }>(requestedStatement, [
    installerId,
    requestKey,
  ])
  return row ?? null
}

const eraseStatement: Statement = {
  name: 'erase-credits-of-invoices',
  text: `with erased as (
      update credits set erased = true, version = version + 1, customer = case when $3::text is null then customer
        else jsonb_build_object('name', $3::text, 'email', null, 'address', null) end
      where installer_id = $1 and invoice_id = any($2::text[]) and not erased
    )
    select id from credits where installer_id = $1 and invoice_id = any($2::text[])`,
}

/**
 * Credits of invoices whose customer is erased: the money stays to be paid back, and no invoice uses it any more. `name`
 * stands for the customer's, unless that is kept. Answers the ids of all of them.
 */
export async function eraseCredits(
  tx: Db,
  installerId: string,
  invoiceIds: readonly string[],
  name: string | null,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(eraseStatement, [installerId, invoiceIds, name])
  return rows.map(({ id }) => id)
}
