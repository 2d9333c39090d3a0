import type { Position } from '../../journal/events/event-id.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { isDeliveryId } from './delivery-id.ts'
import { requireWebhook } from './require-webhook.ts'
import { type Delivery, type DeliveryState, findSent, listSent } from './sent-queries.ts'

export interface DeliveriesWanted {
  state: DeliveryState | null
  before: Position | null
  limit: number
}

/** What an endpoint was sent, the newest event first. */
export async function listDeliveriesOf(
  ctx: Context,
  webhookId: string,
  { state, before, limit }: DeliveriesWanted,
): Promise<Delivery[]> {
  await requireWebhook(ctx, ctx.db, webhookId)
  const { installerId } = ctx.actor
  return listSent(ctx.db, { installerId, webhookId, state, limit }, before)
}

/** One of them, and where it goes. */
export async function readDelivery(ctx: Context, webhookId: string, id: string) {
  const { record } = await requireWebhook(ctx, ctx.db, webhookId)
  const { installerId } = ctx.actor
  const found = isDeliveryId(id) ? await findSent(ctx.db, { installerId, webhookId, id }) : null
  if (!found) throw notFound('delivery')
  return { ...found, url: record.url }
}
