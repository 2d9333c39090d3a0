import { newId } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { bumpDirectory, lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { countWebhooks, insertWebhook, startCursor } from './queries.ts'
import { sealedForWebhook, sealedSecret } from './sealed-secrets.ts'
import { createSecret } from './secret.ts'
import { checkUrl, maxWebhooks, type Webhook } from './webhook.ts'

export interface NewWebhook {
  url: string
  events: string[]
  secret?: string
  /** What people call it. */
  description?: string
}

/** Registers an endpoint of the caller's company. It is told of events that happen from now on. */
export async function createWebhook(
  ctx: Context,
  { trustedHosts, box }: { trustedHosts: ReadonlySet<string>; box: SecretBox },
  { url, events, secret: own, description = '' }: NewWebhook,
): Promise<Webhook & { secret: string }> {
  authorize(ctx.actor, 'webhooks.read')
  checkUrl(url, trustedHosts)
  authorize(ctx.actor, 'webhooks.change')
  const { installerId, companyId } = ctx.actor
  const secret = createSecret(own)
  const webhook: Webhook = {
    id: newId('we'),
    url,
    events: [...new Set(events)],
    status: 'enabled',
    created_at: ctx.now.toISOString(),
    last_delivery: null,
  }
  await ctx.db.transaction(async (tx) => {
    // The tenant's lock: every event is either before this or knows of it.
    await bumpDirectory(tx, installerId)
    const since = await lockTenant(tx, installerId)
    if ((await countWebhooks(tx, { installerId, companyId })).total >= maxWebhooks) {
      throw new DomainError(
        'invalid',
        `A company has at most ${maxWebhooks} webhook endpoints. Delete one first.`,
      )
    }
    await insertWebhook(tx, {
      installerId,
      companyId,
      id: webhook.id,
      url,
      description,
      events: webhook.events,
      secrets: [sealedSecret(box, sealedForWebhook(installerId, webhook.id), secret)],
      since,
      createdAt: ctx.now,
    })
    await startCursor(tx, { installerId, id: webhook.id })
    await recordSetting(tx, ctx.actor, ctx.now, {
      type: 'webhook.created',
      companyId,
      subjectId: webhook.id,
      name: url,
      changes: { url: [null, url], events: [null, webhook.events], description: [null, description] },
    })
  })
  return { ...webhook, secret: secret.text }
}
