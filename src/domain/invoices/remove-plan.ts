import { recordSetting } from '../audit/record-setting.ts'
import { lockTenant } from '../companies/queries.ts'
import { type Context, requireWriter } from '../context.ts'
import { endPlan, forgetHeldMonths } from './plan-queries.ts'
import { readPlan } from './read-plan.ts'

/**
 * Ends the billing of an installation. Drafts and invoices stay; months that were held back are let go. What is measured
 * later of months that were billed is trued up by a closing invoice.
 */
export async function removePlan(ctx: Context, installationId: string): Promise<void> {
  const { db, actor } = ctx
  const { plan, site } = await readPlan(ctx, installationId)
  requireWriter(actor)
  await db.transaction(async (tx) => {
    await lockTenant(tx, actor.installerId)
    await endPlan(tx, plan, ctx.now)
    await forgetHeldMonths(tx, plan)
    await recordSetting(tx, actor, ctx.now, {
      type: 'plan.ended',
      companyId: site.companyId,
      subjectId: site.id,
      name: site.name,
    })
  })
}
