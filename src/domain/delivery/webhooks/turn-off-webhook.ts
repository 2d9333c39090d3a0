import type { Db } from '../../../platform/db.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory, lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { setDisabled } from './queries.ts'
import { requireWebhook } from './require-webhook.ts'

/** Stops sending to an endpoint because somebody wants it so. What happens meanwhile waits until it is turned on again. */
export async function turnOffWebhook(ctx: Context, id: string): Promise<void> {
  await requireWebhook(ctx, ctx.db, id)
  authorize(ctx.actor, 'webhooks.change')
  await ctx.db.transaction((tx) => turnOff(tx, ctx, id))
}

/** The same, for whoever may. */
export async function turnOff(tx: Db, ctx: Context, id: string): Promise<void> {
  const { actor, now } = ctx
  await bumpDirectory(tx, actor.installerId)
  const { record, companyId } = await requireWebhook(ctx, tx, id)
  if (record.status === 'disabled') return
  await lockTenant(tx, actor.installerId)
  await setDisabled(tx, {
    installerId: actor.installerId,
    id,
    reason: `${actor.name} turned it off`,
  })
  await recordSetting(tx, actor, now, {
    type: 'webhook.disabled',
    companyId,
    subjectId: id,
    name: record.url,
    changes: { status: ['enabled', 'disabled'] },
  })
}
