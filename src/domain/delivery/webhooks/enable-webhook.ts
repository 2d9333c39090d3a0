import type { Db } from '../../../platform/db.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory, lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { queueDelivery, setEnabled, startCursor } from './queries.ts'
import { requireWebhook } from './require-webhook.ts'
import { bringForward } from './upkeep-queries.ts'
import { retentionMs, type Webhook } from './webhook.ts'

/** Turns an endpoint on again: what happened meanwhile and waits for it is delivered, and what comes follows. */
export async function enableWebhook(ctx: Context, id: string): Promise<Webhook> {
  await requireWebhook(ctx, ctx.db, id)
  authorize(ctx.actor, 'webhooks.change')
  return ctx.db.transaction((tx) => turnOn(tx, ctx, id))
}

/** The same, for whoever may. */
export async function turnOn(tx: Db, ctx: Context, id: string): Promise<Webhook> {
  const { installerId } = ctx.actor
  await bumpDirectory(tx, installerId)
  const { record, companyId } = await requireWebhook(ctx, tx, id)
  if (record.status === 'enabled') return record
  const since = new Date(ctx.now.getTime() - retentionMs)
  await setEnabled(tx, { installerId, id, at: await lockTenant(tx, installerId), since })
  await startCursor(tx, { installerId, id })
  await bringForward(tx, { installerId, webhookId: id, now: ctx.now })
  await queueDelivery(tx, installerId, [id])
  await recordSetting(tx, ctx.actor, ctx.now, {
    type: 'webhook.enabled',
    companyId,
    subjectId: id,
    name: record.url,
    changes: { status: ['disabled', 'enabled'] },
  })
  return { ...record, status: 'enabled' }
}
