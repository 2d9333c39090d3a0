import type { Db, Statement } from '../../platform/db.ts'
import type { Secret } from './secret.ts'
import type { Attempt, LastDelivery } from './webhook.ts'

export interface DueDelivery {
  id: string
  type: string
  tries: number
  body: string
}

export interface DueDeliveries {
  url: string
  secrets: Secret[]
  failingSince: Date | null
  due: DueDelivery[]
}

const dueStatement: Statement = {
  name: 'due-deliveries',
  text: `select w.url, w.secrets, w.failing_since as "failingSince", d.id, d.type, d.tries, d.body
    from webhooks w left join lateral (
      select due.id, due.type, due.tries, m.body, due.next_attempt_at, due.event_at, due.event_ordinal
      from webhook_deliveries due join webhook_messages m
        on m.installer_id = due.installer_id and m.event_at = due.event_at and m.event_ordinal = due.event_ordinal
          and m.for_dealer = due.for_dealer
      where due.installer_id = $1 and due.webhook_id = $2 and due.state = 'due' and due.next_attempt_at <= $3
        and due.id <> all($4::text[])
      order by due.next_attempt_at, due.event_at, due.event_ordinal limit $5
    ) d on true
    where w.installer_id = $1 and w.id = $2 and w.status = 'enabled'
    order by d.next_attempt_at, d.event_at, d.event_ordinal`,
}

/** What is due to an endpoint, in order, apart from what is under way; null where it is not enabled. */
export async function listDue(
  db: Db,
  installerId: string,
  webhookId: string,
  now: Date,
  underWay: readonly string[],
  limit: number,
): Promise<DueDeliveries | null> {
  const rows = await db.query<Omit<DueDeliveries, 'due'> & DueDelivery>(dueStatement, [
    installerId,
    webhookId,
    now.toISOString(),
    underWay,
    limit,
  ])
  const [first] = rows
  if (!first) return null
  const { url, secrets, failingSince } = first
  return { url, secrets, failingSince, due: first.id === null ? [] : rows }
}

export interface Result {
  id: string
  type: string
  state: 'due' | 'delivered' | 'failed'
  nextAttemptAt: Date
  attempt: Attempt
}

// One success is enough to be in working order again. After a quiet time, a failure is the first one.
const settleStatement: Statement = {
  name: 'settle-deliveries',
  text: `with settled as (
      update webhook_deliveries d set state = r.state, tries = d.tries + 1, next_attempt_at = r.next_attempt_at,
        attempts = d.attempts || r.attempt
      from unnest($3::text[], $4::text[], $5::timestamptz[], $6::jsonb[]) as r(id, state, next_attempt_at, attempt)
      where d.installer_id = $1 and d.webhook_id = $2 and d.id = r.id
    )
    update webhooks w set last_delivery = $7, last_attempt_at = $8,
      failing_since = case when $9::boolean then null
        when w.last_attempt_at < $10::timestamptz then $8::timestamptz
        else coalesce(w.failing_since, $8::timestamptz) end
    where w.installer_id = $1 and w.id = $2 returning w.failing_since as "failingSince"`,
}

/** Writes down how deliveries ended; answers since when the endpoint has been failing. */
export async function settleDeliveries(
  db: Db,
  installerId: string,
  webhookId: string,
  results: readonly Result[],
  now: Date,
  quietSince: Date,
): Promise<Date | null> {
  const last = results.at(-1)!
  const lastDelivery: LastDelivery = {
    id: last.id,
    event: last.type,
    at: last.attempt.at,
    delivered: last.state === 'delivered',
    status: last.attempt.status,
  }
  const [row] = await db.query<{ failingSince: Date | null }>(settleStatement, [
    installerId,
    webhookId,
    results.map((r) => r.id),
    results.map((r) => r.state),
    results.map((r) => r.nextAttemptAt.toISOString()),
    results.map((r) => JSON.stringify(r.attempt)),
    JSON.stringify(lastDelivery),
    now.toISOString(),
    results.some((r) => r.state === 'delivered'),
    quietSince.toISOString(),
  ])
  return row?.failingSince ?? null
}

const queueRetryStatement: Statement = {
  name: 'queue-retry',
  text: `with next as (
      select min(d.next_attempt_at) as at from webhooks w
        join webhook_deliveries d on d.installer_id = w.installer_id and d.webhook_id = w.id and d.state = 'due'
      where w.installer_id = $1 and w.id = $2 and w.status = 'enabled'
    )
    select at, queue_job('deliver', json_build_object('installerId', $1::text, 'webhookId', $2::text),
      'retry:' || $2, greatest(at, $3::timestamptz)) from next where at is not null`,
}

/** Has the endpoint woken when its next delivery is due, `notBefore` at the earliest; answers when that is. */
export async function queueRetry(
  db: Db,
  installerId: string,
  webhookId: string,
  notBefore: Date,
): Promise<Date | null> {
  const [row] = await db.query<{ at: Date }>(queueRetryStatement, [
    installerId,
    webhookId,
    notBefore.toISOString(),
  ])
  return row?.at ?? null
}

const insertTestStatement: Statement = {
  name: 'insert-test-delivery',
  text: `with message as (
      insert into webhook_messages (installer_id, event_at, event_ordinal, for_dealer, body)
      values ($1, $4, $5, false, $7) on conflict do nothing
    )
    insert into webhook_deliveries (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type, state, tries, next_attempt_at, attempts, created_at)
    values ($1, $2, $3, $4, $5, false, $6, $8, 1, $4, $9, $4)`,
}

/** A delivery that was made at once and is done with. */
export async function insertSettled(
  db: Db,
  installerId: string,
  webhookId: string,
  sent: { id: string; at: Date; ordinal: number; type: string; body: string; attempt: Attempt },
  state: 'delivered' | 'failed',
): Promise<void> {
  await db.query(insertTestStatement, [
    installerId,
    webhookId,
    sent.id,
    sent.at.toISOString(),
    sent.ordinal,
    sent.type,
    sent.body,
    state,
    JSON.stringify([sent.attempt]),
  ])
}

const record = `json_build_object('id', id, 'event', type,
  'event_at', to_char(event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', state,
  'next_attempt_at', case when state = 'due' then
    to_char(next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end, 'attempts', attempts)`
const theirs = `webhook_id = $2 and ($3::text is null or state = $3)`

const listStatement: Statement = {
  name: 'list-deliveries',
  text: `select count(*) as total,
      (select string_agg(${record}::text, ',') from (
        select * from webhook_deliveries where installer_id = $1 and ${theirs}
        order by event_at desc, event_ordinal desc limit $4 offset $5
      ) page) as records
    from webhook_deliveries where installer_id = $1 and ${theirs}`,
}

/** A page of an endpoint's deliveries, the newest event first. */
export async function listDeliveries(
  db: Db,
  installerId: string,
  webhookId: string,
  state: string | null,
  limit: number,
  before: number,
): Promise<{ records: string; total: number }> {
  const values = [installerId, webhookId, state, limit, before]
  const [row] = await db.query<{ records: string | null; total: number }>(listStatement, values)
  return { records: row!.records ?? '', total: row!.total }
}
