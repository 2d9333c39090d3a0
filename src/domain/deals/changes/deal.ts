import type { Db } from '../../../platform/db.ts'
import { isId, isReference } from '../../../platform/ids.ts'
import { json, row } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne } from '../../../platform/sql/statements.ts'
import { isOnDeal, type LineScope, type Scope } from '../../kernel/context.ts'
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
function asArray(table: string, columns: Named): Fragment {
  const decimals = new Set(columns.filter(([, type]) => type === 'numeric').map(([name]) => name))
  const values = namesOf(columns).map((name) => `${table}.${name}${decimals.has(name) ? '::text' : ''}`)
  return raw(`json_build_array(${values.join(', ')}) as ${table}`)
}

/** The select list that `dealFrom` reads, from a `lead` and a `project`. */
export const dealSelect = sql`select ${asArray('lead', leadColumns)}, ${asArray('project', projectColumns)},
    (select json_agg(json_build_object('id', f.id, 'folder', f.folder, 'name', f.name, 'token', f.token)
        order by f.added_at, f.ordinal, f.id)
      from files f
      where f.installer_id = lead.installer_id and f.project_id = lead.project_id and f.revoked_at is null) as files`

const dealJoin = sql`leads lead left join projects project
  on project.installer_id = lead.installer_id and project.id = lead.project_id`

export interface DealRow {
  lead: unknown[]
  project: unknown[]
  files: FileEntry[] | null
}

const dealRow = row<DealRow>({ lead: json, project: json, files: json })

export function dealFrom(row: DealRow): Deal {
  const named = (names: string[], values: unknown[]) =>
    Object.fromEntries(names.map((name, i) => [name, values[i]]))
  return {
    lead: leadFrom(named(leadNames, row.lead)),
    project: projectFrom(named(projectNames, row.project)),
    files: row.files ?? [],
  }
}

interface Wanted extends Scope {
  key: string
}

const dealBy = (from: Fragment, column: Fragment) =>
  maybeOne(
    dealRow,
    ($: Params<Wanted>) => sql`${dealSelect} from ${from}
      where lead.installer_id = ${$.installerId} and (${$.companyId}::text is null or lead.company_id = ${$.companyId})
        and (${$.productLine}::text is null or lead.product_line = ${$.productLine})
        and ${column} = ${$.key} ${when($.memberId, sql`and ${isOnDeal($.memberId)}`)}`,
    { shared: 'read' },
  )

const byLead = (column: Fragment) => dealBy(dealJoin, column)
const byProject = (column: Fragment) =>
  dealBy(
    sql`projects project
      join leads lead on lead.installer_id = project.installer_id and lead.id = project.lead_id`,
    column,
  )
const byLeadId = byLead(sql`lead.id`)
const byLeadReference = byLead(sql`lead.reference`)
const byProjectId = byProject(sql`project.id`)
const byProjectReference = byProject(sql`project.reference`)

async function find(db: Db, finder: typeof byLeadId, scope: Scope, key: string): Promise<Deal | null> {
  const found = await finder(db, { ...scope, key })
  return found && dealFrom(found)
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

const dealPage = many(
  dealRow,
  ($: Params<LineScope & { start: string }>) => sql`${dealSelect} from ${dealJoin}
    where lead.installer_id = ${$.installerId} and lead.product_line = ${$.productLine} and lead.updated_at <= ${$.start}
      ${when($.companyId, sql`and lead.company_id = ${$.companyId}`)}
    order by lead.updated_at desc limit ${raw(perPage + 1)}`,
)

/** The page of leads, with what they became, that begins with the one changed at `start`. */
export async function readDealPage(db: Db, scope: LineScope, start: Date) {
  const deals = (await dealPage(db, { ...scope, start: start.toISOString() })).map(dealFrom)
  const rows = deals.slice(0, perPage)
  const changed = (at: number) => deals[at]?.lead.updatedAt ?? null
  return { rows, count: rows.length, first: changed(0), next: changed(perPage) }
}
