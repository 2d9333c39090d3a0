import type { Db, Statement } from '../../../platform/db.ts'
import type { Position } from './position.ts'
import type { Secret } from './secret.ts'
import type { Attempt, LastDelivery } from './webhook.ts'

/** Where to send, and how it has been going. */
export interface Endpoint {
  url: string
  secrets: Secret[]
  isFailing: boolean
  /** What happened until then waited while it was disabled; null where it never was. */
  waitedUntil: string | null
}

/** The endpoint, and what else is asked, in the first of a statement's rows only: each copy would be read as JSON. */
export function onFirstRow(order: string, more = ''): string {
  return `case when row_number() over (order by ${order}) = 1 then json_build_object('url', w.url,
    'secrets', w.secrets, 'isFailing', w.failing_since is not null,
    'waitedUntil', w.enabled_at${more && `, ${more}`}) end`
}

/** A message on its way to one endpoint. */
export interface Outgoing extends Position {
  id: string
  /** Its place in the log; null where it was sent before. */
  number: number | null
  forDealer: boolean
  type: string
  /** What it tells of; null where it was handed out long ago. */
  subjectId: string | null
  tries: number
  body: string
  /** When it was read, by the process's own clock. */
  takenAtMs?: number
}

const bodyStatement: Statement = {
  name: 'webhook-message-body',
  text: `select body from webhook_messages
    where installer_id = $1 and event_at = $2 and event_ordinal = $3 and for_dealer = $4`,
}

/** What is sent of a message now; null where it is no longer kept. */
export async function findBody(db: Db, installerId: string, message: Outgoing): Promise<string | null> {
  const { at, ordinal, forDealer } = message
  const [row] = await db.query<{ body: string }>(bodyStatement, [installerId, at, ordinal, forDealer])
  return row?.body ?? null
}

const dueStatement: Statement = {
  name: 'due-deliveries',
  text: `select ${onFirstRow('d.next_attempt_at, d.at, d.ordinal')} as head, d.*
    from webhooks w left join lateral (
      select due.id, null as number, due.event_at as at, due.event_ordinal as ordinal, due.for_dealer as "forDealer", due.type,
        m.subject_id as "subjectId", due.tries, m.body, due.next_attempt_at
      from webhook_deliveries due join webhook_messages m
        on m.installer_id = due.installer_id and m.event_at = due.event_at and m.event_ordinal = due.event_ordinal
          and m.for_dealer = due.for_dealer
      where due.installer_id = $1 and due.webhook_id = $2 and due.state = 'due' and due.next_attempt_at <= $3
        and due.id <> all($4::text[])
      order by due.next_attempt_at, due.event_at, due.event_ordinal limit $5
    ) d on true
    where w.installer_id = $1 and w.id = $2 and w.status = 'enabled'
    order by d.next_attempt_at, d.at, d.ordinal`,
}

/** What is to be sent again to an endpoint, in order, apart from what is under way; null where it is not enabled. */
export async function listDue(
  db: Db,
  installerId: string,
  webhookId: string,
  now: Date,
  underWay: readonly string[],
  limit: number,
): Promise<{ endpoint: Endpoint; messages: Outgoing[] } | null> {
  const rows = await db.query<Outgoing & { head: Endpoint | null }>(dueStatement, [
    installerId,
    webhookId,
    now.toISOString(),
    underWay,
    limit,
  ])
  const [first] = rows
  return first ? { endpoint: first.head!, messages: first.id === null ? [] : rows } : null
}

export interface Result {
  message: Outgoing
  state: 'due' | 'delivered' | 'failed'
  nextAttemptAt: Date
  attempt: Attempt
}

