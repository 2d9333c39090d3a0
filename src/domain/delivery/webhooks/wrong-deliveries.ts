import type { Db } from '../../../platform/db.ts'
import { instant, integer, row, text } from '../../../platform/sql/row.ts'
import { empty, type Params, pick, sql } from '../../../platform/sql/sql.ts'
import { many, one } from '../../../platform/sql/statements.ts'
import { isCounted } from './delivery-counts.ts'
import { type DeliveryState, deliveryStates } from './sent-queries.ts'

type Counts = Record<DeliveryState, number>

const keptOfEach = many(
  row<Counts & { webhookId: string }>({ webhookId: text, due: integer, delivered: integer, failed: integer }),
  ($: Params<{ installerId: string }>) => sql`
    select w.id as "webhookId", w.deliveries_due as due, w.deliveries_delivered as delivered, w.deliveries_failed as failed
    from webhooks w where w.installer_id = ${$.installerId} and ${isCounted} order by w.id`,
)

interface Wanted {
  installerId: string
  webhookId: string
  state: 'any' | 'due' | 'failed'
  after: Date
  limit: number
}

// All, and the few that are not delivered: each can be counted from an index alone.
const countNext = one(
  row<{ count: number; until: Date | null }>({ count: integer, until: instant }),
  ($: Params<Wanted>) => {
    const next = sql`from webhook_deliveries d
      where d.installer_id = ${$.installerId} and d.webhook_id = ${$.webhookId} and d.event_at > ${$.after} ${pick(
        $.state,
        { any: empty, due: sql`and d.state = 'due'`, failed: sql`and d.state = 'failed'` },
      )}`
    return sql`with until as materialized (
        select d.event_at as at ${next} order by d.event_at offset ${$.limit} limit 1
      )
      select (select at from until) as until,
        (select count(*)::int ${next} and d.event_at <= coalesce((select at from until), 'infinity')) as count`
  },
)

/** So many are counted by one statement, however many there are. */
const limit = 10_000

interface To {
  installerId: string
  webhookId: string
}

async function countAll(tx: Db, to: To, state: Wanted['state'], signal?: AbortSignal): Promise<number> {
  let total = 0
  for (let after: Date | null = new Date(0); after; ) {
    signal?.throwIfAborted()
    const next: { count: number; until: Date | null } = await countNext(tx, { ...to, state, after, limit })
    total += next.count
    after = next.until
  }
  return total
}

export interface WrongDeliveries {
  webhookId: string
  kept: string
  counted: string
}

const told = (counts: Counts) => deliveryStates.map((state) => `${counts[state]} ${state}`).join(' ')

/**
 * A tenant's endpoints whose kept counts are taken for right and are not, by one snapshot: what is written while it is gone through
 * would show as wrong.
 */
export async function listWrongDeliveries(
  tx: Db,
  installerId: string,
  signal?: AbortSignal,
): Promise<WrongDeliveries[]> {
  const wrong: WrongDeliveries[] = []
  for (const { webhookId, ...counts } of await keptOfEach(tx, { installerId })) {
    const to = { installerId, webhookId }
    const due = await countAll(tx, to, 'due', signal)
    const failed = await countAll(tx, to, 'failed', signal)
    const delivered = (await countAll(tx, to, 'any', signal)) - due - failed
    const [kept, counted] = [told(counts), told({ due, delivered, failed })]
    if (kept !== counted) wrong.push({ webhookId, kept, counted })
  }
  return wrong
}
