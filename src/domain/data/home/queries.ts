import type { Db } from '../../../platform/db.ts'
import { day, instant, json, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one } from '../../../platform/sql/statements.ts'
import { findWhose, ownLeads } from '../../deals/assignments/own-deals.ts'
import { isOnDeal, type Scope } from '../../kernel/context.ts'
import { type Figure, figureOf } from '../../kernel/counted.ts'
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

/** How many of the leads that wait are shown: the newest, or those that have waited longest. */
const maxLeads = { newest: 6, oldest: 25 }
type FirstLeads = keyof typeof maxLeads

const waitingLead = row<WaitingLead>({
  id: text,
  firstName: text,
  lastName: text,
  city: text,
  source: text,
  productLine: text,
  salesRepId: text,
  companyId: text,
  createdAt: instant,
})

interface Waiting extends Scope {
  /** Whether the member is on little, so that all of it is looked through. */
  few: boolean
}

/** The condition on the company is that of an index of the dealers' leads. */
const waiting = ($: Params<Waiting>) => sql`
  from ${when($.few, ownLeads($), sql`leads`)} lead
  where lead.installer_id = ${$.installerId} and lead.status = 'new' and not lead.archived
    ${when($.companyId, sql`and lead.company_id <> lead.installer_id and lead.company_id = ${$.companyId}`)}
    ${when($.memberId, sql`and (lead.sales_rep_id = ${$.memberId} or lead.setter_id = ${$.memberId})`)}`

const listWaiting = many(
  waitingLead,
  ($: Params<Waiting & { first: FirstLeads }>) => sql`
    select ${select(waitingLead, 'lead', { source: sql`lead.source_name` })} ${waiting($)}
    ${pick($.first, {
      newest: sql`order by lead.created_at desc, lead.id desc limit ${raw(maxLeads.newest)}`,
      oldest: sql`order by lead.created_at, lead.id limit ${raw(maxLeads.oldest)}`,
    })}`,
)

const countWaiting = one(
  row<{ total: Figure }>({ total: json }),
  ($: Params<Waiting>) => sql`select ${figureOf(waiting($))} as total`,
)

/** Leads that nobody has spoken to yet: how many, as far as is counted, and the first of them. */
export async function readWaitingLeads(
  db: Db,
  scope: Scope,
  first: FirstLeads,
): Promise<{ total: Figure; leads: WaitingLead[] }> {
  const wanted = { ...scope, few: (await findWhose(db, scope)) === 'few' }
  const [leads, { total }] = await Promise.all([
    listWaiting(db, { ...wanted, first }),
    countWaiting(db, wanted),
  ])
  return { total, leads }
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
export const maxVisits = 100

const visit = row<Visit>({
  kind: text,
  day,
  projectId: text,
  firstName: text,
  lastName: text,
  city: text,
  productLine: text,
})

/** Surveys and installs of these days, in order. */
export const listVisits = many(
  visit,
  ($: Params<Scope & { from: string; to: string }>) => sql`
    select ${select(visit, 'lead', {
      kind: sql`entry.kind`,
      day: sql`entry.day`,
      projectId: sql`project.id`,
    })}
    from calendar_entries entry
      join projects project on project.installer_id = ${$.installerId} and project.id = entry.project_id
      join leads lead on lead.installer_id = ${$.installerId} and lead.id = project.lead_id
    where entry.installer_id = ${$.installerId} and entry.day between ${$.from} and ${$.to}
      ${when($.companyId, sql`and project.company_id = ${$.companyId}`)}
      ${when($.memberId, sql`and ${isOnDeal($.memberId)}`)}
    order by entry.day, entry.kind, entry.project_id limit ${raw(maxVisits)}`,
)
