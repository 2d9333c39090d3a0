import { inOrder } from '../../../platform/sql/gather.ts'
import { boolean, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one, run } from '../../../platform/sql/statements.ts'
import type { Position } from '../../journal/events/event-id.ts'
import { countMoved, held, isCounted } from './delivery-counts.ts'

interface Endpoint {
  installerId: string
  webhookId: string
}

// As if it was handed out now: the schedule starts again.
const again = ($: Params<{ now: Date }>) =>
  sql`previous_state = state, state = 'due', tries = 0, next_attempt_at = ${$.now}`
const isTo = ($: Params<Endpoint>) => sql`installer_id = ${$.installerId} and webhook_id = ${$.webhookId}`
const idRow = row<{ id: string }>({ id: text })

/** Answers the delivery, which now is due, where there is such a one. */
export const redeliverOne = maybeOne(
  idRow,
  ($: Params<Endpoint & { now: Date; id: string }>) => sql`with ${held($)}, done as (
      update webhook_deliveries d set ${again($)} from held where ${isTo($)} and d.id = ${$.id}
      returning d.id, d.previous_state, d.state
    ), counted as (
      ${countMoved($, 'done')}
    )
    select id from done`,
)

export interface RedeliveredBatch {
  count: number
  at: Date
  ordinal: number
}

/** Has the next deliveries of events after a place in the log, and before a time, sent again. */
export const redeliverRange = one(
  row<RedeliveredBatch>({ count: integer, at: instant, ordinal: integer }),
  (
    $: Params<Endpoint & Position & { now: Date; until: Date; limit: number }>,
  ) => sql`with ${held($)}, batch as (
      select id, event_at, event_ordinal from webhook_deliveries
      where ${isTo($)} and (event_at, event_ordinal) > (${$.at}::timestamptz, ${$.ordinal}::smallint)
        and event_at < ${$.until}
      order by event_at, event_ordinal limit ${$.limit}
    ), done as (
      update webhook_deliveries d set ${again($)} from held, batch b
      where d.installer_id = ${$.installerId} and d.webhook_id = ${$.webhookId} and d.id = b.id
      returning d.previous_state, d.state
    ), counted as (
      ${countMoved($, 'done')}
    )
    select count(*) as count, max(event_at) as at,
      (select event_ordinal from batch order by event_at desc, event_ordinal desc limit 1) as ordinal
    from batch`,
)

/** Has what waits for a later attempt tried now. Some thousands are enough: the others come by their own schedule. */
export const bringForward = run(
  ($: Params<Endpoint & { now: Date }>) => sql`with ${held($)}
    update webhook_deliveries d set next_attempt_at = ${$.now} from held where ${isTo($)} and d.id in (
      select id from webhook_deliveries where ${isTo($)} and state = 'due' and next_attempt_at > ${$.now}
      order by next_attempt_at, event_at, event_ordinal limit 5000)`,
)

interface SweptWebhook {
  installerId: string
  id: string
  deletedAt: Date | null
  disabled: boolean
  isCounted: boolean
}

const sweptWebhook = row<SweptWebhook>({
  installerId: text,
  id: text,
  deletedAt: instant,
  disabled: boolean,
  isCounted: boolean,
})

export const listAllWebhooks = many(
  sweptWebhook,
  () => sql`
    select ${select(sweptWebhook, 'w', {
      disabled: sql`w.status = 'disabled'`,
      isCounted: sql`coalesce(${isCounted}, false)`,
    })} from webhooks w order by w.installer_id, w.id`,
  { across: 'all endpoints are swept up after, each as its tenant’s', gather: inOrder('installerId', 'id') },
)

/**
 * Removes old deliveries with their attempts; those that are due only with `dueToo`. Where there are none, nobody is waited
 * for. As an array their ids are looked up by the key: joined, all deliveries could be read. Answers whether there may be
 * more: some of those that were found may be gone by now, or sent again.
 */
export const deleteDeliveries = one(
  row<{ more: boolean }>({ more: boolean }),
  ($: Params<Endpoint & { before: Date; dueToo: boolean; limit: number }>) => sql`with old as materialized (
      select id from webhook_deliveries where ${isTo($)} and event_at < ${$.before}
        and next_attempt_at < ${$.before} and (state <> 'due' or ${$.dueToo}) order by event_at limit ${$.limit}
    ), ${held($, sql`and exists (select from old)`)}, gone as (
      delete from webhook_deliveries d using held where ${isTo($)} and d.id = any(array(select id from old))
        and (d.state <> 'due' or ${$.dueToo})
      returning d.state as previous_state, null::text as state
    ), counted as (
      ${countMoved($, 'gone')}
    )
    select count(*) > 0 and (select count(*) from old) = ${$.limit} as more from gone`,
)

const tenant = row<{ installerId: string }>({ installerId: text })

/** Every tenant that has messages of before. */
export const listTenants = many(
  tenant,
  ($: Params<{ before: Date }>) => sql`
    select ${select(tenant)} from tenant_clocks c where exists (
      select from webhook_messages m where m.installer_id = c.installer_id and m.event_at < ${$.before})`,
  { across: 'whose messages are to be swept up' },
)

/**
 * Removes the oldest messages that no delivery holds any more, and that nobody has still to be sent, and says how far the
 * feed has gone.
 */
export const deleteMessages = one(
  row<{ count: number }>({ count: integer }),
  ($: Params<{ installerId: string; before: Date; limit: number }>) => sql`with old as (
      select m.event_at, m.event_ordinal, m.for_dealer from webhook_messages m
      where m.installer_id = ${$.installerId} and m.event_at < ${$.before}
        and (m.number is null or m.number <= all (
          select w.place from webhooks w where w.installer_id = ${$.installerId} and w.status = 'enabled'))
        and (select true from webhooks w where w.installer_id = ${$.installerId} and (
          select true from webhook_deliveries d where d.installer_id = ${$.installerId} and d.webhook_id = w.id
            and d.event_at = m.event_at and d.event_ordinal = m.event_ordinal limit 1) limit 1) is null
      order by m.event_at, m.event_ordinal limit ${$.limit}
    ), gone as (
      delete from webhook_messages m using old
      where m.installer_id = ${$.installerId} and m.event_at = old.event_at and m.event_ordinal = old.event_ordinal
        and m.for_dealer = old.for_dealer
      returning m.event_at, m.head is not null as was_in_feed
    ), marked as (
      update tenant_clocks c set events_gone = greatest(c.events_gone, f.event_at)
      from (select max(event_at) as event_at from gone where was_in_feed) f
      where c.installer_id = ${$.installerId} and f.event_at is not null
    )
    select count(*)::int as count from gone`,
)

/** Not while there are deliveries: without their endpoint nobody would find them. */
export const deleteWebhookRow = run(
  ($: Params<{ installerId: string; id: string }>) => sql`
    delete from webhooks w where installer_id = ${$.installerId} and id = ${$.id} and not exists (
      select from webhook_deliveries d where d.installer_id = ${$.installerId} and d.webhook_id = w.id)`,
)
