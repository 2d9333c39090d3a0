import { currentTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db.ts'
import { deletePlan } from '../../billing/plans/set-plan.ts'
import { findLeadDeal } from '../../deals/changes/deal.ts'
import { commandLine } from '../../journal/audit/command-line.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import type { Directories } from '../../kernel/tenant/directories.ts'
import { eraseCustomer } from './erase-customer.ts'
import { erasedKey, readErasedList } from './erased-list.ts'
import { billedTo, billersOf, type ErasureReason, personOf } from './erasure.ts'
import type { ErasureDeps } from './finish-erasure.ts'
import { findCustomerInstallations } from './installation-queries.ts'
import { listFormerContacts } from './log-queries.ts'
import { findListed } from './queries.ts'

export interface ErasedAgain {
  listed: number
  erased: number
  /** In this database they are erased already. */
  erasedBefore: number
  /** They are not in this database: it is older than they are, or another one. */
  missing: number
}

const atOnce = 500

/**
 * Erases everybody on the list whom the database still knows, line by line as it was written: it was restored from
 * before. Where nobody is, that costs one question for each company in 500 lines.
 */
export async function eraseAgain(
  db: Database,
  directories: Directories,
  deps: ErasureDeps,
  list: string,
  signal?: AbortSignal,
): Promise<ErasedAgain> {
  const entries = [...readErasedList(list).values()]
  const outcome: ErasedAgain = { listed: entries.length, erased: 0, erasedBefore: 0, missing: 0 }
  for (let i = 0; i < entries.length; i += atOnce) {
    const some = entries.slice(i, i + atOnce)
    const there = new Map<string, boolean>()
    for (const [installerId, own] of Map.groupBy(some, (entry) => entry.installerId)) {
      const leadIds = own.map(({ leadId }) => leadId)
      for (const { leadId, erased } of await findListed(db, { installerId, leadIds }))
        there.set(erasedKey({ installerId, leadId }), erased)
    }
    for (const entry of some) {
      signal?.throwIfAborted()
      const { installerId, leadId, reason } = entry
      const erased = there.get(erasedKey(entry))
      if (erased === undefined) outcome.missing++
      else if (erased) outcome.erasedBefore++
      else {
        // As the installer: what a dealer's person has erased may have been sold in the database that was restored.
        const actor = commandLine({ id: installerId, installerId, kind: 'installer' })
        const ctx = { db, directories, now: currentTime(), actor }
        await endPlans(ctx, leadId, reason)
        await eraseCustomer(ctx, deps, leadId, reason)
        outcome.erased++
      }
    }
  }
  return outcome
}

/** Nobody is erased whom a plan bills: that theirs was ended was lost with what came after the backup. */
async function endPlans(ctx: Context, leadId: string, reason: ErasureReason): Promise<void> {
  const deal = (await findLeadDeal(ctx.db, scopeOf(ctx), leadId))!
  const { installerId, companyId } = deal.lead
  const earlier = await listFormerContacts(ctx.db, installerId, leadId)
  const projectId = deal.project?.id ?? null
  const { emails } = billedTo({ reason, person: personOf(deal, [], earlier) })
  const companyIds = billersOf({ installerId, companyId, projectId })
  const installations = await findCustomerInstallations(ctx.db, {
    installerId,
    companyIds,
    projectId,
    emails,
  })
  for (const { id, billed } of installations) if (billed) await deletePlan(ctx, id)
}
