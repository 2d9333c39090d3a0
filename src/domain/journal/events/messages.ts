import { type Fragment, type Param, raw, sql } from '../../../platform/sql/sql.ts'
import type { Actor } from '../../kernel/context.ts'
import { eventIdSql } from './event-id.ts'
import type { EventName } from './event-names.ts'
import type { Snapshot } from './previous.ts'

/** What is told of an event: the record as it was in its transaction. */
export interface NewMessage extends Snapshot {
  ordinal: number
  type: EventName
  subjectId: string
  /** Whose customer it may name. */
  leadId: string | null
  companyId: string
  /** For dealers alone, as they see something else of it than the installer. */
  forDealer: boolean
  /** For the dealer whose record it is, too. */
  toDealers: boolean
  /** Of the record; the time of the change in milliseconds where it has no count of its own. */
  version?: number | undefined
}

/** One whose time is known when it is made. */
export type TimedMessage = NewMessage & { at: Date }

/** In the order of the log. */
export function messageRows<M extends NewMessage>(
  messages: readonly M[],
  more: (message: M) => object,
): string {
  return JSON.stringify(
    messages.map((message, i) => ({
      place: i + 1,
      ordinal: message.ordinal,
      type: message.type,
      subject_id: message.subjectId,
      lead_id: message.leadId,
      company_id: message.companyId,
      for_dealer: message.forDealer,
      to_dealers: message.toDealers,
      version: message.version,
      previous: message.previous,
      fields: message.fields,
      ...more(message),
    })),
  )
}

/** Rows for `timedMessagesParts`. */
export function timedRows(messages: readonly TimedMessage[]): string {
  const order = (a: TimedMessage, b: TimedMessage) =>
    a.at.getTime() - b.at.getTime() || a.ordinal - b.ordinal || Number(a.forDealer) - Number(b.forDealer)
  return messageRows([...messages].sort(order), ({ at }) => ({ at }))
}

/** Who did it, as the feed says it. */
export function actorText({ kind, id, name }: Pick<Actor, 'kind' | 'id'> & { name: string | null }): string {
  return JSON.stringify({ kind, id, name })
}

// An installer's endpoint hears of everything, a dealer's of its own company's records.
export const isSubscribed = sql`('*' = any(w.events) or m.type = any(w.events))
  and case when w.company_id = w.installer_id then not m.for_dealer
    else m.company_id = w.company_id and (m.for_dealer or m.to_dealers) end`

const rowColumns =
  raw(`place int, ordinal smallint, type text, subject_id text, lead_id text, company_id text, for_dealer boolean,
  to_dealers boolean, version bigint, previous text, fields text`)
const columns = raw('event_ordinal, type, subject_id, lead_id, company_id, for_dealer, to_dealers')
const values = raw('m.ordinal, m.type, m.subject_id, m.lead_id, m.company_id, m.for_dealer, m.to_dealers')

export const stampOf = (at: Fragment) =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const msOf = (at: Fragment) => sql`(extract(epoch from ${at}) * 1000)::bigint`

interface Written {
  installerId: Param | Fragment
  /** `messageRows`, with `more` columns. */
  rows: Param | Fragment
  more: Fragment
  /** The fields of a record and the brace behind them, where it is not those of the row. */
  fields?: Fragment
  actor: Param | Fragment
  /** When the change was made, and when its record was, which may be later. */
  at: Fragment
  recordAt: Fragment
  /** The number before the first. */
  before: Fragment
  from: Fragment
}

/**
 * A part of a statement that writes messages: the body that endpoints are sent, and how the event begins in the feed. Both
 * end in the same fields of the record, which are kept once.
 */
export function messagesPart(of: Written): Fragment {
  const version = sql`coalesce(m.version, ${msOf(of.recordAt)})`
  return sql`messages_written as (
      insert into webhook_messages (installer_id, number, event_at, ${columns}, body, data_from, head)
      select ${of.installerId}, ${of.before} + m.place, ${of.at}, ${values},
        t.start || replace(${of.fields ?? sql`m.fields || '}'`}, E'\\x02', ${stampOf(of.recordAt)}) || '}', length(t.start), t.head
      from ${of.from} cross join json_to_recordset(${of.rows}) as m(${rowColumns}, ${of.more})
        cross join lateral (
          select '{"type":"' || m.type || '","timestamp":"' || s.stamp || '","data":{"version":' || s.version
              || ',"previous":' || m.previous || ',' as start,
            '{"id":"' || ${eventIdSql(of.installerId, msOf(of.at), sql`m.ordinal`)} || '","version":' || s.version
              || ',"type":"' || m.type || '","at":"' || s.stamp || '","actor":' || ${of.actor}::text
              || ',"record":{"type":"' || s.record || '","id":"' || m.subject_id || '","leadId":'
              || coalesce('"' || m.lead_id || '"', 'null') || '},"previous":' || m.previous || ',"data":{' as head
          from (select ${stampOf(of.at)} as stamp, ${version} as version,
            case when m.subject_id like 'act\\_%' then 'activity' else split_part(m.type, '.', 1) end as record) s
        ) t
    )`
}

interface Timed {
  installerId: Param | Fragment
  /** Those of `timedRows`, and how many they are. */
  rows: Param | Fragment
  count: Param | Fragment
  actor: Param | Fragment
}

/** For whoever holds the tenant's lock and knows the times. */
export function timedMessagesParts({ installerId, rows, count, actor }: Timed): Fragment {
  return sql`numbered as (
      update tenant_clocks c set messages = c.messages + ${count}::bigint
      where c.installer_id = ${installerId} and ${count}::bigint > 0 returning c.messages - ${count}::bigint as before
    ),
    ${messagesPart({
      installerId,
      rows,
      more: sql`at timestamptz`,
      actor,
      at: sql`m.at`,
      recordAt: sql`m.at`,
      before: sql`numbered.before`,
      from: sql`numbered`,
    })}`
}
