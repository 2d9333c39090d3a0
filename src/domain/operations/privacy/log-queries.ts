import type { Db, Statement } from '../../../platform/db.ts'
import type { Position } from '../../delivery/webhooks/position.ts'
import type { Contact } from '../../kernel/contact.ts'

export interface EventText extends Position {
  type: string
  changes: Record<string, [unknown, unknown]>
  data: unknown
}

const eventsStatement: Statement = {
  name: 'events-of-records',
  text: `select at, ordinal, type, changes, data from events
    where installer_id = $1 and coalesce(lead_id, subject_id) = $2 and (at, ordinal) > ($3::timestamptz, $4::smallint)
    order by at, ordinal limit $5`,
}

/** What the log says of a record, from the oldest. */
export function listEventTexts(
  tx: Db,
  installerId: string,
  recordId: string,
  after: Position,
  limit: number,
): Promise<EventText[]> {
  return tx.query<EventText>(eventsStatement, [
    installerId,
    recordId,
    after.at.toISOString(),
    after.ordinal,
    limit,
  ])
}

const formerStatement: Statement = {
  name: 'former-contacts',
  text: `select changes from events where installer_id = $1 and coalesce(lead_id, subject_id) = $2 and type = 'lead.updated'
      and changes ?| array['firstName', 'lastName', 'email', 'phone', 'coBorrower.firstName', 'coBorrower.lastName',
        'coBorrower.email', 'coBorrower.phone']
    order by at desc limit 200`,
}

/** What a lead's customer and co-borrower were called and reached by before it was changed. */
export async function listFormerContacts(
  db: Db,
  installerId: string,
  leadId: string,
): Promise<Partial<Contact>[]> {
  const rows = await db.query<Pick<EventText, 'changes'>>(formerStatement, [installerId, leadId])
  const former = (changes: EventText['changes'], prefix: string): Partial<Contact> => {
    const of = (field: string) => (changes[prefix + field]?.[0] as string | null | undefined) ?? null
    return { firstName: of('firstName'), lastName: of('lastName'), email: of('email'), phone: of('phone') }
  }
  return rows.flatMap(({ changes }) => [former(changes, ''), former(changes, 'coBorrower.')])
}

const allowStatement: Statement = {
  name: 'allow-erasing-events',
  text: `select set_config('sunstead.erased_lead', $1, true)`,
}

const saveStatement: Statement = {
  name: 'save-event-texts',
  text: `update events e set changes = s.changes, data = s.data
    from json_to_recordset($2) as s(at timestamptz, ordinal smallint, changes jsonb, data jsonb)
    where e.installer_id = $1 and e.at = s.at and e.ordinal = s.ordinal`,
}

/** The one way to change what is logged: for a lead that is erased, until the transaction ends. */
export async function saveEventTexts(
  tx: Db,
  installerId: string,
  leadId: string,
  events: readonly EventText[],
): Promise<void> {
  await tx.query(allowStatement, [leadId])
  await tx.query(saveStatement, [installerId, JSON.stringify(events)])
  await tx.query(allowStatement, [''])
}

const trailStatement: Statement = {
  name: 'erase-visitors',
  text: `update security_events s set address = null, device = null, once = null
    where s.installer_id = $1 and (s.at, s.ordinal) in (
      select at, ordinal from security_events where installer_id = $1 and coalesce(lead_id, subject_id) = $2
        and lead_id = $2 and actor_kind = 'visitor' and (address is not null or device is not null or once is not null) limit $3)
    returning s.ordinal`,
}

/** From where documents were opened by their address, which may be where the customer is; answers how many it were. */
export async function eraseVisitors(
  tx: Db,
  installerId: string,
  leadId: string,
  limit: number,
): Promise<number> {
  await tx.query(allowStatement, [leadId])
  const rows = await tx.query(trailStatement, [installerId, leadId, limit])
  await tx.query(allowStatement, [''])
  return rows.length
}
