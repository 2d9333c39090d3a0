import type { Db, Statement } from '../../../platform/db.ts'
import type { Reach } from '../../kernel/context.ts'
import { isOn } from '../../kernel/context.ts'
import type { Membership } from '../../kernel/tenant/member.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { CalendarKind } from './calendar.ts'

export interface CalendarRow {
  projectId: string
  kind: CalendarKind
  day: string
  productLine: ProductLine
  customer: string
  line1: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  stageId: string
  salesRep: string | null
  projectManager: string | null
  siteSurveyor: string | null
  subcontractor: string | null
  updatedAt: Date
}

export interface Span {
  from: string
  /** The last day that is in it. */
  to: string
  kind: CalendarKind | null
}

const statements = new Map<string, Statement>()

function entriesStatement(byCompany: boolean, own: boolean, byKind: boolean): Statement {
  const name = `calendar${byCompany ? '-company' : ''}${own ? '-own' : ''}${byKind ? '-kind' : ''}`
  const known = statements.get(name)
  if (known) return known
  let parameters = 4
  const filters = ['c.installer_id = $1', 'c.day >= $2', 'c.day <= $3']
  if (byCompany) filters.push(`project.company_id = $${++parameters}`)
  if (own) filters.push(isOn(`$${++parameters}`))
  if (byKind) filters.push(`c.kind = $${++parameters}`)
  const statement: Statement = {
    name,
    text: `select c.project_id as "projectId", c.kind, c.day, project.product_line as "productLine",
        concat_ws(' ', lead.first_name, lead.last_name) as customer, lead.line1, lead.city, lead.state,
        lead.postal_code as "postalCode", project.stage_id as "stageId", lead.sales_rep_id as "salesRep",
        project.project_manager_id as "projectManager", project.site_surveyor_id as "siteSurveyor",
        project.subcontractor_id as "subcontractor", project.updated_at as "updatedAt"
      from calendar_entries c
      join projects project on project.installer_id = c.installer_id and project.id = c.project_id
      join leads lead on lead.installer_id = project.installer_id and lead.id = project.lead_id
      where ${filters.join(' and ')} order by c.day, c.kind, c.project_id limit $4`,
  }
  statements.set(name, statement)
  return statement
}

/** The entries of these days that are there for the reader, in order of their days. */
export function listCalendarRows(
  db: Db,
  { installerId, companyId, memberId }: Reach,
  { from, to, kind }: Span,
  limit: number,
): Promise<CalendarRow[]> {
  const statement = entriesStatement(companyId !== null, Boolean(memberId), kind !== null)
  const filters = [companyId, memberId, kind].filter((value) => value)
  return db.query<CalendarRow>(statement, [installerId, from, to, limit, ...filters])
}

const saveFeedStatement: Statement = {
  name: 'save-calendar-feed',
  text: `insert into calendar_feeds (installer_id, member_id, token_hash, created_at) values ($1, $2, $3, $4)
    on conflict (installer_id, member_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at`,
}

export async function saveFeed(
  db: Db,
  installerId: string,
  memberId: string,
  tokenHash: Buffer,
  now: Date,
): Promise<void> {
  await db.query(saveFeedStatement, [installerId, memberId, tokenHash, now])
}

const deleteFeedStatement: Statement = {
  name: 'delete-calendar-feed',
  text: 'delete from calendar_feeds where installer_id = $1 and member_id = $2 returning member_id',
}

/** Whether the member had an address. */
export async function deleteFeed(db: Db, installerId: string, memberId: string): Promise<boolean> {
  return (await db.query(deleteFeedStatement, [installerId, memberId])).length > 0
}

const findFeedStatement: Statement = {
  name: 'find-calendar-feed',
  text: 'select created_at as "createdAt" from calendar_feeds where installer_id = $1 and member_id = $2',
}

/** Since when the member has an address; null where they have none. */
export async function findFeed(db: Db, installerId: string, memberId: string): Promise<Date | null> {
  const [row] = await db.query<{ createdAt: Date }>(findFeedStatement, [installerId, memberId])
  return row?.createdAt ?? null
}

const feedOwnerStatement: Statement = {
  name: 'calendar-feed-owner',
  text: `select m.id as "memberId", m.name, m.role, m.installer_id as "installerId", c.id as "companyId",
      c.name as "companyName", c.kind as "companyKind"
    from calendar_feeds f
    join members m on m.installer_id = f.installer_id and m.id = f.member_id
    join companies c on c.id = m.company_id join companies i on i.id = m.installer_id
    where f.token_hash = $1 and m.deactivated_at is null and c.status = 'active' and i.status = 'active'`,
}

/** The member whose address it is, while they work for an active company. */
export async function findFeedOwner(db: Db, tokenHash: Buffer): Promise<Membership | null> {
  const [row] = await db.query<Membership>(feedOwnerStatement, [tokenHash])
  return row ?? null
}
