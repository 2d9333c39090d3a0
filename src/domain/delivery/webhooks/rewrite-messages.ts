import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import type { Position } from '../../journal/events/event-id.ts'
import { severalHeld } from './delivery-counts.ts'

/** What is kept of a record's events, to be sent or to be looked at. */
export interface StoredMessage extends Position {
  forDealer: boolean
  type: string
  body: string
  /** How it begins in the feed; null for what is in none. */
  head: string | null
}

const storedMessage = row<StoredMessage>({
  at: instant,
  ordinal: integer,
  forDealer: boolean,
  type: text,
  body: text,
  head: text,
})

interface After extends Position {
  installerId: string
  recordId: string
  forDealer: boolean
  limit: number
}

/** What endpoints were or are to be told of a record, from the oldest, after one of them. */
export const listKeptMessages = many(
  storedMessage,
  ($: Params<After>) => sql`
    select ${select(storedMessage, '', { at: sql`event_at`, ordinal: sql`event_ordinal` })} from webhook_messages
    where installer_id = ${$.installerId} and coalesce(lead_id, subject_id) = ${$.recordId}
      and (event_at, event_ordinal, for_dealer)
        > (${$.at}::timestamptz, ${$.ordinal}::smallint, ${$.forDealer}::boolean)
    order by event_at, event_ordinal, for_dealer limit ${$.limit}`,
)

const updateMessages = run(
  ($: Params<{ installerId: string; messages: string }>) => sql`
    update webhook_messages m set body = s.start || s.fields, data_from = length(s.start), head = s.head
    from json_to_recordset(${$.messages}) as s(at timestamptz, ordinal smallint, "forDealer" boolean, start text,
      fields text, head text)
    where m.installer_id = ${$.installerId} and m.event_at = s.at and m.event_ordinal = s.ordinal
      and m.for_dealer = s."forDealer"`,
)

const updateAnswers = run(
  ($: Params<{ installerId: string; messages: string }>) => sql`with ${severalHeld(
    $,
    sql`and exists (
      select from json_to_recordset(${$.messages}) as s(at timestamptz, ordinal smallint)
      join webhook_deliveries d on d.event_at = s.at and d.event_ordinal = s.ordinal
      where d.installer_id = ${$.installerId} and d.webhook_id = w.id)`,
  )}
    update webhook_deliveries d set attempts = (
      select coalesce(jsonb_agg(a.attempt || '{"answer": null}' order by a.place), '[]')
      from jsonb_array_elements(d.attempts) with ordinality as a(attempt, place))
    from held w, json_to_recordset(${$.messages}) as s(at timestamptz, ordinal smallint)
    where d.installer_id = ${$.installerId} and d.webhook_id = w.id
      and d.event_at = s.at and d.event_ordinal = s.ordinal`,
)

/** One whose body begins with what is said about it, and ends with its record's fields. */
export type RewrittenMessage = Position & {
  forDealer: boolean
  start: string
  fields: string
  head: string | null
}

/**
 * Writes them again. What endpoints answered goes too, as some send back what they were sent: after them, as what was just
 * answered to the old ones is waited for.
 */
export async function rewriteMessages(
  tx: Db,
  installerId: string,
  messages: readonly RewrittenMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const rewritten = { installerId, messages: JSON.stringify(messages) }
  await updateMessages(tx, rewritten)
  await updateAnswers(tx, rewritten)
}
