import { instant, integer, json, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import { firstWaiting, isForWebhook } from './log-queries.ts'
import type { LastDelivery } from './webhook.ts'

/** What people decide about an endpoint. */
export interface WebhookSettings {
  url: string
  events: string[]
  description: string
}

const settings = row<WebhookSettings>({ url: text, events: texts, description: text })

/** For whoever knows that it is there. */
export const findSettings = one(
  settings,
  ($: Params<{ installerId: string; id: string }>) => sql`
    select ${select(settings)} from webhooks where installer_id = ${$.installerId} and id = ${$.id}`,
)

/**
 * For whoever holds the tenant's lock. Where nothing waits, it goes on from the log's end: what it was not told so far is
 * not sent now that it asks for it.
 */
export const writeSettings = run(
  ($: Params<WebhookSettings & { installerId: string; id: string }>) => sql`
    update webhooks w set url = ${$.url}, events = ${$.events}, description = ${$.description},
      place = case when ${firstWaiting} is null
        then coalesce((select c.messages from tenant_clocks c where c.installer_id = ${$.installerId}), w.place)
        else w.place end
    where w.installer_id = ${$.installerId} and w.id = ${$.id}`,
)

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
  /** How many it is still to be told of, counted up to `maxCounted`. */
  waiting: number
}

/** More would be counted for nothing. */
const maxCounted = 1_000

const health = row<WebhookHealth>({
  id: text,
  companyId: text,
  url: text,
  description: text,
  events: texts,
  status: text,
  disabledReason: text,
  createdAt: instant,
  lastDelivery: json,
  failingSince: instant,
  previousSecretUntil: text,
  recent: integer,
  recentDelivered: integer,
  oldestWaitingAt: instant,
  waiting: integer,
})

const maxShown = raw(maxCounted)
// The newest of the log that was never sent to it, or the oldest that failed: each by its index.
const columns = select(health, 'w', {
  previousSecretUntil: sql`w.secrets -> 1 ->> 'expiresAt'`,
  recent: sql`recent.count`,
  recentDelivered: sql`recent.delivered`,
  oldestWaitingAt: sql`least(
    (select d.event_at from webhook_deliveries d
      where d.installer_id = w.installer_id and d.webhook_id = w.id and d.state = 'due'
      order by d.event_at, d.event_ordinal limit 1),
    (select m.event_at from webhook_messages m where m.installer_id = w.installer_id and m.number = ${firstWaiting}))`,
  waiting: sql`least(${maxShown}, (select count(*)::int from (
      select from webhook_deliveries d
      where d.installer_id = w.installer_id and d.webhook_id = w.id and d.state = 'due' limit ${maxShown}) due)
    + (select count(*)::int from (
      select from webhook_messages m
      where m.installer_id = w.installer_id and m.number > w.place and ${isForWebhook} limit ${maxShown}) new))`,
})

const healths = ($: Params<{ installerId: string; since: Date }>) => sql`
  select ${columns} from webhooks w cross join lateral (
    select count(*)::int as count, (count(*) filter (where state = 'delivered'))::int as delivered from (
      select d.state from webhook_deliveries d
      where d.installer_id = w.installer_id and d.webhook_id = w.id and d.event_at >= ${$.since}
      order by d.event_at desc, d.event_ordinal desc limit ${maxShown}
    ) newest
  ) recent
  where w.installer_id = ${$.installerId}`

/** For whoever knows that it is there. */
export const readHealth = one(
  health,
  ($: Params<{ installerId: string; id: string; since: Date }>) => sql`${healths($)} and w.id = ${$.id}`,
)

interface Wanted {
  installerId: string
  companyId: string | null
  since: Date
  after: string
  limit: number
}

/** The oldest first, after an id. */
export const listHealths = many(
  health,
  ($: Params<Wanted>) => sql`${healths($)} ${when($.companyId, sql`and w.company_id = ${$.companyId}`)}
    and w.deleted_at is null and w.id > ${$.after} order by w.id limit ${$.limit}`,
)
