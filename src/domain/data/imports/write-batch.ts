import { type Attempt, commitChange } from '../../deals/changes/commit-change.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import type { Counts, Outcome } from './import.ts'
import { findDealsByExternalId, noteMade } from './lead-queries.ts'
import { type Planning, planRow, type RowPlan } from './plan-row.ts'
import type { FileRow } from './row-values.ts'
import { type LeadToWrite, writeLeads } from './write-leads.ts'

export interface DoneRow {
  row: FileRow
  plan: RowPlan
}

/** Does what the rows say, in one transaction that holds the tenant's lock. */
export async function writeBatch(
  planning: Planning,
  attempt: Attempt,
  importId: string,
  rows: readonly FileRow[],
): Promise<DoneRow[]> {
  const { ctx } = planning
  const { installerId, companyId } = ctx.actor
  const load = (externalIds: string[]) =>
    findDealsByExternalId(attempt.db, { installerId, companyId, externalIds })
  const known = await load(rows.flatMap(({ values }) => values.externalId ?? []))
  const met = new Set<string>()
  let pending: LeadToWrite[] = []
  const flush = async () => {
    await writeLeads(ctx, attempt, importId, pending)
    pending = []
  }
  const dealOf = async (externalId: string | undefined): Promise<Deal | null> => {
    if (externalId === undefined) return null
    if (!met.has(externalId)) {
      met.add(externalId)
      return known.get(externalId) ?? null
    }
    // A row above has made or changed it.
    await flush()
    return (await load([externalId])).get(externalId) ?? null
  }

  const done: DoneRow[] = []
  for (const row of rows) {
    const plan = await planRow(planning, row, await dealOf(row.values.externalId))
    done.push({ row, plan })
    if (plan.outcome === 'made' && !plan.deal.project) {
      pending.push({ lead: plan.deal.lead, effects: plan.effects })
    } else if (plan.outcome === 'made') {
      const updatedAt = await commitChange(ctx, attempt, null, plan.deal, plan.effects)
      await noteMade(attempt.db, { installerId, importId, leadId: plan.deal.lead.id, updatedAt })
    } else if (plan.outcome === 'updated') {
      await commitChange(ctx, attempt, plan.before, { ...plan.before, lead: plan.lead }, plan.effects)
    }
  }
  await flush()
  return done
}

export function countOutcomes(outcomes: readonly Outcome[]): Counts {
  const counts: Counts = { made: 0, updated: 0, unchanged: 0, refused: 0 }
  for (const outcome of outcomes) counts[outcome]++
  return counts
}
