import type { Db, Statement } from '../../../platform/db.ts'
import type { Reach } from '../../kernel/context.ts'
import { isOn } from '../../kernel/context.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'

export interface WaitingLead {
  id: string
  firstName: string | null
  lastName: string | null
  city: string | null
  source: string | null
  productLine: ProductLine
  salesRepId: string | null
  companyId: string
  createdAt: Date
}

const shownLeads = 6

const waiting = (name: string, condition: string): { list: Statement; count: Statement } => {
  const waits = `lead.status = 'new' and not lead.archived${condition}`
  return {
    list: {
      name: `home-waiting-leads${name}`,
      text: `select id, first_name as "firstName", last_name as "lastName", city, source_name as source,
          product_line as "productLine", sales_rep_id as "salesRepId", company_id as "companyId", created_at as "createdAt"
        from leads lead where lead.installer_id = $1 and ${waits} order by created_at desc, id desc limit ${shownLeads}`,
    },
    count: {
      name: `home-waiting-count${name}`,
      text: `select count(*)::int as total from leads lead where lead.installer_id = $1 and ${waits}`,
    },
  }
}
const waitingOfTenant = waiting('', '')
const waitingOfCompany = waiting('-company', ' and lead.company_id = $2')
const waitingOfMember = waiting(
  '-own',
  ' and ($2::text is null or lead.company_id = $2) and (lead.sales_rep_id = $3 or lead.setter_id = $3)',
)

/** Leads that nobody has spoken to yet: how many, and the newest. */
export async function readWaitingLeads(
  db: Db,
  { installerId, companyId, memberId }: Reach,
): Promise<{ total: number; leads: WaitingLead[] }> {
  const { list, count } = memberId ? waitingOfMember : companyId ? waitingOfCompany : waitingOfTenant
  const values = memberId ? [companyId, memberId] : companyId ? [companyId] : []
  const [leads, [counted]] = await Promise.all([
    db.query<WaitingLead>(list, [installerId, ...values]),
    db.query<{ total: number }>(count, [installerId, ...values]),
  ])
  return { total: counted!.total, leads }
}

export interface Visit {
  kind: 'install' | 'survey'
  day: string
  projectId: string
  firstName: string | null
  lastName: string | null
  city: string | null
  productLine: ProductLine
}

/** The most visits of one week that are shown. */
export const mostVisits = 100

const visits = (name: string, condition: string): Statement => ({
  name: `home-visits${name}`,
  text: `select entry.kind, entry.day, project.id as "projectId", lead.first_name as "firstName",
      lead.last_name as "lastName", lead.city, lead.product_line as "productLine"
    from calendar_entries entry
      join projects project on project.installer_id = $1 and project.id = entry.project_id
      join leads lead on lead.installer_id = $1 and lead.id = project.lead_id
    where entry.installer_id = $1 and entry.day between $2 and $3${condition}
    order by entry.day, entry.kind, entry.project_id limit ${mostVisits}`,
})
const visitsOfTenant = visits('', '')
const visitsOfCompany = visits('-company', ' and project.company_id = $4')
const visitsOfMember = visits(
  '-own',
  ` and ($4::text is null or project.company_id = $4) and ${isOn('$5::text')}`,
)

/** Surveys and installs of these days, in order. */
export function listVisits(
  db: Db,
  { installerId, companyId, memberId }: Reach,
  from: string,
  to: string,
): Promise<Visit[]> {
  const statement = memberId ? visitsOfMember : companyId ? visitsOfCompany : visitsOfTenant
  const values = memberId ? [companyId, memberId] : companyId ? [companyId] : []
  return db.query<Visit>(statement, [installerId, from, to, ...values])
}