// What was delivered stays so, even where a crash had it sent again. One success is enough to be in working order
// again. After a quiet time, a failure is the first one.
const settleStatement: Statement = {
  // Then they are sent again, as after any crash.
  mayBeLost: true,
  name: 'settle-deliveries',
  text: `with settled as (
      insert into webhook_deliveries as d (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type,
        state, tries, next_attempt_at, attempts, created_at)
      select $1, $2, r.id, r.at, r.ordinal, r."forDealer", r.type, r.state, 1, r."nextAttemptAt", r.attempts, $3
      from json_to_recordset($4) as r(id text, at timestamptz, ordinal smallint, "forDealer" boolean, type text,
        state text, "nextAttemptAt" timestamptz, attempts jsonb)
      on conflict (installer_id, webhook_id, id) do update set tries = d.tries + 1,
        state = case d.state when 'delivered' then d.state else excluded.state end,
        next_attempt_at = excluded.next_attempt_at, attempts = d.attempts || excluded.attempts
    )
    update webhooks w set last_delivery = $5, last_attempt_at = $3,
      failing_since = case when $6::boolean then null
        when w.last_attempt_at < $7::timestamptz then $3::timestamptz
        else coalesce(w.failing_since, $3::timestamptz) end,
      place = greatest(w.place, $8)
    where w.installer_id = $1 and w.id = $2 returning w.failing_since as "failingSince"`,
}

/** Writes down how deliveries ended, and the endpoint's place; answers since when it has been failing. */
export async function settleDeliveries(
  db: Db,
  installerId: string,
  webhookId: string,
  results: readonly Result[],
  place: number | null,
  now: Date,
  quietSince: Date,
): Promise<Date | null> {
  const last = results.at(-1)!
  const lastDelivery: LastDelivery = {
    id: last.message.id,
    event: last.message.type,
    at: last.attempt.at,
    delivered: last.state === 'delivered',
    status: last.attempt.status,
  }
  const [row] = await db.query<{ failingSince: Date | null }>(settleStatement, [
    installerId,
    webhookId,
    now.toISOString(),
    JSON.stringify(results.map(rowOf)),
    JSON.stringify(lastDelivery),
    results.some((r) => r.state === 'delivered'),
    quietSince.toISOString(),
    place,
  ])
  return row?.failingSince ?? null
}

function rowOf({ message, state, nextAttemptAt, attempt }: Result) {
  const { id, at, ordinal, forDealer, type } = message
  return { id, at, ordinal, forDealer, type, state, nextAttemptAt, attempts: [attempt] }
}

const queueRetryStatement: Statement = {
  name: 'queue-retry',
  text: `with next as (
      select min(d.next_attempt_at) as at from webhooks w
        join webhook_deliveries d on d.installer_id = w.installer_id and d.webhook_id = w.id and d.state = 'due'
      where w.installer_id = $1 and w.id = $2 and w.status = 'enabled'
    )
    select at, queue_job('deliver', json_build_object('installerId', $1::text, 'webhookId', $2::text),
      'retry:' || $2, at) from next where at is not null`,
}

/** Has the endpoint woken when its next delivery is due; answers when that is. */
export async function queueRetry(db: Db, installerId: string, webhookId: string): Promise<Date | null> {
  const [row] = await db.query<{ at: Date }>(queueRetryStatement, [installerId, webhookId])
  return row?.at ?? null
}

const queueLaterStatement: Statement = {
  name: 'queue-delivery-later',
  text: `select queue_job('deliver', json_build_object('installerId', $1::text, 'webhookId', $2::text), 'retry:' || $2, $3)`,
}

/** Has the endpoint woken at a time, whatever is due then. */
export async function queueLater(db: Db, installerId: string, webhookId: string, at: Date): Promise<void> {
  await db.query(queueLaterStatement, [installerId, webhookId, at.toISOString()])
}

const insertTestStatement: Statement = {
  name: 'insert-test-delivery',
  text: `with message as (
      insert into webhook_messages (installer_id, event_at, event_ordinal, for_dealer, to_dealers, type, company_id, body)
      values ($1, $4, $5, false, false, $6, $1, $7) on conflict do nothing
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
