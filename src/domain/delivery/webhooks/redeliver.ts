import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { isDeliveryId } from './delivery-id.ts'
import { queueDelivery } from './queries.ts'
import { requireWebhook } from './require-webhook.ts'
import { redeliverOne, redeliverRange } from './upkeep-queries.ts'

/** One delivery, or those of the events from a time on and before another. */
export type RedeliveryScope = { deliveryId: string } | { since: Date; until: Date }

const batch = 5_000

/** Sends again, the same bytes under the same ids. Answers how many deliveries that is. */
export async function redeliver(ctx: Context, id: string, what: RedeliveryScope): Promise<number> {
  const { now, actor } = ctx
  const { installerId } = actor
  const to = { installerId, webhookId: id }
  const { record } = await requireWebhook(ctx, ctx.db, id)
  authorize(actor, 'webhooks.change')
  if (record.status === 'disabled') {
    throw new DomainError('invalid', 'The endpoint is disabled. Turn it on first.')
  }
  if ('deliveryId' in what) {
    const { deliveryId } = what
    await ctx.db.transaction(async (tx) => {
      const found = isDeliveryId(deliveryId) && (await redeliverOne(tx, { ...to, id: deliveryId, now }))
      if (!found) {
        throw new DomainError('invalid', 'deliveryId: this endpoint has no such delivery.')
      }
      await queueDelivery(tx, installerId, [id])
    })
    return 1
  }
  const { since, until } = what
  let after = { at: new Date(since.getTime() - 1), ordinal: 32_767 }
  for (let total = 0; ; ) {
    const done = await ctx.db.transaction(async (tx) => {
      const done = await redeliverRange(tx, { ...to, ...after, now, until, limit: batch })
      if (done.count > 0) await queueDelivery(tx, installerId, [id])
      return done
    })
    total += done.count
    if (done.count < batch) return total
    after = done
  }
}
