import type { Db, Statement } from '../../../platform/db.ts'

// As if it was handed out now: the schedule begins anew.
const again = `state = 'due', tries = 0, next_attempt_at = $3`

const redeliverOneStatement: Statement = {
  name: 'redeliver-one',
  text: `update webhook_deliveries set ${again} where installer_id = $1 and webhook_id = $2 and id = $4 returning id`,
}

/** Whether there is such a delivery, which now is due. */
export async function redeliverOne(
  tx: Db,
  installerId: string,
  webhookId: string,
  now: Date,
  id: string,
): Promise<boolean> {
  const rows = await tx.query(redeliverOneStatement, [installerId, webhookId, now.toISOString(), id])
  return rows.length > 0
}

const redeliverRangeStatement: Statement = {
  name: 'redeliver-range',
  text: `with batch as (
      select id, event_at, event_ordinal from webhook_deliveries
      where installer_id = $1 and webhook_id = $2 and (event_at, event_ordinal) > ($4::timestamptz, $5::smallint)
        and event_at < $6
      order by event_at, event_ordinal limit $7
    ), done as (
      update webhook_deliveries d set ${again} from batch b
      where d.installer_id = $1 and d.webhook_id = $2 and d.id = b.id
    )
    select count(*) as count, max(event_at) as at,
      (select event_ordinal from batch order by event_at desc, event_ordinal desc limit 1) as ordinal
    from batch`,
}

export interface RedeliveredBatch {
  count: number
  at: Date
  ordinal: number
}

/** Has the next `limit` deliveries of events after a place in the log, and before a time, sent again. */
export async function redeliverRange(
  tx: Db,
  installerId: string,
  webhookId: string,
  now: Date,
  range: { after: { at: Date; ordinal: number }; until: Date },
  limit: number,
): Promise<RedeliveredBatch> {
  const [row] = await tx.query<RedeliveredBatch>(redeliverRangeStatement, [
    installerId,
    webhookId,
    now.toISOString(),
    range.after.at.toISOString(),
    range.after.ordinal,
    range.until.toISOString(),
    limit,
  ])
  return row!
}

// Some thousands are enough to begin with: the others come by their own schedule.
const bringForwardStatement: Statement = {
  name: 'bring-deliveries-forward',
  text: `update webhook_deliveries set next_attempt_at = $3 where installer_id = $1 and webhook_id = $2 and id in (
      select id from webhook_deliveries
      where installer_id = $1 and webhook_id = $2 and state = 'due' and next_attempt_at > $3
      order by next_attempt_at, event_at, event_ordinal limit 5000)`,
}

/** Has what waits for a later attempt tried now. */
export async function bringForward(tx: Db, installerId: string, webhookId: string, now: Date): Promise<void> {
  await tx.query(bringForwardStatement, [installerId, webhookId, now.toISOString()])
}

const listAllStatement: Statement = {
  name: 'list-webhooks-to-sweep',
  text: `select installer_id as "installerId", id, deleted_at as "deletedAt", status = 'disabled' as disabled
    from webhooks order by installer_id, id`,
}

export interface SweptWebhook {
  installerId: string
  id: string
  deletedAt: Date | null
  disabled: boolean
}

export function listAllWebhooks(db: Db): Promise<SweptWebhook[]> {
  return db.query<SweptWebhook>(listAllStatement, [])
}

const removeDeliveriesStatement: Statement = {
  name: 'remove-old-deliveries',
  text: `delete from webhook_deliveries where installer_id = $1 and webhook_id = $2 and id in (
      select id from webhook_deliveries where installer_id = $1 and webhook_id = $2 and event_at < $3
        and next_attempt_at < $3 and (state <> 'due' or $4) order by event_at limit $5)
    returning id`,
}

/** Removes old deliveries with their attempts; those that are due only with `dueToo`. Answers how many. */
export async function removeDeliveries(
  db: Db,
  { installerId, id }: SweptWebhook,
  before: Date,
  dueToo: boolean,
  limit: number,
): Promise<number> {
  const values = [installerId, id, before.toISOString(), dueToo, limit]
  return (await db.query(removeDeliveriesStatement, values)).length
}

const tenantsStatement: Statement = {
  name: 'webhook-tenants',
  text: 'select installer_id as id from webhook_cursors order by installer_id',
}

/** Every tenant that has or had an endpoint. */
export async function listTenants(db: Db): Promise<string[]> {
  return (await db.query<{ id: string }>(tenantsStatement, [])).map((row) => row.id)
}

const removeMessagesStatement: Statement = {
  name: 'remove-old-messages',
  text: `delete from webhook_messages m where m.installer_id = $1 and m.event_at < $2
      and (m.number is null or m.number <= all (
        select w.place from webhooks w where w.installer_id = $1 and w.status = 'enabled'))
      and not exists (select from webhooks w join webhook_deliveries d
        on d.installer_id = w.installer_id and d.webhook_id = w.id
          and d.event_at = m.event_at and d.event_ordinal = m.event_ordinal
      where w.installer_id = $1)`,
}

/** Removes old messages that no delivery holds any more, and that nobody has still to be sent. */
export async function removeMessages(db: Db, installerId: string, before: Date): Promise<void> {
  await db.query(removeMessagesStatement, [installerId, before.toISOString()])
}

const removeWebhookStatement: Statement = {
  name: 'remove-webhook',
  text: 'delete from webhooks where installer_id = $1 and id = $2',
}

export async function removeWebhook(db: Db, { installerId, id }: SweptWebhook): Promise<void> {
  await db.query(removeWebhookStatement, [installerId, id])
}
