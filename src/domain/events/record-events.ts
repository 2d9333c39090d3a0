import type { Db, Statement } from '../../platform/db.ts'
import type { Actor } from '../context.ts'

/** An event of a record other than a lead or a project: it carries what the record then was. */
export interface RecordEvent {
  type: string
  companyId: string
  subjectId: string
  /** As the API reads it, with its version. */
  data: object
  changes?: Record<string, [from: unknown, to: unknown]>
}

const insertEvents: Statement = {
  name: 'insert-record-events',
  text: `with events_written as (
      insert into events (installer_id, at, ordinal, type, company_id, subject_id, actor_kind, actor_id, actor_name, address, device, changes, data)
      select $1, $2, e.ordinal, e.type, e.company_id, e.subject_id, $3, $4, $5, $7, $8, e.changes, e.data
      from json_to_recordset($6) as e(ordinal smallint, type text, company_id text, subject_id text, changes jsonb, data jsonb)
    )
    select wake_webhooks($1)`,
}

/** Writes events at a time taken from the tenant's clock in the same transaction: `takeTimes` gives it. */
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
  await tx.query(insertEvents, [
    actor.installerId,
    at.toISOString(),
    actor.kind,
    actor.id,
    actor.name,
    JSON.stringify(rows),
    actor.address ?? null,
    actor.device ?? null,
  ])
}
