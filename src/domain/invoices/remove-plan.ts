import { lockTenant } from '../companies/queries.ts'
import { type Context, requireWriter } from '../context.ts'
import { deletePlan, forgetHeldMonths } from './plan-queries.ts'
import { readPlan } from './read-plan.ts'

/** Ends the billing of an installation. Drafts and invoices stay; months that were held back are let go. */
export async function removePlan(ctx: Context, installationId: string): Promise<void> {
  const { db, actor } = ctx
  const { plan } = await readPlan(ctx, installationId)
  requireWriter(actor)
  await db.transaction(async (tx) => {
    await lockTenant(tx, actor.installerId)
    await deletePlan(tx, plan)
    await forgetHeldMonths(tx, plan)
  })
}
