import type { Db } from '../../../platform/db.ts'
import { instant, integer, json, type Row, row, select, text } from '../../../platform/sql/row.ts'
import { empty, type Params, pick, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne } from '../../../platform/sql/statements.ts'
import type { Position } from '../../journal/events/event-id.ts'
import type { Attempt } from './webhook.ts'

export const deliveryStates = ['due', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** What was sent to an endpoint, or is to be sent again. */
export interface Delivery extends Position {
  id: string
  type: string
  state: DeliveryState
  nextAttemptAt: Date | null
  attempts: Attempt[]
}

const delivery = row<Delivery>({
  id: text,
  type: text,
  state: text,
  at: instant,
  ordinal: integer,
  nextAttemptAt: instant,
  attempts: json,
})
const computed = {
  at: sql`d.event_at`,
  ordinal: sql`d.event_ordinal`,
  nextAttemptAt: sql`case when d.state = 'due' then d.next_attempt_at end`,
}

// The state stands in the text: by a parameter the index of what is not delivered would not be used.
const states = {
  any: empty,
  due: sql`and d.state = 'due'`,
  delivered: sql`and d.state = 'delivered'`,
  failed: sql`and d.state = 'failed'`,
}

interface Wanted extends Position {
  installerId: string
  webhookId: string
  state: keyof typeof states
  limit: number
}

const pageOfDeliveries = many(
  delivery,
  ($: Params<Wanted>) => sql`
    select ${select(delivery, 'd', computed)} from webhook_deliveries d
    where d.installer_id = ${$.installerId} and d.webhook_id = ${$.webhookId}
      and (d.event_at, d.event_ordinal) < (${$.at}, ${$.ordinal}::smallint) ${pick($.state, states)}
    order by d.event_at desc, d.event_ordinal desc limit ${$.limit}`,
)

const end: Position = { at: new Date('9999-01-01T00:00:00Z'), ordinal: 0 }

/** The newest event first; those before a place where it is given. */
export function listSent(
  db: Db,
  wanted: { installerId: string; webhookId: string; state: DeliveryState | null; limit: number },
  before: Position | null,
): Promise<Delivery[]> {
  const { at, ordinal } = before ?? end
  return pageOfDeliveries(db, { ...wanted, state: wanted.state ?? 'any', at, ordinal })
}

const whole: Row<Delivery & { body: string | null }> = { columns: { ...delivery.columns, body: text } }

/** With the bytes that are sent. */
export const findSent = maybeOne(
  whole,
  ($: Params<{ installerId: string; webhookId: string; id: string }>) => sql`
    select ${select(whole, 'd', { ...computed, body: sql`m.body` })}
    from webhook_deliveries d left join webhook_messages m
      on m.installer_id = d.installer_id and m.event_at = d.event_at and m.event_ordinal = d.event_ordinal
        and m.for_dealer = d.for_dealer
    where d.installer_id = ${$.installerId} and d.webhook_id = ${$.webhookId} and d.id = ${$.id}`,
)
