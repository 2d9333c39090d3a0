import { csvLineForSpreadsheets } from '../../../platform/tables/csv-text.ts'
import type { SoldDeal } from '../../deals/changes/deal.ts'
import { loadRenderedDeals } from '../../deals/renderings/queries.ts'
import { asSeenBy, withBaseUrl } from '../../deals/renderings/rendering.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { leadCells, leadHeader, projectCells, projectHeader } from './deal-cells.ts'
import type { ExportFolder } from './export-folder.ts'
import { listLeadIds } from './queries.ts'

const atOnce = 500

/**
 * Leads and projects as the API reads them, and as CSV that an import reads back: there a sold lead stands with its
 * project, and what is archived stays behind.
 */
export async function exportDeals(
  { db, directories, actor }: Context,
  folder: ExportFolder,
  baseUrl: string,
): Promise<void> {
  const leads = await folder.open('leads.ndjson')
  const projects = await folder.open('projects.ndjson')
  const leadTable = await folder.open('leads.csv')
  const projectTable = await folder.open('projects.csv')
  await leadTable.write([csvLineForSpreadsheets(leadHeader)], 0)
  await projectTable.write([csvLineForSpreadsheets(projectHeader)], 0)
  const [installerId, companyId] = [actor.installerId, confinedTo(actor)]
  const directory = await directories.current(db, installerId)
  const seen = (text: string) => `${withBaseUrl(asSeenBy(actor.companyKind, text), baseUrl)}\n`
  for (let after = ''; ; ) {
    const { ids, deals } = await db.reading(installerId, 'clocked', async (from) => {
      const found = await listLeadIds(from, { installerId, companyId, after, limit: atOnce })
      const ids = found.map(({ id }) => id)
      return { ids, deals: await loadRenderedDeals(from, installerId, ids) }
    })
    if (ids.length === 0) break
    after = ids.at(-1)!
    await leads.write(deals.map(({ stored }) => seen(stored.lead)))
    const sold = deals.filter((deal): deal is typeof deal & SoldDeal => deal.project !== null)
    await projects.write(
      sold.map(({ stored }) => {
        const { full, dealer } = stored.project!
        return seen(actor.companyKind === 'dealer' ? (dealer ?? full) : full)
      }),
    )
    const kept = deals.filter(({ lead }) => !lead.archived)
    await leadTable.write(
      kept.filter((deal) => !deal.project).map((deal) => csvLineForSpreadsheets(leadCells(deal, directory))),
    )
    await projectTable.write(
      sold
        .filter(({ lead }) => !lead.archived)
        .map((deal) => csvLineForSpreadsheets(projectCells(deal, directory))),
    )
  }
  for (const file of [leads, projects, leadTable, projectTable]) await file.close()
}
