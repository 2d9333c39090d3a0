import { currentMs } from '../../../platform/clock.ts'
import { commitChange, runLockedChange } from '../../deals/changes/commit-change.ts'
import { findLeadDeal } from '../../deals/changes/deal.ts'
import { externalIdHash } from '../../deals/leads/lead.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import { erasedDeal } from './erased-deal.ts'
import { billedTo, billersOf, type Erasure, type ErasureReason, nobody, personOf } from './erasure.ts'
import { claimMs, type ErasureDeps, finishErasure } from './finish-erasure.ts'
import { type CustomerInstallation, findCustomerInstallations } from './installation-queries.ts'
import { listFormerContacts } from './log-queries.ts'
import { insertErasure, revokeFiles } from './queries.ts'

/**
 * Erases what is known about a lead's customer and their co-borrower, everywhere. The lead and its project stay, so that
 * whoever syncs learns of it and reports go on being right. From the first transaction on nothing new is kept of them.
 */
export async function eraseCustomer(
  ctx: Context,
  deps: ErasureDeps,
  key: string,
  reason: ErasureReason = 'request',
): Promise<{ leadId: string }> {
  const erasure = await startErasure(ctx, key, reason)
  await finishErasure(ctx.db, erasure, deps)
  return { leadId: erasure.leadId }
}

function startErasure(ctx: Context, key: string, reason: ErasureReason): Promise<Erasure> {
  const { actor, now } = ctx
  return runLockedChange(ctx, async (attempt) => {
    const tx = attempt.db
    const before = await findLeadDeal(tx, scopeOf(ctx), key)
    if (!before) throw notFound('lead')
    authorize(actor, 'privacy.erase')
    const { lead, project } = before
    // What the installer keeps of its projects is not a dealer's to take away.
    if (project) authorize(actor, 'privacy.eraseBuyer')
    const { installerId, companyId } = lead
    const earlier = await listFormerContacts(tx, installerId, lead.id)
    const projectId = project?.id ?? null
    const { emails } = billedTo({ reason, person: personOf(before, [], earlier) })
    const companyIds = billersOf({ installerId, companyId, projectId })
    const installations = await findCustomerInstallations(tx, { installerId, companyIds, projectId, emails })
    refuseBilled(installations)
    const erasure: Erasure = {
      installerId,
      leadId: lead.id,
      companyId,
      projectId,
      ids: [lead.id, lead.reference, project?.id, project?.reference].filter((id) => typeof id === 'string'),
      reason,
      erasedAt: now,
      person: lead.erasedAt ? nobody : personOf(before, installations, earlier),
    }
    const hash = lead.externalId === null ? null : externalIdHash(companyId, lead.externalId)
    if (lead.erasedAt === null) {
      const changes: Record<string, [boolean, boolean]> = { erased: [false, true] }
      const at = await commitChange(ctx, attempt, before, erasedDeal(before, now), {
        activities: [{ type: 'leadUpdated', body: 'Erased what was known about the customer' }],
        events: [
          { type: 'lead.updated', subjectId: lead.id, changes },
          ...(project ? [{ type: 'project.updated' as const, subjectId: project.id, changes }] : []),
        ],
      })
      erasure.erasedAt = at
      if (project) await revokeFiles(tx, { installerId, projectId: project.id, at })
      // Whoever has read the lead and is about to write finds another directory, and reads it again.
      await bumpDirectory(tx, installerId)
    }
    erasure.erasedAt = await insertErasure(tx, erasure, hash, new Date(currentMs() + claimMs))
    await recordSetting(tx, actor, now, {
      type: 'customer.erased',
      companyId,
      subjectId: lead.id,
      name: lead.id,
    })
    return erasure
  })
}

function refuseBilled(installations: readonly CustomerInstallation[]): void {
  if (!installations.some(({ billed }) => billed)) return
  throw new DomainError(
    'invalid',
    'This customer is still billed by a plan, which needs to know whom. End the billing plan of their installation first.',
  )
}
