import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { isoText } from '../../../platform/sql/iso-text.ts'
import {
  boolean,
  decimal,
  instant,
  integer,
  json,
  type Row,
  row,
  select,
  text,
} from '../../../platform/sql/row.ts'
import { type Fragment, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one, run } from '../../../platform/sql/statements.ts'
import { holds, type SearchWords } from '../../deals/leads/search-words.ts'
import type { Actor, Scope } from '../../kernel/context.ts'
import type { Decimal } from '../../kernel/money.ts'
import { numberedList } from '../../kernel/numbered-lists.ts'
import type { Credit, Refund } from './credit.ts'

const credit = row<Credit>({
  installerId: text,
  id: text,
  companyId: text,
  reason: text,
  invoiceId: text,
  installationId: text,
  currency: text,
  customer: json,
  amount: decimal,
  used: decimal,
  refunded: decimal,
  remaining: decimal,
  version: integer,
  createdAt: instant,
})
const remaining = sql`c.amount - c.used - c.refunded`
const columns = select(credit, 'c', { remaining })

// A credit is used by a few invoices and paid back in a few parts; what is shown of them is bounded all the same.
const maxParts = 100
const uses = (
  fields: Fragment,
) => sql`(select coalesce(json_agg(json_build_object(${fields}) order by u.invoice_id), '[]')
    from (select * from credit_uses u where u.installer_id = c.installer_id and u.credit_id = c.id and u.released_at is null
      order by u.invoice_id limit ${raw(maxParts)}) u
      join invoices i on i.installer_id = u.installer_id and i.id = u.invoice_id)`
const refunds = (
  fields: Fragment,
) => sql`(select coalesce(json_agg(json_build_object(${fields}) order by f.id), '[]')
    from (select * from credit_refunds f where f.installer_id = c.installer_id and f.credit_id = c.id
      order by f.id limit ${raw(maxParts)}) f)`

/** As the catalogue API reads it. */
const record = sql`json_build_object('id', c.id, 'reason', c.reason, 'invoice_id', c.invoice_id, 'installation_id', c.installation_id,
    'customer', json_build_object('name', c.customer->'name', 'email', c.customer->'email', 'address', c.customer->'address'),
    'currency', c.currency, 'amount', c.amount, 'amount_used', c.used, 'amount_refunded', c.refunded,
    'amount_remaining', ${remaining},
    'uses', ${uses(sql`'invoice_id', u.invoice_id, 'amount', u.amount`)},
    'refunds', ${refunds(sql`'id', f.id, 'amount', f.amount, 'method', f.method, 'reference', f.reference,
      'refunded_on', f.refunded_on, 'created_at', ${isoText('f.at')}`)},
    'created_at', ${isoText('c.created_at')})::text`

type NewCredit = Omit<Credit, 'customer'> & { customer: string; actorName: string }

const insertWritten = run(
  ($: Params<NewCredit>) => sql`with credit as (
      insert into credits (installer_id, id, company_id, invoice_id, installation_id, currency, customer, amount,
        created_at, actor_name, reason)
      values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.invoiceId}, ${$.installationId}, ${$.currency},
        ${$.customer}, ${$.amount}, ${$.createdAt}, ${$.actorName}, ${$.reason}) returning company_id
    )
    insert into credit_counts as n (installer_id, company_id, credits, changes)
    select ${$.installerId}, company_id, 1, 1 from credit
    on conflict (installer_id, company_id) do update set credits = n.credits + 1, changes = n.changes + 1`,
)

export const insertCredit = (tx: Db, actor: Actor, one: Credit): Promise<void> =>
  insertWritten(tx, { ...one, customer: JSON.stringify(one.customer), actorName: actor.name })

/** One of a tenant's, or of one company's. */
type Named = Pick<Scope, 'installerId' | 'companyId'> & { id: string }
const isNamed = ($: Params<Named>) => sql`c.installer_id = ${$.installerId} and c.id = ${$.id}
  and (${$.companyId}::text is null or c.company_id = ${$.companyId})`

const creditById = maybeOne(
  credit,
  ($: Params<Named>) => sql`select ${columns} from credits c where ${isNamed($)}`,
)

/** `companyId` confines to one company's; null sees the whole tenant's. */
export async function findCredit(db: Db, named: Named): Promise<Credit | null> {
  return isId(named.id, 'cred') ? creditById(db, named) : null
}

/** The credit that an invoice became, or made. */
export const findCreditOf = maybeOne(
  credit,
  ($: Params<{ installerId: string; invoiceId: string }>) => sql`
    select ${columns} from credits c where c.installer_id = ${$.installerId} and c.invoice_id = ${$.invoiceId}`,
)

const recordById = maybeOne(
  row<{ record: string }>({ record: text }),
  ($: Params<Named>) => sql`select ${record} as record from credits c where ${isNamed($)}`,
)

/** As the API reads it. */
export async function readCredit(db: Db, named: Named): Promise<string | null> {
  return isId(named.id, 'cred') ? ((await recordById(db, named))?.record ?? null) : null
}

/** Newest first. */
export const creditList = numberedList(({ installerId }) => ({
  table: 'credits',
  order: { id: text },
  filters: [],
  columns: sql`l.*`,
  json: sql`c.record`,
  joined: sql`join lateral (
      select ${record} as record from credits c where c.installer_id = ${installerId} and c.id = r.id offset 0
    ) c on true`,
  counts: { table: 'credit_counts', column: 'credits' },
}))

