import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { endPlan } from './plan-queries.ts'
import { readPlan } from './read-plan.ts'

/**
 * Ends the billing of an installation with this day. What was made until then is billed as it would have been, and months
 * that are held back stay so. What is measured later of days that were billed is trued up by a closing invoice.
 */
export async function removePlan(ctx: Context, installationId: string): Promise<void> {
  const { db, actor } = ctx
  const { plan, site } = await readPlan(ctx, installationId)
  authorize(actor, 'billing.plan')
  await db.transaction(async (tx) => {
    await lockTenant(tx, actor.installerId)
    await endPlan(tx, plan, ctx.now)
    await recordSetting(tx, actor, ctx.now, {
      type: 'plan.ended',
      companyId: site.companyId,
      subjectId: site.id,
      name: site.name,
    })
  })
}
