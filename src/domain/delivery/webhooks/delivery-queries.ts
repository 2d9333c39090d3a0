import { hash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, json, type Row, row, select, text } from '../../../platform/sql/row.ts'
import { empty, type Fragment, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one, run } from '../../../platform/sql/statements.ts'
import type { Position } from '../../journal/events/event-id.ts'
import { type Listed, maxPerPage, type PageOf } from '../../kernel/numbered-lists.ts'
import type { StartedPages } from '../../kernel/page-starts.ts'
import { addMoved, countMoved, heldIfFree, isCounted, keptCounts, moved } from './delivery-counts.ts'
import type { Secret } from './secret.ts'
import type { Attempt, LastDelivery } from './webhook.ts'

interface To {
  installerId: string
  webhookId: string
}

/** Where to send, and how it has been going. */
export interface Endpoint {
  url: string
  secrets: Secret[]
  isFailing: boolean
  /** What happened until then waited while it was disabled; null where it never was. */
  waitedUntil: string | null
}

/** The endpoint, and what else is asked, in the first of a statement's rows only: each copy would be read as JSON. */
export function onFirstRow(order: Fragment, more: Fragment): Fragment {
  return sql`case when row_number() over (order by ${order}) = 1 then json_build_object('url', w.url,
    'secrets', w.secrets, 'isFailing', w.failing_since is not null, 'waitedUntil', w.enabled_at${more}) end`
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

const bodyOf = maybeOne(
  row<{ body: string }>({ body: text }),
  ($: Params<Position & { installerId: string; forDealer: boolean }>) => sql`
    select body from webhook_messages
    where installer_id = ${$.installerId} and event_at = ${$.at} and event_ordinal = ${$.ordinal}
      and for_dealer = ${$.forDealer}`,
)

/** What is sent of a message now; null where it is no longer kept. */
export async function findBody(db: Db, installerId: string, message: Outgoing): Promise<string | null> {
  const { at, ordinal, forDealer } = message
  return (await bodyOf(db, { installerId, at, ordinal, forDealer }))?.body ?? null
}

const outgoing = row<Omit<Outgoing, 'takenAtMs'>>({
  id: text,
  number: integer,
  at: instant,
  ordinal: integer,
  forDealer: boolean,
  type: text,
  subjectId: text,
  tries: integer,
  body: text,
})
const due: Row<Outgoing & { head: Endpoint | null }> = { columns: { ...outgoing.columns, head: json } }

const dueMessages = many(
  due,
  ($: Params<To & { now: Date; underWay: readonly string[]; limit: number }>) => sql`
    select ${select(due, 'd', {
      head: onFirstRow(sql`d.next_attempt_at, d.at, d.ordinal`, empty),
    })}
    from webhooks w left join lateral (
      select due.id, null::int as number, due.event_at as at, due.event_ordinal as ordinal, due.for_dealer, due.type,
        m.subject_id, due.tries, m.body, due.next_attempt_at
      from webhook_deliveries due join webhook_messages m
        on m.installer_id = due.installer_id and m.event_at = due.event_at and m.event_ordinal = due.event_ordinal
          and m.for_dealer = due.for_dealer
      where due.installer_id = ${$.installerId} and due.webhook_id = ${$.webhookId} and due.state = 'due'
        and due.next_attempt_at <= ${$.now} and due.id <> all(${$.underWay}::text[])
      order by due.next_attempt_at, due.event_at, due.event_ordinal limit ${$.limit}
    ) d on true
    where w.installer_id = ${$.installerId} and w.id = ${$.webhookId} and w.status = 'enabled'
    order by d.next_attempt_at, d.at, d.ordinal`,
)

/** What is to be sent again to an endpoint, in order, apart from what is under way; null where it is not enabled. */
export async function listDue(
  db: Db,
  wanted: To & { now: Date; underWay: readonly string[]; limit: number },
): Promise<{ endpoint: Endpoint; messages: Outgoing[] } | null> {
  const rows = await dueMessages(db, wanted)
  const [first] = rows
  return first ? { endpoint: first.head!, messages: first.id === null ? [] : rows } : null
}

export interface Result {
  message: Outgoing
  state: 'due' | 'delivered' | 'failed'
  nextAttemptAt: Date
  attempt: Attempt
}

interface Settled extends To {
  now: Date
  results: string
  lastDelivery: string
  delivered: boolean
  quietSince: Date
  place: number | null
}

// What was delivered stays so, even where a crash had it sent again. One success is enough to be in working order
// again. After a quiet time, a failure is the first one. What is lost is sent again, as after any crash. An answer may hold
// what was sent: it is kept only where nobody has erased that or is about to, and who does so later waits for it.
const settle = one(
  row<{ failingSince: Date | null; isBusy: boolean }>({ failingSince: instant, isBusy: boolean }),
  ($: Params<Settled>) => sql`with ${heldIfFree($)}, settled as (
      insert into webhook_deliveries as d (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type,
        state, tries, next_attempt_at, attempts, created_at)
      select ${$.installerId}, ${$.webhookId}, r.id, r.at, r.ordinal, r."forDealer", r.type, r.state, 1,
        r."nextAttemptAt", case when r.sent is null or (
          select encode(sha256(convert_to(m.body, 'UTF8')), 'hex') = r.sent from webhook_messages m
          where m.installer_id = ${$.installerId} and m.event_at = r.at and m.event_ordinal = r.ordinal
            and m.for_dealer = r."forDealer" for share skip locked
        ) then r.attempts else jsonb_set(r.attempts, '{0,answer}', 'null') end, ${$.now}
      from held, json_to_recordset(${$.results}) as r(id text, at timestamptz, ordinal smallint, "forDealer" boolean, type text,
        state text, "nextAttemptAt" timestamptz, attempts jsonb, sent text)
      on conflict (installer_id, webhook_id, id) do update set tries = d.tries + 1,
        state = case d.state when 'delivered' then d.state else excluded.state end,
        next_attempt_at = excluded.next_attempt_at, attempts = d.attempts || excluded.attempts, previous_state = d.state
      returning d.previous_state, d.state
    ), written as (
      update webhooks w set last_delivery = ${$.lastDelivery}, last_attempt_at = ${$.now},
        failing_since = case when ${$.delivered}::boolean then null
          when w.last_attempt_at < ${$.quietSince}::timestamptz then ${$.now}::timestamptz
          else coalesce(w.failing_since, ${$.now}::timestamptz) end,
        place = greatest(w.place, ${$.place}), ${addMoved}, counted_at = case when ${isCounted} then ${$.now}::timestamptz end
      from held cross join ${moved('settled')}
      where w.installer_id = ${$.installerId} and w.id = held.id returning w.failing_since
    )
    select (select failing_since from written) as "failingSince", not exists (select from held) and exists (
      select from webhooks w where w.installer_id = ${$.installerId} and w.id = ${$.webhookId}) as "isBusy"`,
  { mayBeLost: true },
)

/** Somebody who has much to write of the endpoint is done by then, or breaks off. */
const busyMs = 120_000
const waitsMs = [10, 20, 50, 100, 200, 500]

interface Settling {
  place: number | null
  now: Date
  quietSince: Date
  signal?: AbortSignal
}

/** Writes down how deliveries ended, and the endpoint's place; answers since when it has been failing. */
export async function settleDeliveries(
  db: Db,
  to: To,
  results: readonly Result[],
  { place, now, quietSince, signal }: Settling,
): Promise<Date | null> {
  const last = results.at(-1)!
  const lastDelivery: LastDelivery = {
    id: last.message.id,
    event: last.message.type,
    at: last.attempt.at,
    delivered: last.state === 'delivered',
    status: last.attempt.status,
  }
  const wanted = {
    ...to,
    now,
    results: JSON.stringify(results.map(rowOf)),
    lastDelivery: JSON.stringify(lastDelivery),
    delivered: results.some((r) => r.state === 'delivered'),
    quietSince,
    place,
  }
  const until = performance.now() + busyMs
  for (let round = 0; ; round++) {
    const { failingSince, isBusy } = await settle(db, wanted)
    if (!isBusy) return failingSince
    if (performance.now() > until) throw new Error('the endpoint is held by somebody else for too long')
    await setTimeout(waitsMs[Math.min(round, waitsMs.length - 1)], undefined, signal && { signal })
  }
}

function rowOf({ message, state, nextAttemptAt, attempt }: Result) {
  const { id, at, ordinal, forDealer, type, body } = message
  const sent = attempt.answer === null ? null : hash('sha256', body)
  return { id, at, ordinal, forDealer, type, state, nextAttemptAt, attempts: [attempt], sent }
}

const job = ($: Params<To>, at: Fragment) =>
  sql`queue_job('deliver', json_build_object('installerId', ${$.installerId}::text, 'webhookId', ${$.webhookId}::text),
    'retry:' || ${$.webhookId}, ${at})`

const queueNext = maybeOne(
  row<{ at: Date; queued: string }>({ at: instant, queued: text }),
  ($: Params<To>) => sql`with next as (
      select min(d.next_attempt_at) as at from webhooks w
        join webhook_deliveries d on d.installer_id = w.installer_id and d.webhook_id = w.id and d.state = 'due'
      where w.installer_id = ${$.installerId} and w.id = ${$.webhookId} and w.status = 'enabled'
    )
    select at, ${job($, sql`at`)}::text as queued from next where at is not null`,
)

/** Has the endpoint woken when its next delivery is due; answers when that is. */
export async function queueRetry(db: Db, to: To): Promise<Date | null> {
  return (await queueNext(db, to))?.at ?? null
}

/** Has the endpoint woken at a time, whatever is due then. */
export const queueLater = run(($: Params<To & { at: Date }>) => sql`select ${job($, sql`${$.at}`)}`)

interface Sent extends To, Position {
  id: string
  type: string
  body: string
  state: 'delivered' | 'failed'
  attempts: string
}

/** A delivery that was made at once and is done with. */
export const insertSettled = run(
  ($: Params<Sent>) => sql`with message as (
      insert into webhook_messages (installer_id, event_at, event_ordinal, for_dealer, to_dealers, type, company_id, body)
      values (${$.installerId}, ${$.at}, ${$.ordinal}, false, false, ${$.type}, ${$.installerId}, ${$.body})
      on conflict do nothing
    ), sent as (
      insert into webhook_deliveries (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type, state,
        tries, next_attempt_at, attempts, created_at)
      values (${$.installerId}, ${$.webhookId}, ${$.id}, ${$.at}, ${$.ordinal}, false, ${$.type}, ${$.state}, 1, ${$.at},
        ${$.attempts}, ${$.at})
      returning previous_state, state
    )
    ${countMoved($, 'sent')}`,
)

const record = sql`json_build_object('id', id, 'event', type,
  'event_at', to_char(event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', state,
  'next_attempt_at', case when state = 'due' then
    to_char(next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end, 'attempts', attempts)`

interface DeliveryPage {
  records: string
  total: number
  /** How often what the endpoint was sent has changed; null where that is not kept just now. */
  changes: number | null
  /** Where the first of the page is; null past the end. */
  at: Date | null
  ordinal: number | null
}

interface PageWanted extends To {
  state: Result['state'] | 'any'
  limit: number
  before: number
  /** So many after one whose place is known, or after the first. */
  skipped: number
  at: Date | null
  ordinal: number | null
}

const pageFrom = one(
  row<DeliveryPage>({ records: text, total: integer, changes: integer, at: instant, ordinal: integer }),
  ($: Params<PageWanted>) => {
    const theirs = sql`installer_id = ${$.installerId} and webhook_id = ${$.webhookId} ${pick($.state, {
      any: empty,
      due: sql`and state = 'due'`,
      delivered: sql`and state = 'delivered'`,
      failed: sql`and state = 'failed'`,
    })}`
    const from = when(
      $.at,
      sql`and (event_at, event_ordinal) <= (${$.at}::timestamptz, ${$.ordinal}::smallint)`,
    )
    const inOrder = raw('order by event_at desc, event_ordinal desc')
    // Its first is counted down to in the index alone; past the end nothing is. The limit within is a constant: by one that is a parameter, all are put in order.
    return sql`with counted as materialized (
        select case when ${isCounted} then ${pick($.state, keptCounts)}
            else (select count(*) from webhook_deliveries where ${theirs}) end as total,
          case when ${isCounted} then w.deliveries_changes end as changes
        from webhooks w where w.installer_id = ${$.installerId} and w.id = ${$.webhookId}
      ), start as materialized (
        select event_at, event_ordinal from webhook_deliveries where ${theirs} ${from} ${inOrder} offset ${$.skipped}::bigint
        limit case when ${$.before}::bigint < (select total from counted) then 1 else 0 end
      )
      select coalesce((select total from counted), 0) as total, (select changes from counted) as changes,
      (select event_at from start) as at, (select event_ordinal from start) as ordinal,
      coalesce((select string_agg(${record}::text, ',') from (
        select * from (
          select * from webhook_deliveries where ${theirs} and (event_at, event_ordinal) <=
            ((select event_at from start), (select event_ordinal from start))
          ${inOrder} limit ${raw(maxPerPage)}
        ) most limit ${$.limit}
      ) page), '') as records`
  },
)

/** A page of an endpoint's deliveries, the newest event first. By its name in the text, the few of a state have their index. */
export function listDeliveries(
  db: Db,
  startedPage: StartedPages,
  { before, perPage, ...wanted }: To & PageOf & Pick<PageWanted, 'state'>,
): Promise<Listed> {
  const list = JSON.stringify(['deliveries', wanted.installerId, wanted.webhookId, wanted.state])
  return startedPage(list, before, async (start) => {
    const [at, ordinal] = (start.key ?? [null, null]) as [Date, number] | [null, null]
    const page = await pageFrom(db, {
      ...wanted,
      at,
      ordinal,
      limit: perPage,
      before,
      skipped: before - start.before,
    })
    return { ...page, first: page.at && [page.at, page.ordinal] }
  })
}
