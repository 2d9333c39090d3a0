import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Deal } from '../../src/domain/deals/changes/deal.ts'
import { leadColumns } from '../../src/domain/deals/leads/columns.ts'
import { renderLead } from '../../src/domain/deals/leads/render.ts'
import { projectColumns } from '../../src/domain/deals/projects/columns.ts'
import { renderProject } from '../../src/domain/deals/projects/render.ts'
import { renderLegacyProject } from '../../src/domain/deals/projects/render-legacy.ts'
import type { Directory } from '../../src/domain/kernel/tenant/directory.ts'

type Row = Record<string, unknown>
type Columns = typeof leadColumns | typeof projectColumns

/** Rows by table, in an order that foreign keys allow. */
export type Rows = Record<'leads' | 'projects' | 'files' | 'checklist_items' | 'activities' | 'events', Row[]>

export const noRows = (): Rows => ({
  leads: [],
  projects: [],
  files: [],
  checklist_items: [],
  activities: [],
  events: [],
})

function recordRow<T>(columns: Columns, record: T): Row {
  const row: Row = {}
  for (const [column, type, , value] of columns) {
    const found = (value as (record: T) => unknown)(record) ?? null
    row[column] = type === 'jsonb' && typeof found === 'string' ? JSON.parse(found) : found
  }
  return row
}

export function leadRow({ lead, project }: Deal, directory: Directory, updatedAt: string): Row {
  return {
    ...recordRow(leadColumns, lead),
    installer_id: lead.installerId,
    updated_at: lead.updatedAt,
    rendering: renderLead(lead, project?.reference ?? null, directory, updatedAt),
  }
}

export function projectRow({ lead, project, files }: Deal, directory: Directory, updatedAt: string): Row {
  const { row, full, dealer } = renderProject(project!, lead, files, directory, updatedAt)
  return {
    ...recordRow(projectColumns, project),
    installer_id: lead.installerId,
    updated_at: project!.updatedAt,
    row_rendering: row,
    rendering: full,
    dealer_rendering: dealer,
    legacy_rendering: renderLegacyProject({ lead, project: project!, files }, directory),
  }
}

/** Adds everything that the deal's writes would have left in the database. */
export function addDeal(rows: Rows, deal: Deal, directory: Directory): void {
  const { lead, project, files } = deal
  const shared = { installer_id: lead.installerId, lead_id: lead.id, company_id: lead.companyId }
  const noted = { ...shared, at: lead.updatedAt, ordinal: 0 }
  rows.leads.push(leadRow(deal, directory, lead.updatedAt.toISOString()))
  rows.activities.push({
    ...noted,
    id: `act_${lead.id.slice(5)}`,
    type: 'leadCreated',
    body: 'Lead created',
    internal: false,
    customer_facing: false,
    author: 'bench',
  })
  rows.events.push({
    ...noted,
    type: 'lead.created',
    subject_id: lead.id,
    actor_kind: 'key',
    actor_name: 'bench',
    changes: {},
  })
  if (!project) return
  rows.projects.push(projectRow(deal, directory, project.updatedAt.toISOString()))
  const labels = directory.stages.get(project.stageId)?.checklist ?? []
  const ours = { installer_id: lead.installerId, project_id: project.id }
  for (const [i, label] of labels.entries()) {
    rows.checklist_items.push({ ...ours, stage_id: project.stageId, ordinal: i + 1, label })
  }
  for (const [ordinal, file] of files.entries()) {
    const hash = `\\x${createHash('sha256').update(file.token).digest('hex')}`
    rows.files.push({
      ...ours,
      ...file,
      company_id: lead.companyId,
      source_url: `https://files.example.com/${file.token}/${file.name}`,
      source_hash: hash,
      store_key: `${project.id}/${file.id}`,
      type: 'application/pdf',
      extension: 'pdf',
      inline: true,
      size: 182_311,
      sha256: hash,
      added_at: project.updatedAt,
      ordinal,
    })
  }
}

/** One insert a table, the rows as one JSON text: about as fast as COPY, which the driver does not speak. */
export async function insertRows(client: pg.Client, rows: Rows): Promise<void> {
  for (const [table, all] of Object.entries(rows)) {
    if (all.length === 0) continue
    const columns = Object.keys(all[0]!).join(', ')
    await client.query({
      name: `seed-${table}`,
      text: `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
      values: [JSON.stringify(all)],
    })
  }
}
