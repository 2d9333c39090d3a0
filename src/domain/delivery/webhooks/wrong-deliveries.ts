import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, row, text } from '../../../platform/sql/row.ts'
import { empty, join, type Params, pick, raw, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one } from '../../../platform/sql/statements.ts'
import { counted, isCounted } from './delivery-counts.ts'
import { type DeliveryState, deliveryStates } from './sent-queries.ts'

/** So many of an endpoint are counted by one statement, however many there are. */
const limit = 5_000

interface To {
  installerId: string
  webhookId: string
}

type Counts = Record<DeliveryState, number>

/** How many are kept of an endpoint, and how many there are. */
export interface WrongDeliveries {
  webhookId: string
  kept: string
  counted: string
}

const ofEach = (of: string) => join(deliveryStates.map((state) => raw(`${of}${state}`)))
const inWords = (of: string) => join(deliveryStates.map((state) => raw(`${of}${state}, '${state}'`)))

// Those of many come too, right or not, and are counted no further here.
const seemingWrong = many(
  row<WrongDeliveries & { isMany: boolean }>({
    ...{ webhookId: text, kept: text, counted: text, isMany: boolean },
  }),
  ($: Params<{ installerId: string }>) => sql`
    select w.id as "webhookId", concat_ws(' ', ${inWords('w.deliveries_')}) as kept,
      concat_ws(' ', ${inWords('c.')}) as counted, many.are as "isMany"
    from webhooks w cross join lateral (
      select count(*) > ${raw(limit)} as are from (
        select from webhook_deliveries d where d.installer_id = ${$.installerId} and d.webhook_id = w.id
        order by d.event_at limit ${raw(limit)} + 1) first
    ) many left join lateral (
      select * from ${counted(sql`${$.installerId}`, raw('w.id'))} n where not many.are offset 0
    ) c on true
    where w.installer_id = ${$.installerId} and ${isCounted}
      and (many.are or (${ofEach('w.deliveries_')}) <> (${ofEach('c.')}))
    order by w.id`,
)

const keptOf = maybeOne(
  row<Counts>({ due: integer, delivered: integer, failed: integer }),
  ($: Params<To>) => sql`
    select w.deliveries_due as due, w.deliveries_delivered as delivered, w.deliveries_failed as failed
    from webhooks w where w.installer_id = ${$.installerId} and w.id = ${$.webhookId} and ${isCounted}`,
)

interface Part extends To {
  state: 'any' | 'due' | 'failed'
  after: Date
}

const countNext = one(
  row<{ count: number; until: Date | null }>({ count: integer, until: instant }),
  ($: Params<Part>) => {
    const states = { any: empty, due: sql`and d.state = 'due'`, failed: sql`and d.state = 'failed'` }
    const next = sql`from webhook_deliveries d where d.installer_id = ${$.installerId} and d.webhook_id = ${$.webhookId}
        and d.event_at > ${$.after} ${pick($.state, states)}`
    return sql`with until as materialized (
        select d.event_at as at ${next} order by d.event_at offset ${raw(limit)} limit 1
      )
      select (select at from until) as until,
        (select count(*)::int ${next} and d.event_at <= coalesce((select at from until), 'infinity')) as count`
  },
)

async function countAll(tx: Db, part: Omit<Part, 'after'>, signal: AbortSignal | undefined): Promise<number> {
  let total = 0
  for (let after: Date | null = new Date(0); after; ) {
    signal?.throwIfAborted()
    const next: { count: number; until: Date | null } = await countNext(tx, { ...part, after })
    total += next.count
    after = next.until
  }
  return total
}

const told = (counts: Counts) => deliveryStates.map((state) => `${counts[state]} ${state}`).join(' ')

async function compare(tx: Db, to: To, signal?: AbortSignal): Promise<WrongDeliveries | null> {
  const found = await keptOf(tx, to)
  if (!found) return null
  const due = await countAll(tx, { ...to, state: 'due' }, signal)
  const failed = await countAll(tx, { ...to, state: 'failed' }, signal)
  const delivered = (await countAll(tx, { ...to, state: 'any' }, signal)) - due - failed
  const [kept, counted] = [told(found), told({ due, delivered, failed })]
  return kept === counted ? null : { webhookId: to.webhookId, kept, counted }
}

/** Runs what reads in several steps by one snapshot: what is written meanwhile would show as wrong. */
type Snapshot = <T>(read: (tx: Db) => Promise<T>) => Promise<T>

/** A tenant's endpoints whose kept counts are taken for right and are not: by one statement, and of many part by part. */
export async function listWrongDeliveries(
  db: Db,
  installerId: string,
  snapshot: Snapshot,
  signal?: AbortSignal,
): Promise<WrongDeliveries[]> {
  const wrong: WrongDeliveries[] = []
  for (const { isMany, ...seeming } of await seemingWrong(db, { installerId })) {
    const { webhookId } = seeming
    const found = isMany ? await snapshot((tx) => compare(tx, { installerId, webhookId }, signal)) : seeming
    if (found) wrong.push(found)
  }
  return wrong
}
