import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import { setDeleted, tellDeleted } from './queries.ts'
import { requireWebhook } from './require-webhook.ts'

/** Removes an endpoint. It is told nothing more, and what is under way to it is broken off. */
export async function deleteWebhook(ctx: Context, id: string): Promise<void> {
  const { installerId } = ctx.actor
  await requireWebhook(ctx, ctx.db, id)
  authorize(ctx.actor, 'webhooks.change')
  await ctx.db.transaction(async (tx) => {
    await bumpDirectory(tx, installerId)
    const { record, companyId } = await requireWebhook(ctx, tx, id)
    await setDeleted(tx, { installerId, id, now: ctx.now })
    await recordSetting(tx, ctx.actor, ctx.now, {
      type: 'webhook.deleted',
      companyId,
      subjectId: id,
      name: record.url,
    })
    await tellDeleted(tx, { id })
  })
}
