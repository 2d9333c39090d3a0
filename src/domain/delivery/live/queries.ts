import { instant, integer, row, select, text, texts } from '../../../platform/sql/row.ts'
import { join, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import { isOnDeal } from '../../kernel/context.ts'
import type { Role } from '../../kernel/tenant/member.ts'

export interface Clock {
  installerId: string
  now: Date
  /** Counts the changes of companies, members and ladders. */
  version: number
}

const clock = row<Clock>({ installerId: text, now: instant, version: integer })

export const listClocks = many(
  clock,
  ($: Params<{ installerIds: readonly string[] }>) => sql`
    select ${select(clock, '', { version: sql`directory_version` })} from tenant_clocks
    where installer_id = any(${$.installerIds}::text[])`,
  { shared: 'read', across: 'of all tenants that somebody listens to, whether anything happened' },
)

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
export const maxChanges = 200

const slots = ['salesRepId', 'setterId', 'projectManagerId', 'siteSurveyorId', 'subcontractorId']

const loggedChange = row<LoggedChange>({
  at: instant,
  type: text,
  companyId: text,
  leadId: text,
  projectId: text,
  takenOff: texts,
})
const taken = join(slots.map((slot) => raw(`e.changes->'${slot}'->>0`)))

/** Of what happened at an installation, the lead that it came from: who is on that is told. */
const leadAt = ($: Params<{ installerId: string }>) => sql`coalesce(e.lead_id, (
    select p.lead_id from installations i join projects p on p.installer_id = i.installer_id and p.id = i.project_id
    where i.installer_id = ${$.installerId} and i.id = case split_part(e.type, '.', 1) when 'installation' then e.subject_id
      when 'alert' then (
        select a.installation_id from alerts a where a.installer_id = ${$.installerId} and a.id = e.subject_id) end))`

/** What happened after a time and until another, from the oldest. */
export const listChanges = many(
  loggedChange,
  ($: Params<{ installerId: string; after: Date; until: Date }>) => sql`
    select ${select(loggedChange, 'e', { leadId: leadAt($), takenOff: sql`array_remove(array[${taken}], null)` })} from events e
    where e.installer_id = ${$.installerId} and e.at > ${$.after}::timestamptz and e.at <= ${$.until}::timestamptz
    order by e.at, e.ordinal limit ${raw(maxChanges + 1)}`,
  { shared: 'read' },
)

interface Asked {
  installerId: string
  leadIds: readonly string[]
  memberIds: readonly string[]
}

/** Which of these members are on which of these leads, or on their projects. */
export const listWhoIsOn = many(
  row<{ leadId: string; memberId: string }>({ leadId: text, memberId: text }),
  ($: Params<Asked>) => sql`
    select lead.id as "leadId", member.id as "memberId"
    from leads lead left join projects project
        on project.installer_id = ${$.installerId} and project.id = lead.project_id
      join unnest(${$.memberIds}::text[]) as member(id) on ${isOnDeal(sql`member.id`)}
    where lead.installer_id = ${$.installerId} and lead.id = any(${$.leadIds}::text[])`,
  { shared: 'read' },
)

export interface LiveSession {
  id: string
  memberId: string
  role: Role
}

const liveSession = row<LiveSession>({ id: text, memberId: text, role: text })

/** Of these sessions those that go on, each with every member that its person may be in it. */
export const listLiveSessions = many(
  liveSession,
  ($: Params<{ ids: readonly string[]; now: Date }>) => sql`
    select ${select(liveSession, 's', { memberId: sql`m.id`, role: sql`m.role` })}
    from auth_sessions s
      join members m on m.user_id = s."userId" and m.deactivated_at is null
      join companies c on c.id = m.company_id and c.installer_id = m.installer_id and c.status = 'active'
      join companies i on i.id = m.installer_id and i.status = 'active'
    where s.id = any(${$.ids}::text[]) and s."expiresAt" > ${$.now}
      and (not c.second_factor_required or m.role not in ('owner', 'admin')
        or (s."secondFactor" and m.factor_lost_at is null))`,
  { shared: 'read', across: 'a session is of a person, who may be a member of several companies' },
)
