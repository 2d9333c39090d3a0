import { day, instant, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { exists, many, maybeOne, maybeScalar, run } from '../../../platform/sql/statements.ts'
import { isOnDeal, type Scope } from '../../kernel/context.ts'
import type { Membership } from '../../kernel/tenant/member.ts'
import type { CalendarKind, CustomerVisit } from './calendar.ts'

export interface CalendarRow extends CustomerVisit {
  stageId: string
  salesRep: string | null
  projectManager: string | null
  siteSurveyor: string | null
  subcontractor: string | null
}

const calendarRow = row<CalendarRow>({
  projectId: text,
  kind: text,
  day,
  productLine: text,
  customer: text,
  line1: text,
  city: text,
  state: text,
  postalCode: text,
  stageId: text,
  salesRep: text,
  projectManager: text,
  siteSurveyor: text,
  subcontractor: text,
  updatedAt: instant,
})

export interface Span {
  from: string
  /** The last day that is in it. */
  to: string
  kind: CalendarKind | null
}

/** The entries of these days that are there for the reader, in order of their days. */
export const listCalendarRows = many(
  calendarRow,
  ($: Params<Scope & Span & { limit: number }>) => sql`
    select c.project_id as "projectId", c.kind, c.day, project.product_line as "productLine",
      concat_ws(' ', lead.first_name, lead.last_name) as customer, lead.line1, lead.city, lead.state,
      lead.postal_code as "postalCode", project.stage_id as "stageId", lead.sales_rep_id as "salesRep",
      project.project_manager_id as "projectManager", project.site_surveyor_id as "siteSurveyor",
      project.subcontractor_id as "subcontractor", project.updated_at as "updatedAt"
    from calendar_entries c
    join projects project on project.installer_id = c.installer_id and project.id = c.project_id
    join leads lead on lead.installer_id = project.installer_id and lead.id = project.lead_id
    where c.installer_id = ${$.installerId} and c.day >= ${$.from} and c.day <= ${$.to}
      ${when($.companyId, sql`and project.company_id = ${$.companyId}`)}
      ${when($.memberId, sql`and ${isOnDeal($.memberId)}`)} ${when($.kind, sql`and c.kind = ${$.kind}`)}
    order by c.day, c.kind, c.project_id limit ${$.limit}`,
)

interface OfMember {
  installerId: string
  memberId: string
}

export const saveFeed = run(
  ($: Params<OfMember & { tokenHash: Buffer; now: Date }>) => sql`
    insert into calendar_feeds (installer_id, member_id, token_hash, created_at)
    values (${$.installerId}, ${$.memberId}, ${$.tokenHash}, ${$.now})
    on conflict (installer_id, member_id)
      do update set token_hash = excluded.token_hash, created_at = excluded.created_at`,
)

/** Whether the member had an address. */
export const deleteFeed = exists(
  ($: Params<OfMember>) => sql`
    delete from calendar_feeds where installer_id = ${$.installerId} and member_id = ${$.memberId}
    returning member_id`,
)

/** Since when the member has an address; null where they have none. */
export const findFeed = maybeScalar(
  { createdAt: instant },
  ($: Params<OfMember>) => sql`
    select created_at as "createdAt" from calendar_feeds
    where installer_id = ${$.installerId} and member_id = ${$.memberId}`,
)

type FeedOwner = Omit<Membership, 'secondFactorRequired' | 'factorLost'>

const feedOwner = row<FeedOwner>({
  memberId: text,
  name: text,
  role: text,
  installerId: text,
  companyId: text,
  companyName: text,
  companyKind: text,
})

/** The member whose address it is, while they work for an active company. */
export const findFeedOwner = maybeOne(
  feedOwner,
  ($: Params<{ tokenHash: Buffer }>) => sql`
    select ${select(feedOwner, 'm', { memberId: sql`m.id`, companyName: sql`c.name`, companyKind: sql`c.kind` })}
    from calendar_feeds f
    join members m on m.installer_id = f.installer_id and m.id = f.member_id
    join companies c on c.id = m.company_id join companies i on i.id = m.installer_id
    where f.token_hash = ${$.tokenHash} and m.deactivated_at is null and c.status = 'active' and i.status = 'active'`,
  { across: 'who reads a calendar is known by the secret of its address alone' },
)
