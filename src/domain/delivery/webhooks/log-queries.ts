import type { Db, Statement } from '../../../platform/db.ts'
import { compile } from '../../../platform/sql/sql.ts'
import { isToldOf } from '../../journal/events/messages.ts'
import { deliveryId } from './delivery-id.ts'
import { type Endpoint, type Outgoing, onFirstRow } from './delivery-queries.ts'

// What came later and was settled already is not sent again. With limit 1 each is looked up by its index: `exists` may be
// planned to read whole tables.
export const isForIt = `${compile(isToldOf, {}).text} and not w.not_told @> m.event_at
  and (select d.id from webhook_deliveries d where d.installer_id = w.installer_id and d.webhook_id = w.id
    and d.event_at = m.event_at and d.event_ordinal = m.event_ordinal limit 1) is null`

export const firstWaiting = `(select m.number from webhook_messages m
  where m.installer_id = w.installer_id and m.number > w.place and ${isForIt} order by m.number limit 1)`

const newStatement: Statement = {
  name: 'new-messages',
  text: `select ${onFirstRow('m.number', `'readTo', least(coalesce($3, w.place) + $4, c.messages), 'newest', c.messages`)} as head,
      m.number, m.event_at as at, m.event_ordinal as ordinal, m.for_dealer as "forDealer", m.type, m.body,
      m.subject_id as "subjectId"
    from webhooks w join tenant_clocks c on c.installer_id = w.installer_id
      left join webhook_messages m on m.installer_id = w.installer_id and m.number > coalesce($3, w.place)
        and m.number <= coalesce($3, w.place) + $4 and ${isForIt}
    where w.installer_id = $1 and w.id = $2 and w.status = 'enabled' order by m.number`,
}

type NewRow = Omit<Outgoing, 'id' | 'tries'> & {
  head: (Endpoint & { readTo: number; newest: number }) | null
}

export interface NewMessages {
  endpoint: Endpoint
  messages: Outgoing[]
  /** How far the log was looked through, and how far it goes. */
  readTo: number
  newest: number
}

/**
 * What an endpoint is told by the next `count` messages of the log after a place, its own where none is given; null
 * where it is not enabled.
 */
export async function listNew(
  db: Db,
  installerId: string,
  webhookId: string,
  after: number | null,
  count: number,
): Promise<NewMessages | null> {
  const rows = await db.query<NewRow>(newStatement, [installerId, webhookId, after, count])
  const [first] = rows
  if (!first) return null
  const { readTo, newest, ...endpoint } = first.head!
  const told = first.number === null ? [] : rows
  const messages = told.map(({ number, at, ordinal, forDealer, type, body, subjectId }) => {
    const id = deliveryId(webhookId, { at, ordinal })
    return { id, number, at, ordinal, forDealer, type, tries: 0, body, subjectId }
  })
  return { endpoint, messages, readTo, newest }
}

const wakeStatement: Statement = {
  name: 'wake-overdue-webhooks',
  text: `select queue_job('deliver', json_build_object('installerId', w.installer_id, 'webhookId', w.id), 'deliver:' || w.id)
    from webhooks w where w.status = 'enabled' and w.id <> all($2::text[]) and (${firstWaiting} is not null or exists (
      select from webhook_deliveries d
      where d.installer_id = w.installer_id and d.webhook_id = w.id and d.state = 'due' and d.next_attempt_at <= $1))`,
}

// Who hears of little in a tenant of much would look through all the rest each time, and keep it from being removed.
const movePlacesStatement: Statement = {
  name: 'move-places-of-idle-webhooks',
  text: `update webhooks w set place = greatest(w.place, c.messages) from tenant_clocks c
    where c.installer_id = w.installer_id and w.status = 'enabled' and w.place < c.messages
      and ${firstWaiting} is null`,
}

const wakeTenantsStatement: Statement = {
  name: 'wake-webhooks-behind',
  text: `select queue_job('hand-out-events', json_build_object('installerId', k.installer_id), 'hand-out:' || k.installer_id)
    from webhook_cursors k join tenant_clocks c on c.installer_id = k.installer_id and c.messages > k.woken`,
}

/** Lets endpoints for which nothing waits go on to the end of the log. */
export async function movePlaces(db: Db): Promise<void> {
  await db.query(movePlacesStatement, [])
}

/** Queues what should be under way and is not, apart from endpoints that are `awake`. */
export async function wakeOverdue(db: Db, overdueSince: Date, awake: readonly string[]): Promise<void> {
  await db.query(wakeStatement, [overdueSince.toISOString(), awake])
  await db.query(wakeTenantsStatement, [])
}
