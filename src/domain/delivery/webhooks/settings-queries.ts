import type { Db, Statement } from '../../../platform/db.ts'
import { firstWaiting, isForIt } from './log-queries.ts'
import type { LastDelivery } from './webhook.ts'

/** What people decide about an endpoint. */
export interface WebhookSettings {
  url: string
  events: string[]
  description: string
}

const findStatement: Statement = {
  name: 'find-webhook-settings',
  text: `select url, events, description from webhooks where installer_id = $1 and id = $2`,
}

/** For whoever knows that it is there. */
export async function findSettings(tx: Db, installerId: string, id: string): Promise<WebhookSettings> {
  const [row] = await tx.query<WebhookSettings>(findStatement, [installerId, id])
  return row!
}

// Where nothing waits, it goes on from the log's end: what it was not told so far is not sent now that it asks for it.
const writeStatement: Statement = {
  name: 'write-webhook-settings',
  text: `update webhooks w set url = $3, events = $4, description = $5,
      place = case when ${firstWaiting} is null
        then coalesce((select c.messages from tenant_clocks c where c.installer_id = $1), w.place) else w.place end
    where w.installer_id = $1 and w.id = $2`,
}

/** For whoever holds the tenant's lock. */
export async function writeSettings(
  tx: Db,
  installerId: string,
  id: string,
  { url, events, description }: WebhookSettings,
): Promise<void> {
  await tx.query(writeStatement, [installerId, id, url, events, description])
}

/** An endpoint with what tells how it does. */
export interface WebhookHealth extends WebhookSettings {
  id: string
  companyId: string
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  createdAt: Date
  lastDelivery: LastDelivery | null
  /** The first failure after the last success. */
  failingSince: Date | null
  /** Until when the secret before the newest signs too. */
  previousSecretUntil: string | null
  /** Of the newest deliveries of the last day. */
  recent: number
  recentDelivered: number
  /** When what happened of which it is still to be told. */
  oldestWaitingAt: Date | null
  /** How many it is still to be told of, counted up to `countedAtMost`. */
  waiting: number
}

/** More would be counted for nothing. */
const countedAtMost = 1_000

// The newest of the log that was never sent to it, or the oldest that failed: each by its index.
const columns = `w.id, w.company_id as "companyId", w.url, w.description, w.events, w.status,
  w.disabled_reason as "disabledReason", w.created_at as "createdAt", w.last_delivery as "lastDelivery",
  w.failing_since as "failingSince", w.secrets -> 1 ->> 'expiresAt' as "previousSecretUntil",
  recent.count as recent, recent.delivered as "recentDelivered",
  least(
    (select d.event_at from webhook_deliveries d
      where d.installer_id = w.installer_id and d.webhook_id = w.id and d.state = 'due'
      order by d.event_at, d.event_ordinal limit 1),
    (select m.event_at from webhook_messages m where m.installer_id = w.installer_id and m.number = ${firstWaiting})
  ) as "oldestWaitingAt",
  least(${countedAtMost}, (select count(*)::int from (
      select from webhook_deliveries d
      where d.installer_id = w.installer_id and d.webhook_id = w.id and d.state = 'due' limit ${countedAtMost}) due)
    + (select count(*)::int from (
      select from webhook_messages m
      where m.installer_id = w.installer_id and m.number > w.place and ${isForIt} limit ${countedAtMost}) new)) as waiting`

const recent = `cross join lateral (
    select count(*)::int as count, (count(*) filter (where state = 'delivered'))::int as delivered from (
      select d.state from webhook_deliveries d
      where d.installer_id = w.installer_id and d.webhook_id = w.id and d.event_at >= $2
      order by d.event_at desc, d.event_ordinal desc limit ${countedAtMost}
    ) newest
  ) recent`

const readStatement: Statement = {
  name: 'read-webhook-health',
  text: `select ${columns} from webhooks w ${recent} where w.installer_id = $1 and w.id = $3`,
}

/** For whoever knows that it is there. */
export async function readHealth(
  db: Db,
  installerId: string,
  id: string,
  since: Date,
): Promise<WebhookHealth> {
  const [row] = await db.query<WebhookHealth>(readStatement, [installerId, since, id])
  return row!
}

const listed = 'w.deleted_at is null and w.id > $3 order by w.id limit $4'
const ofTenant: Statement = {
  name: 'webhook-healths-of-tenant',
  text: `select ${columns} from webhooks w ${recent} where w.installer_id = $1 and ${listed}`,
}
const ofCompany: Statement = {
  name: 'webhook-healths-of-company',
  text: `select ${columns} from webhooks w ${recent} where w.installer_id = $1 and w.company_id = $5 and ${listed}`,
}

/** The oldest first, after an id. */
export function listHealths(
  db: Db,
  installerId: string,
  companyId: string | null,
  since: Date,
  after: string,
  limit: number,
): Promise<WebhookHealth[]> {
  const values = [installerId, since, after, limit]
  return companyId === null
    ? db.query<WebhookHealth>(ofTenant, values)
    : db.query<WebhookHealth>(ofCompany, [...values, companyId])
}
