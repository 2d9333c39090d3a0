import type { Db, Statement } from '../../../platform/db.ts'
import { isOn } from '../../kernel/context.ts'
import type { Role } from '../../kernel/tenant/member.ts'

export interface Clock {
  installerId: string
  now: Date
  /** Counts the changes of companies, members and ladders. */
  version: number
}

const clocksStatement: Statement = {
  shared: 'read',
  name: 'live-clocks',
  text: `select installer_id as "installerId", now, directory_version as version
    from tenant_clocks where installer_id = any($1)`,
}

export function listClocks(db: Db, installerIds: readonly string[]): Promise<Clock[]> {
  return db.query<Clock>(clocksStatement, [installerIds])
}

/** Something that happened, and when. */
export interface LoggedChange {
  at: Date
  type: string
  companyId: string
  leadId: string | null
  projectId: string | null
  /** Who was on the record before it, in a place that it gave to another or to nobody. */
  takenOff: string[]
}

/** More than this is not told one by one. */
export const mostChanges = 200

const slots = ['salesRepId', 'setterId', 'projectManagerId', 'siteSurveyorId', 'subcontractorId']

const changesStatement: Statement = {
  shared: 'read',
  name: 'live-changes',
  text: `select at, type, company_id as "companyId", lead_id as "leadId", project_id as "projectId",
      array_remove(array[${slots.map((slot) => `changes->'${slot}'->>0`).join(', ')}], null) as "takenOff"
    from events where installer_id = $1 and at > $2::timestamptz and at <= $3::timestamptz
    order by at, ordinal limit ${mostChanges + 1}`,
}

/** What happened after a time and until another, from the oldest. */
export function listChanges(db: Db, installerId: string, after: Date, until: Date): Promise<LoggedChange[]> {
  return db.query<LoggedChange>(changesStatement, [installerId, after.toISOString(), until.toISOString()])
}

const ownLeadsStatement: Statement = {
  shared: 'read',
  name: 'live-own-leads',
  text: `select lead.id as "leadId", member.id as "memberId"
    from leads lead left join projects project on project.installer_id = $1 and project.id = lead.project_id
      join unnest($3::text[]) as member(id) on ${isOn('member.id')}
    where lead.installer_id = $1 and lead.id = any($2)`,
}

/** Which of these members are on which of these leads, or on their projects. */
export function listWhoIsOn(
  db: Db,
  installerId: string,
  leadIds: readonly string[],
  memberIds: readonly string[],
): Promise<{ leadId: string; memberId: string }[]> {
  return db.query(ownLeadsStatement, [installerId, leadIds, memberIds])
}

export interface LiveSession {
  id: string
  memberId: string
  role: Role
}

const sessionsStatement: Statement = {
  shared: 'read',
  name: 'live-sessions',
  text: `select s.id, m.id as "memberId", m.role
    from auth_sessions s
      join members m on m.user_id = s."userId" and m.deactivated_at is null
      join companies c on c.id = m.company_id and c.installer_id = m.installer_id and c.status = 'active'
      join companies i on i.id = m.installer_id and i.status = 'active'
    where s.id = any($1) and s."expiresAt" > $2
      and (not c.second_factor_required or m.role not in ('owner', 'admin')
        or (s."secondFactor" and m.factor_lost_at is null))`,
}

/** Of these sessions those that go on, each with every member that its person may be in it. */
export function listLiveSessions(db: Db, ids: readonly string[], now: Date): Promise<LiveSession[]> {
  return db.query<LiveSession>(sessionsStatement, [ids, now.toISOString()])
}
