import type { Db } from '../../../platform/db.ts'
import { instant, integer, json, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import type { Position } from '../../journal/events/event-id.ts'
import type { Contact } from '../../kernel/contact.ts'

export interface EventText extends Position {
  type: string
  changes: Record<string, [unknown, unknown]>
  data: unknown
}

const eventText = row<EventText>({ at: instant, ordinal: integer, type: text, changes: json, data: json })

/** What the log says of a record, from the oldest. */
export const listEventTexts = many(
  eventText,
  ($: Params<Position & { installerId: string; recordId: string; limit: number }>) => sql`
    select ${select(eventText)} from events
    where installer_id = ${$.installerId} and coalesce(lead_id, subject_id) = ${$.recordId}
      and (at, ordinal) > (${$.at}::timestamptz, ${$.ordinal}::smallint)
    order by at, ordinal limit ${$.limit}`,
)

type OfLead = { installerId: string; leadId: string }

const listChanges = many(
  row<Pick<EventText, 'changes'>>({ changes: json }),
  ($: Params<OfLead>) => sql`
    select changes from events
    where installer_id = ${$.installerId} and coalesce(lead_id, subject_id) = ${$.leadId} and type = 'lead.updated'
      and changes ?| array['firstName', 'lastName', 'email', 'phone', 'coBorrower.firstName', 'coBorrower.lastName',
        'coBorrower.email', 'coBorrower.phone']
    order by at desc limit 200`,
)

/** What a lead's customer and co-borrower were called and reached by before it was changed. */
export async function listFormerContacts(
  db: Db,
  installerId: string,
  leadId: string,
): Promise<Partial<Contact>[]> {
  const rows = await listChanges(db, { installerId, leadId })
  const former = (changes: EventText['changes'], prefix: string): Partial<Contact> => {
    const of = (field: string) => (changes[prefix + field]?.[0] as string | null | undefined) ?? null
    return { firstName: of('firstName'), lastName: of('lastName'), email: of('email'), phone: of('phone') }
  }
  return rows.flatMap(({ changes }) => [former(changes, ''), former(changes, 'coBorrower.')])
}

// Said where the tenant's log is.
const allowErasing = run(
  ($: Params<{ installerId: string; leadId: string }>) => sql`
    select set_config('sunstead.erased_lead', ${$.leadId}, true) from tenant_clocks where installer_id = ${$.installerId}`,
)

const updateEvents = run(
  ($: Params<{ installerId: string; events: string }>) => sql`
    update events e set changes = s.changes, data = s.data
    from json_to_recordset(${$.events}) as s(at timestamptz, ordinal smallint, changes jsonb, data jsonb)
    where e.installer_id = ${$.installerId} and e.at = s.at and e.ordinal = s.ordinal`,
)

/** The one way to change what is logged: for a lead that is erased, until the transaction ends. */
export async function saveEventTexts(
  tx: Db,
  { installerId, leadId }: OfLead,
  events: readonly EventText[],
): Promise<void> {
  await allowErasing(tx, { installerId, leadId })
  await updateEvents(tx, { installerId, events: JSON.stringify(events) })
  await allowErasing(tx, { installerId, leadId: '' })
}

const clearVisitors = many(
  row<{ ordinal: number }>({ ordinal: integer }),
  ($: Params<OfLead & { limit: number }>) => sql`
    update security_events s set address = null, device = null, once = null
    where s.installer_id = ${$.installerId} and (s.at, s.ordinal) in (
      select at, ordinal from security_events
      where installer_id = ${$.installerId} and coalesce(lead_id, subject_id) = ${$.leadId} and lead_id = ${$.leadId}
        and actor_kind = 'visitor' and (address is not null or device is not null or once is not null)
      limit ${$.limit})
    returning s.ordinal`,
)

/** From where documents were opened by their address, which may be where the customer is; answers how many it were. */
export async function eraseVisitors(tx: Db, { installerId, leadId }: OfLead, limit: number): Promise<number> {
  await allowErasing(tx, { installerId, leadId })
  const cleared = await clearVisitors(tx, { installerId, leadId, limit })
  await allowErasing(tx, { installerId, leadId: '' })
  return cleared.length
}
