import { type Context, confinedTo } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { requireWebhook } from './require-webhook.ts'
import { listHealths, readHealth, type WebhookHealth } from './settings-queries.ts'

const dayMs = 86_400_000

/** The endpoints that the caller decides about, the oldest first. */
export async function listOwnWebhooks(
  { db, actor, now }: Context,
  { after, limit }: { after: string | null; limit: number },
): Promise<WebhookHealth[]> {
  authorize(actor, 'webhooks.read')
  const since = new Date(now.getTime() - dayMs)
  return listHealths(db, {
    installerId: actor.installerId,
    companyId: confinedTo(actor),
    since,
    after: after ?? '',
    limit,
  })
}

export async function readWebhook(ctx: Context, id: string): Promise<WebhookHealth> {
  await requireWebhook(ctx, ctx.db, id)
  const { installerId } = ctx.actor
  return readHealth(ctx.db, { installerId, id, since: new Date(ctx.now.getTime() - dayMs) })
}
