import type { Db } from '../../platform/db.ts'
import type { Directory } from '../companies/directory.ts'
import { loadDirectory } from '../companies/queries.ts'
import { renderLead } from '../leads/render.ts'
import { type ProjectRenderings, renderProject } from '../projects/render.ts'
import {
  leadsShowing,
  listLeadIds,
  loadRenderedDeals,
  type RenderedDeal,
  type Rerendered,
  type Source,
  saveRenderings,
  takeTimes,
} from './queries.ts'

const batch = 500

interface Stale {
  lead: boolean
  project: boolean
}

/** Whether what is stored is still what would be rendered now. */
function staleness(deal: RenderedDeal, directory: Directory): Stale {
  const lead = renderLead(
    deal.lead,
    deal.project?.reference ?? null,
    directory,
    deal.lead.updatedAt.toISOString(),
  )
  if (!deal.project) return { lead: lead !== deal.stored.lead, project: false }
  const now = renderProject(
    deal.project,
    deal.lead,
    deal.files,
    directory,
    deal.project.updatedAt.toISOString(),
  )
  const { row, full, dealer } = deal.stored.project!
  return {
    lead: lead !== deal.stored.lead,
    project: now.row !== row || now.full !== full || now.dealer !== dealer,
  }
}

/**
 * Renders again what shows a renamed member, stage or company, inside the transaction that renames
 * it and that holds the tenant's lock. Each record gets a time of its own, so that no syncing client
 * misses one.
 */
export async function rerender(
  tx: Db,
  now: Date,
  installerId: string,
  source: Source,
  id: string,
): Promise<void> {
  const directory = await loadDirectory(tx, installerId)
  const leadIds = await leadsShowing(tx, installerId, source, id)
  for (let from = 0; from < leadIds.length; from += batch) {
    const deals = await loadRenderedDeals(tx, installerId, leadIds.slice(from, from + batch))
    await rewrite(tx, now, directory, deals)
  }
}

async function rewrite(tx: Db, now: Date, directory: Directory, deals: RenderedDeal[]): Promise<void> {
  const { installerId } = directory
  const stale = deals.map((deal) => ({ deal, ...staleness(deal, directory) }))
  const count = stale.reduce((sum, s) => sum + Number(s.lead) + Number(s.project), 0)
  if (count === 0) return
  let at = (await takeTimes(tx, installerId, now, count)).getTime()
  const leads: Rerendered<string>[] = []
  const projects: Rerendered<ProjectRenderings>[] = []
  for (const { deal, lead, project } of stale) {
    if (lead) {
      const time = new Date(at++)
      const renderings = renderLead(deal.lead, deal.project?.reference ?? null, directory, time.toISOString())
      leads.push({ id: deal.lead.id, at: time, renderings, deal })
    }
    if (project && deal.project) {
      const time = new Date(at++)
      const renderings = renderProject(deal.project, deal.lead, deal.files, directory, time.toISOString())
      projects.push({ id: deal.project.id, at: time, renderings, deal })
    }
  }
  await saveRenderings(tx, installerId, leads, projects)
}

/** Finds stale renderings of a tenant; with `mend`, in a transaction holding its lock, writes them anew. */
export async function checkRenderings(
  db: Db,
  now: Date,
  installerId: string,
  mend: boolean,
): Promise<{ checked: number; stale: string[] }> {
  const directory = await loadDirectory(db, installerId)
  const stale: string[] = []
  let checked = 0
  for (let after = ''; ; ) {
    const ids = await listLeadIds(db, installerId, after, batch)
    if (ids.length === 0) return { checked, stale }
    after = ids.at(-1)!
    const deals = await loadRenderedDeals(db, installerId, ids)
    for (const deal of deals) {
      const found = staleness(deal, directory)
      checked += deal.project ? 2 : 1
      if (found.lead) stale.push(deal.lead.id)
      if (found.project) stale.push(deal.project!.id)
    }
    if (mend) await rewrite(db, now, directory, deals)
  }
}
