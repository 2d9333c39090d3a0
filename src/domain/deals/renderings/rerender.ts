import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../platform/db.ts'
import type { TimedMessage } from '../../journal/events/messages.ts'
import { type Snapshot, snapshotOf } from '../../journal/events/previous.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { loadDirectory } from '../../kernel/tenant/queries.ts'
import type { Deal, SoldDeal } from '../changes/deal.ts'
import { renderLead } from '../leads/render.ts'
import { renderProject } from '../projects/render.ts'
import { renderLegacyProject } from '../projects/render-legacy.ts'
import {
  leadsShowing,
  listLeadIds,
  loadRenderedDeals,
  type ProjectTexts,
  type RenderedDeal,
  type Rerendered,
  type Source,
  saveRenderings,
} from './queries.ts'

const batch = 500

interface Stale {
  lead: boolean
  project: boolean
}

function leadText({ lead, project }: Deal, directory: Directory, updatedAt: Date): string {
  return renderLead(lead, project?.reference ?? null, directory, updatedAt.toISOString())
}

function projectTexts(
  { lead, project, files }: SoldDeal,
  directory: Directory,
  updatedAt: Date,
): ProjectTexts {
  return {
    ...renderProject(project, lead, files, directory, updatedAt.toISOString()),
    legacy: renderLegacyProject({ lead, project, files }, directory),
  }
}

/** Whether what is stored is still what would be rendered now. */
function staleness(deal: RenderedDeal, directory: Directory): Stale {
  const { lead, project, stored } = deal
  const now = project && projectTexts({ ...deal, project }, directory, project.updatedAt)
  return {
    lead: leadText(deal, directory, lead.updatedAt) !== stored.lead,
    project: now !== null && !isDeepStrictEqual(now, stored.project),
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
  const leadIds = await leadsShowing(tx, { installerId, source, id })
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
  const projects: Rerendered<ProjectTexts>[] = []
  for (const { deal, lead, project } of stale) {
    if (lead) {
      const time = new Date(at++)
      leads.push({ id: deal.lead.id, at: time, renderings: leadText(deal, directory, time), deal })
    }
    if (project && deal.project) {
      const time = new Date(at++)
      const renderings = projectTexts({ ...deal, project: deal.project }, directory, time)
      projects.push({ id: deal.project.id, at: time, renderings, deal })
    }
  }
  const messages = [...leads.map(leadMessage), ...projects.flatMap(projectMessages)]
  await saveRenderings(tx, installerId, leads, projects, messages)
}

function leadMessage({ id, at, renderings, deal }: Rerendered<string>): TimedMessage {
  return {
    ...messageOf(deal, at, id),
    type: 'lead.updated',
    ...snapshot(deal, renderings, deal.stored.lead),
  }
}

function projectMessages({ id, at, renderings: now, deal }: Rerendered<ProjectTexts>): TimedMessage[] {
  const was = deal.stored.project!
  const shared = { ...messageOf(deal, at, id), type: 'project.updated' as const }
  const differs = now.dealer !== null || was.dealer !== null
  const all = { ...shared, toDealers: !differs, ...snapshot(deal, now.full, was.full) }
  if (!differs) return [all]
  const dealers = snapshot(deal, now.dealer ?? now.full, was.dealer ?? was.full)
  return [all, { ...shared, forDealer: true, toDealers: false, ...dealers }]
}

function messageOf({ lead }: Deal, at: Date, subjectId: string) {
  const audience = { companyId: lead.companyId, forDealer: false, toDealers: true }
  return { at, ordinal: 0, subjectId, leadId: lead.id, ...audience }
}

function snapshot({ lead }: Deal, now: string, was: string): Snapshot {
  return snapshotOf(now, was, lead.erasedAt !== null)
}

/** Finds stale renderings of a tenant; with `mend`, in a transaction holding its lock, writes them again. */
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
    const ids = await listLeadIds(db, { installerId, after, limit: batch })
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
