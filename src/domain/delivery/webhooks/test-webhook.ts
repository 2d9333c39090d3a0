import { randomInt } from 'node:crypto'
import { currentTime } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { insertSettled } from './delivery-queries.ts'
import { disableWebhook } from './disable-webhook.ts'
import { requireWebhook } from './require-webhook.ts'
import { sealedForWebhook } from './sealed-secrets.ts'
import { type Sending, send, targetOf } from './send.ts'
import { type Attempt, isDelivered, isGone } from './webhook.ts'

export interface Tested {
  deliveryId: string
  attempt: Attempt
}

/** Sends an event of its own to an endpoint, at once and once, whether it is enabled or not. */
export async function testWebhook(
  ctx: Context,
  sending: Sending,
  id: string,
  givenUp: AbortSignal,
): Promise<Tested> {
  const { installerId } = ctx.actor
  const { record, secrets } = await requireWebhook(ctx, ctx.db, id)
  authorize(ctx.actor, 'webhooks.change')
  const deliveryId = newId('dlv')
  const type = 'webhook.test'
  const body = JSON.stringify({
    type,
    timestamp: ctx.now.toISOString(),
    data: { webhook_id: id, url: record.url, events: record.events, version: ctx.now.getTime() },
  })
  const target = targetOf(sending, { url: record.url, secrets }, sealedForWebhook(installerId, id))
  const attempt = await send(sending, target, { id: deliveryId, body }, givenUp)
  const state = isDelivered(attempt) ? 'delivered' : 'failed'
  // Events count from 0 within their time, so these stand before all that really happened then.
  const ordinal = -randomInt(1, 32_768)
  await insertSettled(ctx.db, {
    installerId,
    webhookId: id,
    id: deliveryId,
    at: ctx.now,
    ordinal,
    type,
    body,
    state,
    attempts: JSON.stringify([attempt]),
  })
  if (isGone(attempt)) await disableWebhook(ctx.db, installerId, id, 'gone', currentTime())
  return { deliveryId, attempt }
}
