import type { Db, Statement } from '../../../platform/db.ts'
import type { Secret } from './secret.ts'
import type { Webhook } from './webhook.ts'

const record = `json_build_object('id', id, 'url', url, 'events', events, 'status', status,
  'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'last_delivery', last_delivery)`
const theirs = `($2::text is null or company_id = $2) and deleted_at is null`

const listStatement: Statement = {
  name: 'list-webhooks',
  text: `select count(*) as total,
      (select string_agg(${record}::text, ',') from (
        select * from webhooks where installer_id = $1 and ${theirs} order by id limit $3 offset $4
      ) page) as records
    from webhooks where installer_id = $1 and ${theirs}`,
}

/** A page of endpoints from the oldest; `companyId` confines to one company's. */
export async function listWebhooks(
  db: Db,
  installerId: string,
  companyId: string | null,
  limit: number,
  before: number,
): Promise<{ records: string; total: number }> {
  const [row] = await db.query<{ records: string | null; total: number }>(listStatement, [
    installerId,
    companyId,
    limit,
    before,
  ])
  return { records: row!.records ?? '', total: row!.total }
}

export interface FoundWebhook {
  record: Webhook
  companyId: string
  secrets: Secret[]
}

const find = `select ${record} as record, company_id as "companyId", secrets from webhooks
  where installer_id = $1 and ${theirs} and id = $3`
const findStatement: Statement = { name: 'find-webhook', text: find }
const lockStatement: Statement = { name: 'lock-webhook', text: `${find} for update` }

export async function findWebhook(
  db: Db,
  installerId: string,
  companyId: string | null,
  id: string,
): Promise<FoundWebhook | null> {
  const [row] = await db.query<FoundWebhook>(findStatement, [installerId, companyId, id])
  return row ?? null
}

/** The same, kept from changing until the transaction ends. */
export async function lockWebhook(
  tx: Db,
  installerId: string,
  companyId: string | null,
  id: string,
): Promise<FoundWebhook | null> {
  const [row] = await tx.query<FoundWebhook>(lockStatement, [installerId, companyId, id])
  return row ?? null
}

const countStatement: Statement = {
  name: 'count-webhooks',
  text: `select count(*) as total from webhooks where installer_id = $1 and ${theirs}`,
}

export async function countWebhooks(tx: Db, installerId: string, companyId: string): Promise<number> {
  const [row] = await tx.query<{ total: number }>(countStatement, [installerId, companyId])
  return row!.total
}

const insertStatement: Statement = {
  name: 'insert-webhook',
  text: `insert into webhooks (installer_id, company_id, id, url, events, status, secrets, place, not_told, created_at,
      description)
    values ($1, $2, $3, $4, $5, 'enabled', $6, (select messages from tenant_clocks where installer_id = $1),
      tstzmultirange(tstzrange(null, $7, '(]')), $8, $9)`,
}

export async function insertWebhook(
  tx: Db,
  webhook: {
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
  },
): Promise<void> {
  await tx.query(insertStatement, [
    webhook.installerId,
    webhook.companyId,
    webhook.id,
    webhook.url,
    webhook.events,
    JSON.stringify(webhook.secrets),
    webhook.since.toISOString(),
    webhook.createdAt.toISOString(),
    webhook.description,
  ])
}

// Where nobody was enabled, nobody was woken: that goes on from here.
const startCursorStatement: Statement = {
  name: 'start-webhook-cursor',
  text: `insert into webhook_cursors as c (installer_id, woken)
    select $1, messages from tenant_clocks where installer_id = $1
    on conflict (installer_id) do update set woken = excluded.woken
    where not exists (select from webhooks w where w.installer_id = $1 and w.status = 'enabled' and w.id <> $2)`,
}

/** Makes sure that an endpoint is woken for the tenant's messages; for whoever holds the tenant's lock. */
export async function startCursor(tx: Db, installerId: string, webhookId: string): Promise<void> {
  await tx.query(startCursorStatement, [installerId, webhookId])
}

const enableStatement: Statement = {
  name: 'enable-webhook',
  text: `update webhooks w set status = 'enabled', failing_since = null, disabled_reason = null, enabled_at = $3,
      place = greatest(w.place, (select m.number - 1 from webhook_messages m
        where m.installer_id = $1 and m.number is not null order by m.number limit 1))
    where w.installer_id = $1 and w.id = $2`,
}

/** It is told of what waited until `at`, as far as that is kept, and of what comes. */
export async function setEnabled(tx: Db, installerId: string, id: string, at: Date): Promise<void> {
  await tx.query(enableStatement, [installerId, id, at.toISOString()])
}

const disableStatement: Statement = {
  name: 'disable-webhook',
  text: `update webhooks set status = 'disabled', disabled_reason = $3
    where installer_id = $1 and id = $2 and status = 'enabled' returning url, company_id as "companyId"`,
}

/** What happens from now on waits for it. Answers null where it was not enabled any more. */
export async function setDisabled(
  tx: Db,
  installerId: string,
  id: string,
  reason: string,
): Promise<{ url: string; companyId: string } | null> {
  const [row] = await tx.query<{ url: string; companyId: string }>(disableStatement, [
    installerId,
    id,
    reason,
  ])
  return row ?? null
}

const deleteStatement: Statement = {
  name: 'delete-webhook',
  text: `update webhooks set status = 'disabled', disabled_reason = 'deleted', deleted_at = $3
    where installer_id = $1 and id = $2`,
}

/** It and what it was sent are swept up later. */
export async function setDeleted(tx: Db, installerId: string, id: string, now: Date): Promise<void> {
  await tx.query(deleteStatement, [installerId, id, now.toISOString()])
}

const secretsStatement: Statement = {
  name: 'set-webhook-secrets',
  text: 'update webhooks set secrets = $3 where installer_id = $1 and id = $2',
}

export async function setSecrets(tx: Db, installerId: string, id: string, secrets: Secret[]): Promise<void> {
  await tx.query(secretsStatement, [installerId, id, JSON.stringify(secrets)])
}

const mailStatement: Statement = {
  name: 'mail-about-webhook',
  text: `insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at)
    select $1, $4 || '_' || row_number() over (order by m.id), $2, m.email, $5, $6, $3, $3 from members m
    where m.installer_id = $1 and m.company_id = $2 and m.role in ('owner', 'admin') and m.deactivated_at is null`,
}

/** Writes to the owners and admins of a company. */
export async function mailOwners(
  tx: Db,
  installerId: string,
  companyId: string,
  now: Date,
  mail: { id: string; subject: string; body: string },
): Promise<void> {
  await tx.query(mailStatement, [installerId, companyId, now.toISOString(), mail.id, mail.subject, mail.body])
}

const queueStatement: Statement = {
  name: 'queue-delivery',
  text: `select queue_job('deliver', json_build_object('installerId', $1::text, 'webhookId', id), 'deliver:' || id)
    from unnest($2::text[]) id`,
}

/** Has what is due to these endpoints delivered, once the transaction is committed. */
export async function queueDelivery(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(queueStatement, [installerId, ids])
}
