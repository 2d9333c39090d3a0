import type { Db } from '../../../platform/db.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { requireUnchanged, type Seen } from '../../kernel/changed-meanwhile.ts'
import type { Context } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory, lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { turnOn } from './enable-webhook.ts'
import { requireWebhook } from './require-webhook.ts'
import { findSettings, type WebhookSettings, writeSettings } from './settings-queries.ts'
import { turnOff } from './turn-off-webhook.ts'
import { checkUrl, type Webhook } from './webhook.ts'

/** Changes where an endpoint is, what it is told and what people call it. */
export async function updateWebhook(
  ctx: Context,
  trustedHosts: ReadonlySet<string>,
  id: string,
  change: Partial<WebhookSettings>,
  seen?: Seen,
): Promise<void> {
  await requireWebhook(ctx, ctx.db, id)
  authorize(ctx.actor, 'webhooks.change')
  if (change.url !== undefined) checkUrl(change.url, trustedHosts)
  await ctx.db.transaction((tx) => changeSettings(tx, ctx, id, change, seen))
}

/** What a caller of the API may change of an endpoint. */
export interface WebhookPatch {
  url?: string
  events?: string[]
  status?: Webhook['status']
}

/** Changes where an endpoint is, what it is told, and whether it is, all or nothing. Its secret stays. */
export async function patchWebhook(
  ctx: Context,
  trustedHosts: ReadonlySet<string>,
  id: string,
  { status, ...change }: WebhookPatch,
): Promise<Webhook> {
  await requireWebhook(ctx, ctx.db, id)
  authorize(ctx.actor, 'webhooks.change')
  if (change.url !== undefined) checkUrl(change.url, trustedHosts)
  return ctx.db.transaction(async (tx) => {
    await changeSettings(tx, ctx, id, change)
    if (status === 'enabled') await turnOn(tx, ctx, id)
    if (status === 'disabled') await turnOff(tx, ctx, id)
    return (await requireWebhook(ctx, tx, id)).record
  })
}

async function changeSettings(
  tx: Db,
  ctx: Context,
  id: string,
  change: Partial<WebhookSettings>,
  seen?: Seen,
): Promise<void> {
  const { actor, now } = ctx
  await bumpDirectory(tx, actor.installerId)
  await lockTenant(tx, actor.installerId)
  const { companyId } = await requireWebhook(ctx, tx, id)
  const before = await findSettings(tx, { installerId: actor.installerId, id })
  const events = [...new Set(change.events ?? before.events)]
  const same = events.length === before.events.length && events.every((one) => before.events.includes(one))
  const after = { ...before, ...change, events: same ? before.events : events }
  const changes = differences(before, after, ['url', 'events', 'description'])
  if (Object.keys(changes).length === 0) return
  requireUnchanged(asTexts(changes), seen)
  await writeSettings(tx, { ...after, installerId: actor.installerId, id })
  await recordSetting(tx, actor, now, {
    type: 'webhook.changed',
    companyId,
    subjectId: id,
    name: after.url,
    changes,
  })
}

/** The events as one text, in an order that says nothing: a form tells in the same way what it began from. */
function asTexts(changes: Record<string, [unknown, unknown]>): Record<string, [unknown, unknown]> {
  const { events, ...others } = changes
  if (!events) return others
  const [before, after] = events.map((names) => [...(names as string[])].sort().join(' '))
  return { ...others, events: [before, after] }
}