export interface ListedCredit extends Credit {
  /** Of the invoice that it comes from. */
  number: string
  uses: { invoiceId: string; number: string | null; amount: Decimal }[]
  refunds: (Omit<Refund, 'at'> & { at: string })[]
}

interface Wanted extends Pick<Scope, 'installerId' | 'companyId'> {
  /** Only those of which something is left. */
  left: boolean
  words: SearchWords
  after: string | null
  limit: number
}

const listedCredit: Row<ListedCredit> = {
  columns: { ...credit.columns, number: text, uses: json, refunds: json },
}

/** So many of the newest are looked through for words, before all that hold them are found. */
const lookedThrough = 2_000

const isAlong = ($: Params<Wanted>) => sql`c.installer_id = ${$.installerId}
  ${when($.companyId, sql`and c.company_id = ${$.companyId}`)} ${when($.left, sql`and c.amount > c.used + c.refunded`)}
  ${when($.after, sql`and c.id < ${$.after}`)}`

const pageOfCredits = many(listedCredit, ($: Params<Wanted & { way: 'order' | 'first' | 'words' }>) => {
  const shown = {
    remaining,
    number: sql`origin.number`,
    uses: uses(sql`'invoiceId', u.invoice_id, 'number', i.number, 'amount', u.amount::text`),
    refunds: refunds(sql`'id', f.id, 'amount', f.amount::text, 'method', f.method, 'reference', f.reference,
      'on', f.refunded_on, 'at', ${isoText('f.at')}, 'by', f.actor_name`),
  }
  return sql`select ${select(listedCredit, 'c', shown)}
    from (
      select * from ${pick($.way, {
        order: sql`credits c where ${isAlong($)}`,
        first: sql`(select * from credits c where ${isAlong($)} order by c.id desc limit ${raw(lookedThrough)}) c
          where true ${holds(sql`c.search`, $.words)}`,
        words: sql`(select * from credits c where c.installer_id = ${$.installerId} ${holds(sql`c.search`, $.words)} offset 0) c
          where ${isAlong($)}`,
      })}
      order by c.id desc limit ${$.limit}
    ) c cross join lateral (
      select o.number from invoices o where o.installer_id = ${$.installerId} and o.id = c.invoice_id offset 0
    ) origin
    order by c.id desc`
})

/** Whether there are more than are looked through. */
const goesOn = one(
  row<{ further: boolean }>({ further: boolean }),
  ($: Params<Wanted>) => sql`select exists (
      select from credits c where ${isAlong($)} order by c.id desc offset ${raw(lookedThrough)}) as further`,
)

/** Newest first, from behind one of them on. */
export async function listCredits(db: Db, wanted: Wanted): Promise<ListedCredit[]> {
  if (wanted.words.length === 0) return pageOfCredits(db, { ...wanted, way: 'order' })
  const found = await pageOfCredits(db, { ...wanted, way: 'first' })
  if (found.length === wanted.limit || !(await goesOn(db, wanted)).further) return found
  return pageOfCredits(db, { ...wanted, way: 'words' })
}

export interface CreditSum {
  currency: string
  remaining: Decimal
}

/** What customers have left, in each currency. */
export const sumCredits = many(
  row<CreditSum>({ currency: text, remaining: decimal }),
  ($: Params<Pick<Scope, 'installerId' | 'companyId'>>) => sql`
    select currency, sum(amount - used - refunded) as remaining from credits
    where installer_id = ${$.installerId} ${when($.companyId, sql`and company_id = ${$.companyId}`)}
      and amount > used + refunded
    group by currency order by currency`,
)

interface NewRefund extends Refund {
  installerId: string
  creditId: string
  actorKind: string
  actorId: string | null
  requestKey: string | null
}

export const insertRefund = run(
  ($: Params<NewRefund>) => sql`with refund as (
      insert into credit_refunds (installer_id, id, credit_id, amount, method, reference, refunded_on, at, actor_kind,
        actor_id, actor_name, request_key)
      values (${$.installerId}, ${$.id}, ${$.creditId}, ${$.amount}, ${$.method}, ${$.reference}, ${$.on}, ${$.at},
        ${$.actorKind}, ${$.actorId}, ${$.by}, ${$.requestKey}) returning credit_id, amount
    )
    update credits c set refunded = c.refunded + f.amount, version = c.version + 1 from refund f
    where c.installer_id = ${$.installerId} and c.id = f.credit_id`,
)

/** The refund that was noted by a call of this key. */
export const findRequestedRefund = maybeOne(
  row<{ creditId: string; amount: Decimal }>({ creditId: text, amount: decimal }),
  ($: Params<{ installerId: string; requestKey: string }>) => sql`
    select credit_id as "creditId", amount from credit_refunds
    where installer_id = ${$.installerId} and request_key = ${$.requestKey}`,
)

/**
 * Credits of invoices whose customer is erased: the money stays to be paid back, and no invoice uses it any more. `name`
 * stands for the customer's, unless that is kept. Answers the ids of all of them.
 */
export const eraseCredits = many(
  row<{ id: string }>({ id: text }),
  (
    $: Params<{ installerId: string; invoiceIds: readonly string[]; name: string | null }>,
  ) => sql`with erased as (
      update credits set erased = true, version = version + 1, customer = case when ${$.name}::text is null then customer
        else jsonb_build_object('name', ${$.name}::text, 'email', null, 'address', null) end
      where installer_id = ${$.installerId} and invoice_id = any(${$.invoiceIds}::text[]) and not erased
    )
    select id from credits where installer_id = ${$.installerId} and invoice_id = any(${$.invoiceIds}::text[])`,
)
