import { type Fragment, type Param, raw, sql } from '../../../platform/sql/sql.ts'
import type { EventName } from './event-names.ts'

/** What is told of an event: the record as it was in its transaction. */
export interface NewMessage {
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
  /** The record as JSON, with its version and what it was before. */
  data: string
}

/** One whose time is known when it is made. */
export type TimedMessage = NewMessage & { at: Date }

/** Rows for `subscribedPart`. */
export function messageRows(messages: readonly TimedMessage[]): string {
  return JSON.stringify(
    messages.map(({ at, data, ...message }) => ({
      ...messageRow(message),
      at,
      body: `{"type":"${message.type}","timestamp":"${at.toISOString()}","data":${data}}`,
    })),
  )
}

export function messageRow({
  ordinal,
  type,
  subjectId,
  leadId,
  companyId,
  forDealer,
  toDealers,
}: Omit<NewMessage, 'data'>) {
  return {
    ordinal,
    type,
    subject_id: subjectId,
    lead_id: leadId,
    company_id: companyId,
    for_dealer: forDealer,
    to_dealers: toDealers,
  }
}

// An installer's endpoint hears of everything, a dealer's of its own company's records.
export const isSubscribed = sql`('*' = any(w.events) or m.type = any(w.events))
  and case when w.company_id = w.installer_id then not m.for_dealer
    else m.company_id = w.company_id and (m.for_dealer or m.to_dealers) end`

const rowColumns =
  raw(`ordinal smallint, type text, subject_id text, lead_id text, company_id text, for_dealer boolean,
  to_dealers boolean`)
const columns = raw('event_ordinal, type, subject_id, lead_id, company_id, for_dealer, to_dealers')
const values = raw('m.ordinal, m.type, m.subject_id, m.lead_id, m.company_id, m.for_dealer, m.to_dealers')

/** What of a statement says whose messages they are, and which. */
interface Messages {
  installerId: Param | Fragment
  rows: Param | Fragment
}

/**
 * A part of a statement, `subscribed`: of the rows in a parameter those that somebody listens to, whether they are enabled just
 * now or not, counted in order. `more` are columns that the rows have besides.
 */
export function subscribedPart(
  { installerId, rows }: Messages,
  more: Fragment,
  order = sql`m.ordinal, m.for_dealer`,
): Fragment {
  return sql`subscribed as (
      select m.*, row_number() over (order by ${order}) as place
      from json_to_recordset(${rows}) as m(${rowColumns}, ${more})
      where exists (select from webhooks w where w.installer_id = ${installerId} and w.deleted_at is null and ${isSubscribed})
    )`
}

/** The part that writes them: `newest` is the number of the last, `from` brings what the values are made of. */
export function messagesPart(
  { installerId }: Pick<Messages, 'installerId'>,
  written: { at: Fragment; newest: Fragment; body: Fragment; from: Fragment },
): Fragment {
  return sql`messages_written as (
      insert into webhook_messages (installer_id, number, event_at, ${columns}, body)
      select ${installerId}, ${written.newest} - (select count(*) from subscribed) + m.place, ${written.at}, ${values},
        ${written.body}
      from ${written.from} cross join subscribed m
    )`
}

/** Both, for whoever holds the tenant's lock and knows the times: the rows are those of `messageRows`. */
export function timedMessagesParts(messages: Messages): Fragment {
  return sql`${subscribedPart(messages, sql`at timestamptz, body text`, sql`m.at, m.ordinal, m.for_dealer`)},
    newest as (
      update tenant_clocks c set messages = c.messages + (select count(*) from subscribed)
      where c.installer_id = ${messages.installerId} and exists (select from subscribed) returning c.messages
    ),
    ${messagesPart(messages, { at: sql`m.at`, newest: sql`newest.messages`, body: sql`m.body`, from: sql`newest` })}`
}
