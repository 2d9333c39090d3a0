import type { Db, Statement } from '../../../platform/db.ts'
import { isId, isReference } from '../../../platform/ids.ts'
import { isOn, type LineScope, type Scope } from '../../kernel/context.ts'
import type { FileEntry } from '../files/file.ts'
import { leadColumns, leadFrom } from '../leads/columns.ts'
import type { Lead } from '../leads/lead.ts'
import { projectColumns, projectFrom } from '../projects/columns.ts'
import type { Project } from '../projects/project.ts'
import { perPage } from '../renderings/counted-lists.ts'

/** A lead with what it became. The two are rendered from each other, so they are changed together. */
export interface Deal {
  lead: Lead
  project: Project | null
  files: FileEntry[]
}

export type SoldDeal = Deal & { project: Project }

type Named = readonly (readonly [name: string, type: string, ...unknown[]])[]

const namesOf = (columns: Named) => ['installer_id', 'updated_at', ...columns.map(([name]) => name)]
const leadNames = namesOf(leadColumns)
const projectNames = namesOf(projectColumns)

/** A record as one JSON array: the driver's cost is by the column. Decimals go as text, to stay exact. */
function asArray(table: string, columns: Named): string {
  const decimals = new Set(columns.filter(([, type]) => type === 'numeric').map(([name]) => name))
  const values = namesOf(columns).map((name) => `${table}.${name}${decimals.has(name) ? '::text' : ''}`)
  return `json_build_array(${values.join(', ')}) as ${table}`
}

/** The select list that `dealFrom` reads, from a `lead` and a `project`. */
export const dealSelect = `select ${asArray('lead', leadColumns)}, ${asArray('project', projectColumns)},
    (select json_agg(json_build_object('id', f.id, 'folder', f.folder, 'name', f.name, 'token', f.token)
        order by f.added_at, f.ordinal, f.id)
      from files f
      where f.installer_id = lead.installer_id and f.project_id = lead.project_id and f.revoked_at is null) as files`

const dealJoin = `leads lead left join projects project
  on project.installer_id = lead.installer_id and project.id = lead.project_id`

export interface DealRow {
  lead: unknown[]
  project: unknown[]
  files: FileEntry[] | null
}

export function dealFrom(row: DealRow): Deal {
  const named = (names: string[], values: unknown[]) =>
    Object.fromEntries(names.map((name, i) => [name, values[i]]))
  return {
    lead: leadFrom(named(leadNames, row.lead)),
    project: projectFrom(named(projectNames, row.project)),
    files: row.files ?? [],
  }
}

const mine = `lead.installer_id = $1 and ($3::text is null or lead.company_id = $3)
    and ($4::text is null or lead.product_line = $4)`

interface Finder {
  ofAll: Statement
  /** For those who see only their own. */
  ofOwn: Statement
}

function finder(name: string, text: string): Finder {
  return {
    ofAll: { shared: 'read', name, text },
    ofOwn: { shared: 'read', name: `own-${name}`, text: `${text} and ${isOn('$5')}` },
  }
}

const byLead = (name: string, condition: string): Finder =>
  finder(name, `${dealSelect} from ${dealJoin} where ${mine} and ${condition}`)
const byProject = (name: string, condition: string): Finder =>
  finder(
    name,
    `${dealSelect} from projects project
    join leads lead on lead.installer_id = project.installer_id and lead.id = project.lead_id
    where ${mine} and project.installer_id = $1 and ${condition}`,
  )
const byLeadId = byLead('deal-by-lead-id', 'lead.id = $2')
const byLeadReference = byLead('deal-by-lead-reference', 'lead.reference = $2')
const byProjectId = byProject('deal-by-project-id', 'project.id = $2')
const byProjectReference = byProject('deal-by-project-reference', 'project.reference = $2')

async function find(db: Db, { ofAll, ofOwn }: Finder, scope: Scope, key: string): Promise<Deal | null> {
  const { installerId, companyId, productLine, memberId } = scope
  const values = [installerId, key, companyId, productLine]
  const [row] = memberId
    ? await db.query<DealRow>(ofOwn, [...values, memberId])
    : await db.query<DealRow>(ofAll, values)
  return row ? dealFrom(row) : null
}

/** A lead by its id or reference. */
export async function findLeadDeal(db: Db, scope: Scope, key: string): Promise<Deal | null> {
  if (isId(key, 'lead')) return find(db, byLeadId, scope, key)
  if (isReference(key)) return find(db, byLeadReference, scope, key)
  return null
}

/** A project by its id or reference, or by its lead's. */
export async function findProjectDeal(db: Db, scope: Scope, key: string): Promise<SoldDeal | null> {
  let deal: Deal | null = null
  if (isId(key, 'proj')) deal = await find(db, byProjectId, scope, key)
  else if (isId(key, 'lead')) deal = await find(db, byLeadId, scope, key)
  else if (isReference(key)) {
    deal = (await find(db, byProjectReference, scope, key)) ?? (await find(db, byLeadReference, scope, key))
  }
  return deal?.project ? (deal as SoldDeal) : null
}

const dealPage = (byCompany: boolean): Statement => ({
  name: `deal-page${byCompany ? '-company' : ''}`,
  text: `${dealSelect} from ${dealJoin}
    where lead.installer_id = $1 and lead.product_line = $2 and lead.updated_at <= $3${byCompany ? ' and lead.company_id = $4' : ''}
    order by lead.updated_at desc limit ${perPage + 1}`,
})
const dealPageOfTenant = dealPage(false)
const dealPageOfCompany = dealPage(true)

/** The page of leads, with what they became, that begins with the one changed at `start`. */
export async function readDealPage(db: Db, scope: LineScope, start: Date) {
  const { installerId, companyId, productLine } = scope
  const statement = companyId === null ? dealPageOfTenant : dealPageOfCompany
  const values = [installerId, productLine, start.toISOString()]
  const found = await db.query<DealRow>(statement, companyId === null ? values : [...values, companyId])
  const deals = found.map(dealFrom)
  return { rows: deals.slice(0, perPage), next: deals[perPage]?.lead.updatedAt ?? null }
}
