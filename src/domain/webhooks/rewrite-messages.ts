import type { Db, Statement } from '../../platform/db.ts'
import { eventColumns, eventSources } from './hand-out-queries.ts'
import { type LoggedEvent, messageBody, type Told } from './payload.ts'
import type { Position } from './position.ts'

type Kept = LoggedEvent & { forDealer: boolean; subjectId: string }

const keptStatement: Statement = {
  name: 'kept-webhook-messages',
  text: `with batch as materialized (
      select e.*, m.for_dealer from unnest($2::timestamptz[], $3::smallint[]) as w(at, ordinal)
        join events e on e.at = w.at and e.ordinal = w.ordinal
        join webhook_messages m on m.installer_id = e.installer_id and m.event_at = e.at and m.event_ordinal = e.ordinal
      where e.installer_id = $1
    )
    select ${eventColumns}, b.for_dealer as "forDealer", b.subject_id as "subjectId" from batch b ${eventSources}`,
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

/**
 * Writes anew what was made of events and is kept, to be sent or to be looked at: as if they were handed out now. What
 * endpoints answered goes too, as some send back what they were sent.
 */
export async function rewriteMessages(
  tx: Db,
  installerId: string,
  events: readonly Position[],
  told: Told,
): Promise<void> {
  const kept = await tx.query<Kept>(keptStatement, [
    installerId,
    events.map(({ at }) => at.toISOString()),
    events.map(({ ordinal }) => ordinal),
  ])
  if (kept.length === 0) return
  const messages = kept.map((event) => {
    const { at, ordinal, forDealer } = event
    return { at, ordinal, forDealer, body: messageBody(event, forDealer, told) ?? goneBody(event) }
  })
  await tx.query(saveStatement, [installerId, JSON.stringify(messages)])
}

/** Of a record that is no more, such as a file. */
function goneBody({ type, at, projectId, subjectId }: Kept): string {
  const data = { id: subjectId, project_id: projectId, erased: true, version: at.getTime() }
  return JSON.stringify({ type, timestamp: at.toISOString(), data })
}
