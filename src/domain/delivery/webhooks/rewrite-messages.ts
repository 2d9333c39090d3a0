import type { Db, Statement } from '../../../platform/db.ts'
import type { Position } from './position.ts'

/** What is kept of a record's events, to be sent or to be looked at. */
export interface KeptMessage extends Position {
  forDealer: boolean
  type: string
  body: string
}

const keptStatement: Statement = {
  name: 'kept-webhook-messages',
  text: `select event_at as at, event_ordinal as ordinal, for_dealer as "forDealer", type, body from webhook_messages
    where installer_id = $1 and coalesce(lead_id, subject_id) = $2
      and (event_at, event_ordinal, for_dealer) > ($3::timestamptz, $4::smallint, $5::boolean)
    order by event_at, event_ordinal, for_dealer limit $6`,
}

/** What endpoints were or are to be told of a record, from the oldest, after one of them. */
export function listKeptMessages(
  tx: Db,
  installerId: string,
  recordId: string,
  { at, ordinal, forDealer }: Omit<KeptMessage, 'type' | 'body'>,
  limit: number,
): Promise<KeptMessage[]> {
  return tx.query<KeptMessage>(keptStatement, [
    installerId,
    recordId,
    at.toISOString(),
    ordinal,
    forDealer,
    limit,
  ])
}

const saveStatement: Statement = {
  name: 'rewrite-webhook-messages',
  text: `with attempts as (
      update webhook_deliveries d set attempts = (
        select coalesce(jsonb_agg(a.attempt || '{"answer": null}' order by a.place), '[]')
        from jsonb_array_elements(d.attempts) with ordinality as a(attempt, place))
      from webhooks w, json_to_recordset($2) as s(at timestamptz, ordinal smallint)
      where w.installer_id = $1 and d.installer_id = $1 and d.webhook_id = w.id
        and d.event_at = s.at and d.event_ordinal = s.ordinal
    )
    update webhook_messages m set body = s.body
    from json_to_recordset($2) as s(at timestamptz, ordinal smallint, "forDealer" boolean, body text)
    where m.installer_id = $1 and m.event_at = s.at and m.event_ordinal = s.ordinal and m.for_dealer = s."forDealer"`,
}

/** Writes them anew. What endpoints answered goes too, as some send back what they were sent. */
export async function rewriteMessages(
  tx: Db,
  installerId: string,
  messages: readonly KeptMessage[],
): Promise<void> {
  if (messages.length > 0) await tx.query(saveStatement, [installerId, JSON.stringify(messages)])
}
