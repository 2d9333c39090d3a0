import type { Db, Statement } from '../../../platform/db.ts'
import type { Actor } from '../../kernel/context.ts'
import { type EventName, isTold } from './event-names.ts'
import { messageRows, timedMessagesParts } from './messages.ts'
import { previousOf } from './previous.ts'

/** An event of a record other than a lead or a project: it carries what the record then was. */
export interface RecordEvent {
  type: string
  /** What endpoints are told that it is, where they have no word of their own for it. */
  toldAs?: EventName
  companyId: string
  subjectId: string
  /** As the API reads it, with its version. */
  data: object
  /** As it read before, where it was there: endpoints are told what is otherwise. */
  before?: object
  changes?: Record<string, [from: unknown, to: unknown]>
}

const insertEvents: Statement = {
  name: 'insert-record-events',
  text: `with events_written as (
      insert into events (installer_id, at, ordinal, type, company_id, subject_id, actor_kind, actor_id, actor_name, address, device, changes, data)
      select $1, $2, e.ordinal, e.type, e.company_id, e.subject_id, $3, $4, $5, $7, $8, e.changes, e.data
      from json_to_recordset($6) as e(ordinal smallint, type text, company_id text, subject_id text, changes jsonb, data jsonb)
    ), ${timedMessagesParts('$9')}
    select wake_webhooks($1)`,
}

/**
 * Writes events at a time taken from the tenant's clock in the same transaction (`takeTimes` gives it), and what endpoints
 * are told of them.
 */
export async function recordEvents(
  tx: Db,
  actor: Actor,
  at: Date,
  events: readonly RecordEvent[],
): Promise<void> {
  const rows = events.map(({ type, companyId, subjectId, changes, data }, ordinal) => ({
    ordinal,
    type,
    company_id: companyId,
    subject_id: subjectId,
    changes: changes ?? {},
    data,
  }))
  const messages = events.flatMap(
    ({ type: name, toldAs: type = name, companyId, subjectId, data, before }, ordinal) => {
      if (!isTold(type)) return []
      const told = JSON.stringify({ ...data, previous: previousOf(before ?? null, data) })
      const audience = { companyId, forDealer: false, toDealers: true }
      return [{ at, ordinal, type, subjectId, leadId: null, ...audience, data: told }]
    },
  )
  await tx.query(insertEvents, [
    actor.installerId,
    at.toISOString(),
    actor.kind,
    actor.id,
    actor.name,
    JSON.stringify(rows),
    actor.address ?? null,
    actor.device ?? null,
    messageRows(messages),
  ])
}
