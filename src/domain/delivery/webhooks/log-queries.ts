import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, json, row, select, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import { eventId } from '../../journal/events/event-id.ts'
import { isSubscribed } from '../../journal/events/messages.ts'
import { severalHeld } from './delivery-counts.ts'
import { type Endpoint, type Outgoing, onFirstRow } from './delivery-queries.ts'

// What came later and was settled already is not sent again. With limit 1 each is looked up by its index: `exists` may be
// planned to read whole tables.
export const isForWebhook = sql`${isSubscribed} and not w.not_told @> m.event_at
  and (select d.id from webhook_deliveries d where d.installer_id = w.installer_id and d.webhook_id = w.id
    and d.event_at = m.event_at and d.event_ordinal = m.event_ordinal limit 1) is null`

// Put in order before it is asked whether each was settled: else that may be asked of all that wait, each time.
const firstAfter = (place: Fragment) => sql`(select m.number from (
    select * from webhook_messages n where n.installer_id = w.installer_id and n.number > ${place} order by n.number
  ) m where ${isForWebhook} limit 1)`
export const firstWaiting = firstAfter(sql`w.place`)

type NewRow = Omit<Outgoing, 'id' | 'tries' | 'takenAtMs'> & {
  head: (Endpoint & { readTo: number; newest: number }) | null
}

const newRow = row<NewRow>({
  head: json,
  number: integer,
  at: instant,
  ordinal: integer,
  forDealer: boolean,
  type: text,
  subjectId: text,
  body: text,
})

interface Wanted {
  installerId: string
  webhookId: string
  after: number | null
  count: number
}

// Begins with the first that is for it, however many are not: who hears of little in a tenant of much has few of them. It is
// looked for once: `offset 0` keeps it from being copied to where it is used.
const newMessages = many(newRow, ($: Params<Wanted>) => {
  const more = sql`, 'readTo', least(coalesce(first.number - 1 + ${$.count}, c.messages), c.messages), 'newest', c.messages`
  return sql`select ${select(newRow, 'm', {
    head: onFirstRow(sql`m.number`, more),
    at: sql`m.event_at`,
    ordinal: sql`m.event_ordinal`,
  })}
    from webhooks w join tenant_clocks c on c.installer_id = w.installer_id
      cross join lateral (select ${firstAfter(sql`coalesce(${$.after}, w.place)`)} as number offset 0) first
      left join webhook_messages m on m.installer_id = w.installer_id and m.number >= first.number
        and m.number < first.number + ${$.count} and ${isForWebhook}
    where w.installer_id = ${$.installerId} and w.id = ${$.webhookId} and w.status = 'enabled' order by m.number`
})

export interface NewMessages {
  endpoint: Endpoint
  messages: Outgoing[]
  /** How far the log was looked through, and how far it goes. */
  readTo: number
  newest: number
}

/**
 * What an endpoint is told by `count` messages of the log from the first that is for it after a place, its own where none is
 * given; null where it is not enabled.
 */
export async function listNew(db: Db, wanted: Wanted): Promise<NewMessages | null> {
  const rows = await newMessages(db, wanted)
  const [first] = rows
  if (!first) return null
  const { readTo, newest, ...endpoint } = first.head!
  const found = first.number === null ? [] : rows
  const messages = found.map(({ number, at, ordinal, forDealer, type, body, subjectId }) => {
    const id = eventId(wanted.installerId, { at, ordinal })
    return { id, number, at, ordinal, forDealer, type, tries: 0, body, subjectId }
  })
  return { endpoint, messages, readTo, newest }
}

const across = 'once a minute, whose endpoints should be under way and are not'

const wakeEndpoints = run(
  ($: Params<{ overdueSince: Date; awake: readonly string[] }>) => sql`
    select queue_job('deliver', json_build_object('installerId', w.installer_id, 'webhookId', w.id), 'deliver:' || w.id)
    from webhooks w where w.status = 'enabled' and w.id <> all(${$.awake}::text[])
      and (${firstWaiting} is not null or exists (
        select from webhook_deliveries d where d.installer_id = w.installer_id and d.webhook_id = w.id
          and d.state = 'due' and d.next_attempt_at <= ${$.overdueSince}))`,
  { across },
)

const wakeTenants = run(
  () => sql`
    select queue_job('dispatch-events', json_build_object('installerId', k.installer_id), 'dispatch:' || k.installer_id)
    from webhook_cursors k join tenant_clocks c on c.installer_id = k.installer_id and c.messages > k.woken`,
  { across },
)

const tenant = row<{ installerId: string }>({ installerId: text })
const isIdle = sql`w.deleted_at is null and w.place < c.messages and ${firstWaiting} is null`

const findIdle = many(
  tenant,
  () => sql`
    select distinct ${select(tenant, 'w')} from webhooks w join tenant_clocks c on c.installer_id = w.installer_id
    where ${isIdle}`,
  { across: 'whose endpoints have nothing to wait for' },
)

// Those that wait for something are not held for this.
const moveIdle = run(
  ($: Params<{ installerId: string }>) => sql`with ${severalHeld(
    $,
    sql`and exists (select from tenant_clocks c where c.installer_id = ${$.installerId} and ${isIdle})`,
  )}
    update webhooks w set place = greatest(w.place, c.messages) from tenant_clocks c cross join held
    where w.id = held.id and w.installer_id = ${$.installerId} and c.installer_id = ${$.installerId}`,
)

/**
 * Lets endpoints for which nothing waits go on to the end of the log. Who hears of little in a tenant of much would look
 * through all the rest each time, and keep it from being removed. A tenant that fails keeps no others waiting.
 */
export async function movePlaces(db: Db): Promise<void> {
  const failures: unknown[] = []
  for (const { installerId } of await findIdle(db, {}))
    await moveIdle(db, { installerId }).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Queues what should be under way and is not, apart from endpoints that are `awake`. */
export async function wakeOverdue(db: Db, overdueSince: Date, awake: readonly string[]): Promise<void> {
  await wakeEndpoints(db, { overdueSince, awake })
  await wakeTenants(db, {})
}
