import type { Db } from '../../../platform/db.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { run } from '../../../platform/sql/statements.ts'
import type { Actor } from '../../kernel/context.ts'
import { type EventName, isPublished } from './event-names.ts'
import { actorText, timedMessagesParts, timedRows } from './messages.ts'
import { snapshotOfRecord } from './previous.ts'

/** An event of a record other than a lead or a project: it carries what the record then was. */
export interface RecordEvent {
  type: string
  /** What endpoints are told that it is, where they have no word of their own for it. */
  publishedAs?: EventName
  companyId: string
  subjectId: string
  /** Of which lead it tells, where it does: its readers are told of it. */
  leadId?: string | null
  /** As the API reads it, with its version. */
  data: object
  /** As it read before, where it was there: endpoints are told what is otherwise. */
  before?: object
  changes?: Record<string, [from: unknown, to: unknown]>
}

interface Written {
  installerId: string
  at: Date
  kind: string
  id: string | null
  name: string
  address: string | null
  device: string | null
  events: string
  messages: string
  count: number
  actor: string
}

const insertEvents = run(
  ($: Params<Written>) => sql`with events_written as (
      insert into events (installer_id, at, ordinal, type, company_id, lead_id, subject_id, actor_kind, actor_id, actor_name,
        address, device, changes, data)
      select ${$.installerId}, ${$.at}, e.ordinal, e.type, e.company_id, e.lead_id, e.subject_id, ${$.kind}, ${$.id}, ${$.name},
        ${$.address}, ${$.device}, e.changes, e.data
      from json_to_recordset(${$.events}) as e(ordinal smallint, type text, company_id text, lead_id text, subject_id text,
        changes jsonb, data jsonb)
    ), ${timedMessagesParts({ installerId: $.installerId, rows: $.messages, count: $.count, actor: $.actor })}
    select wake_webhooks(${$.installerId})`,
)

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
  const rows = events.map(({ type, companyId, leadId = null, subjectId, changes, data }, ordinal) => ({
    ordinal,
    type,
    company_id: companyId,
    lead_id: leadId,
    subject_id: subjectId,
    changes: changes ?? {},
    data,
  }))
  const messages = events.flatMap(
    ({ type: name, publishedAs: type = name, companyId, subjectId, data, before }, ordinal) => {
      if (!isPublished(type)) return []
      const { version, ...record } = data as { version?: number }
      const audience = { companyId, forDealer: false, toDealers: true }
      const told = snapshotOfRecord(record, before ?? null)
      return [{ at, ordinal, type, subjectId, leadId: null, ...audience, version, ...told }]
    },
  )
  const { address = null, device = null, installerId, kind, id, name } = actor
  await insertEvents(tx, {
    installerId,
    at,
    kind,
    id,
    name,
    address,
    device,
    events: JSON.stringify(rows),
    messages: timedRows(messages),
    count: messages.length,
    actor: actorText(actor),
  })
}
