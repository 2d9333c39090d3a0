import type { Db } from '../../../platform/db.ts'
import { integer, json, row, text } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { maybeOne, one, run } from '../../../platform/sql/statements.ts'
import type { Secret } from './secret.ts'
import type { Webhook } from './webhook.ts'

/** `companyId` confines to one company's. */
interface Scope {
  installerId: string
  companyId: string | null
}

interface WebhookId {
  installerId: string
  id: string
}

const record = sql`json_build_object('id', id, 'url', url, 'events', events, 'status', status,
  'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'last_delivery', last_delivery)`
const theirs = ($: Params<Scope>) =>
  sql`installer_id = ${$.installerId} and (${$.companyId}::text is null or company_id = ${$.companyId})
    and deleted_at is null`
const isIt = ($: Params<WebhookId>) => sql`installer_id = ${$.installerId} and id = ${$.id}`

/** A page of endpoints from the oldest. */
export const listWebhooks = one(
  row<{ records: string; total: number }>({ records: text, total: integer }),
  ($: Params<Scope & { limit: number; before: number }>) => sql`
    select count(*) as total,
      coalesce((select string_agg(${record}::text, ',') from (
        select * from webhooks where ${theirs($)} order by id limit ${$.limit} offset ${$.before}
      ) page), '') as records
    from webhooks where ${theirs($)}`,
)

export interface FoundWebhook {
  record: Webhook
  companyId: string
  secrets: Secret[]
}

/** With `lock` kept from changing until the transaction ends. */
export const findWebhook = maybeOne(
  row<FoundWebhook>({ record: json, companyId: text, secrets: json }),
  ($: Params<Scope & { id: string; lock: boolean }>) => sql`
    select ${record} as record, company_id as "companyId", secrets from webhooks
    where ${theirs($)} and id = ${$.id} ${when($.lock, sql`for update`)}`,
)

export const countWebhooks = one(
  row<{ total: number }>({ total: integer }),
  ($: Params<Scope>) => sql`select count(*) as total from webhooks where ${theirs($)}`,
)

interface NewWebhook {
  installerId: string
  companyId: string
  id: string
  url: string
  description: string
  events: string[]
  secrets: Secret[]
  /** It is told of what happens after this. */
  since: Date
  createdAt: Date
}

const insertRow = run(
  ($: Params<Omit<NewWebhook, 'secrets'> & { secrets: string }>) => sql`
    insert into webhooks (installer_id, company_id, id, url, events, status, secrets, place, not_told, created_at,
      description, counted_at)
    values (${$.installerId}, ${$.companyId}, ${$.id}, ${$.url}, ${$.events}, 'enabled', ${$.secrets},
      (select messages from tenant_clocks where installer_id = ${$.installerId}),
      tstzmultirange(tstzrange(null, ${$.since}, '(]')), ${$.createdAt}, ${$.description}, '-infinity')`,
)

export const insertWebhook = (tx: Db, webhook: NewWebhook): Promise<void> =>
  insertRow(tx, { ...webhook, secrets: JSON.stringify(webhook.secrets) })

/**
 * Makes sure that an endpoint is woken for the tenant's messages; for whoever holds the tenant's lock. Where nobody was
 * enabled, nobody was woken: that goes on from here.
 */
export const startCursor = run(
  ($: Params<WebhookId>) => sql`
    insert into webhook_cursors as c (installer_id, woken)
    select ${$.installerId}, messages from tenant_clocks where installer_id = ${$.installerId}
    on conflict (installer_id) do update set woken = excluded.woken
    where not exists (
      select from webhooks w where w.installer_id = ${$.installerId} and w.status = 'enabled' and w.id <> ${$.id})`,
)

/** It is told of what waited until `at`, apart from what is from before `since`, and of what comes. */
export const setEnabled = run(
  ($: Params<WebhookId & { at: Date; since: Date }>) => sql`
    update webhooks w set status = 'enabled', failing_since = null, disabled_reason = null, enabled_at = ${$.at},
      place = greatest(w.place, (select m.number from webhook_messages m
        where m.installer_id = ${$.installerId} and m.event_at < ${$.since} and m.number is not null
        order by m.event_at desc, m.event_ordinal desc limit 1))
    where w.installer_id = ${$.installerId} and w.id = ${$.id}`,
)

/** What happens from now on waits for it. Answers null where it was not enabled any more. */
export const setDisabled = maybeOne(
  row<{ url: string; companyId: string }>({ url: text, companyId: text }),
  ($: Params<WebhookId & { reason: string }>) => sql`
    update webhooks set status = 'disabled', disabled_reason = ${$.reason}
    where ${isIt($)} and status = 'enabled' returning url, company_id as "companyId"`,
)

/** It and what it was sent are swept up later. */
export const setDeleted = run(
  ($: Params<WebhookId & { now: Date }>) => sql`
    update webhooks set status = 'disabled', disabled_reason = 'deleted', deleted_at = ${$.now} where ${isIt($)}`,
)

export const deletedWebhooksChannel = 'webhook_deleted'

/** Tells whoever delivers, in whichever process, once the transaction has ended. */
export const tellDeleted = run(
  ($: Params<{ id: string }>) => sql`select pg_notify('webhook_deleted', ${$.id})`,
)

const updateSecrets = run(
  ($: Params<WebhookId & { secrets: string }>) =>
    sql`update webhooks set secrets = ${$.secrets} where ${isIt($)}`,
)

export const setSecrets = (tx: Db, webhook: WebhookId, secrets: readonly Secret[]): Promise<void> =>
  updateSecrets(tx, { ...webhook, secrets: JSON.stringify(secrets) })

interface OwnersMail {
  installerId: string
  companyId: string
  now: Date
  id: string
  subject: string
  body: string
}

/** Writes to the owners and admins of a company. */
export const mailOwners = run(
  ($: Params<OwnersMail>) => sql`
    insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at)
    select ${$.installerId}, ${$.id} || '_' || row_number() over (order by m.id), ${$.companyId}, m.email, ${$.subject},
      ${$.body}, ${$.now}, ${$.now}
    from members m
    where m.installer_id = ${$.installerId} and m.company_id = ${$.companyId} and m.role in ('owner', 'admin')
      and m.deactivated_at is null`,
)

const queueJobs = run(
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    select queue_job('deliver', json_build_object('installerId', ${$.installerId}::text, 'webhookId', id),
      'deliver:' || id)
    from unnest(${$.ids}::text[]) id`,
)

/** Has what is due to these endpoints delivered, once the transaction is committed. */
export async function queueDelivery(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await queueJobs(tx, { installerId, ids })
}
