import { randomInt } from 'node:crypto'
import type { Db } from '../../../platform/db.ts'
import { type Params, pick, sql } from '../../../platform/sql/sql.ts'
import { run } from '../../../platform/sql/statements.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { dedupeKey, type SecurityEvent } from './security-event.ts'

/** What becomes of what was noted in the same ten minutes. */
type Repeated = 'counted' | 'ignored'

const insertEvents = run(
  ($: Params<{ installerId: string; now: Date; events: string; repeated: Repeated }>) => sql`
    insert into security_events as s (installer_id, at, last_at, ordinal, type, company_id, lead_id, project_id,
      subject_id, actor_kind, actor_id, actor_name, name, changes, address, device, once)
    select ${$.installerId}, ${$.now}, ${$.now}, e.* from json_to_recordset(${$.events}) as e(ordinal integer, type text,
      company_id text, lead_id text, project_id text, subject_id text, actor_kind text, actor_id text, actor_name text,
      name text, changes jsonb, address text, device text, once text)
    on conflict (installer_id, once) where once is not null ${pick($.repeated, {
      counted: sql`do update set times = s.times + 1, last_at = greatest(s.last_at, excluded.last_at)`,
      ignored: sql`do nothing`,
    })}`,
)

// Below them are those of events, above them what a place in the log may say.
const ordinals = { from: 32_768, to: 1_000_000_000 }

/** Notes what happened in the security trail of its companies. What is noted once is counted on, or left as it is. */
export async function recordSecurity(
  db: Db,
  now: Date,
  events: readonly SecurityEvent[],
  repeated: Repeated = 'ignored',
): Promise<void> {
  for (const [installerId, own] of Map.groupBy(events, (event) => event.installerId)) {
    const rows = own.map((event) => ({
      // By chance: whoever takes numbers in turn waits for others.
      ordinal: randomInt(ordinals.from, ordinals.to),
      type: event.type,
      company_id: event.companyId,
      lead_id: event.leadId ?? null,
      project_id: event.projectId ?? null,
      subject_id: event.subjectId,
      actor_kind: event.actor.kind,
      actor_id: event.actor.id,
      actor_name: event.actor.name,
      name: event.name ?? null,
      changes: event.changes ?? {},
      address: event.origin.address,
      device: event.origin.device,
      once: dedupeKey(event, now),
    }))
    await insertEvents(db, { installerId, now, events: JSON.stringify(rows), repeated })
  }
}

/** What somebody does who is known: it stands in the log of the company that they act for. */
export function doneBy(actor: Actor): Pick<SecurityEvent, 'installerId' | 'companyId' | 'actor' | 'origin'> {
  const { kind, id, name, installerId, companyId, address = null, device = null } = actor
  return { installerId, companyId, actor: { kind, id, name }, origin: { address, device } }
}

/** What can be taken along at once. */
export type Exported = 'everything' | 'adder' | 'equipment' | 'readings' | 'import_problems'

/** Notes that somebody takes a company's records along, before they have them: what fails later was asked for too. */
export async function recordExport({ db, now, actor }: Context, what: Exported): Promise<void> {
  await recordSecurity(db, now, [
    { ...doneBy(actor), type: 'security.exported', subjectId: actor.companyId, name: what },
  ])
}
