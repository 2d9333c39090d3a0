import type { Db, Statement } from '../../platform/db.ts'
import { isId, isReference } from '../../platform/ids.ts'
import type { FileEntry } from '../files/file.ts'
import { leadColumns, leadFrom } from '../leads/columns.ts'
import type { Lead } from '../leads/lead.ts'
import { projectColumns, projectFrom } from '../projects/columns.ts'
import type { Project } from '../projects/project.ts'

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

const mine = `lead.installer_id = $1 and ($3::text is null or lead.company_id = $3)`
const byLeadId: Statement = {
  shared: 'read',
  name: 'deal-by-lead-id',
  text: `${dealSelect} from ${dealJoin} where ${mine} and lead.id = $2`,
}
const byLeadReference: Statement = {
  shared: 'read',
  name: 'deal-by-lead-reference',
  text: `${dealSelect} from ${dealJoin} where ${mine} and lead.reference = $2`,
}
const byProjectId: Statement = {
  shared: 'read',
  name: 'deal-by-project-id',
  text: `${dealSelect} from projects project
    join leads lead on lead.installer_id = project.installer_id and lead.id = project.lead_id
    where ${mine} and project.installer_id = $1 and project.id = $2`,
}
const byProjectReference: Statement = {
  shared: 'read',
  name: 'deal-by-project-reference',
  text: `${dealSelect} from projects project
    join leads lead on lead.installer_id = project.installer_id and lead.id = project.lead_id
    where ${mine} and project.installer_id = $1 and project.reference = $2`,
}

async function find(
  db: Db,
  statement: Statement,
  installerId: string,
  key: string,
  companyId: string | null,
) {
  const [row] = await db.query<DealRow>(statement, [installerId, key, companyId])
  return row ? dealFrom(row) : null
}

/** A lead by its id or reference, among the tenant's or one company's. */
export async function findLeadDeal(
  db: Db,
  installerId: string,
  companyId: string | null,
  key: string,
): Promise<Deal | null> {
  if (isId(key, 'lead')) return find(db, byLeadId, installerId, key, companyId)
  if (isReference(key)) return find(db, byLeadReference, installerId, key, companyId)
  return null
}

/** A project by its id or reference, or by its lead's. */
export async function findProjectDeal(
  db: Db,
  installerId: string,
  companyId: string | null,
  key: string,
): Promise<SoldDeal | null> {
  let deal: Deal | null = null
  if (isId(key, 'proj')) deal = await find(db, byProjectId, installerId, key, companyId)
  else if (isId(key, 'lead')) deal = await find(db, byLeadId, installerId, key, companyId)
  else if (isReference(key)) {
    deal =
      (await find(db, byProjectReference, installerId, key, companyId)) ??
      (await find(db, byLeadReference, installerId, key, companyId))
  }
  return deal?.project ? (deal as SoldDeal) : null
}
