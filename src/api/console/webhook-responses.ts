import { withoutTokens } from '../../domain/deals/files/file.ts'
import { withBaseUrl } from '../../domain/deals/renderings/rendering.ts'
import type { readDelivery } from '../../domain/delivery/webhooks/read-deliveries.ts'
import type { Sending } from '../../domain/delivery/webhooks/send.ts'
import type { Delivery, DeliveryState } from '../../domain/delivery/webhooks/sent-queries.ts'
import type { WebhookHealth } from '../../domain/delivery/webhooks/settings-queries.ts'
import type { Attempt, LastDelivery } from '../../domain/delivery/webhooks/webhook.ts'

export interface WebhookResponse {
  id: string
  companyId: string
  url: string
  description: string
  events: string[]
  status: 'enabled' | 'disabled'
  /** Null unless it is disabled. */
  disabledReason: string | null
  createdAt: string
  lastDelivery: LastDelivery | null
  failingSince: string | null
  previousSecretUntil: string | null
  recent: number
  recentDelivered: number
  oldestWaitingAt: string | null
  /** At most 1,000 are counted. */
  waiting: number
}

export interface WebhooksResponse {
  webhooks: WebhookResponse[]
  next: string | null
}

/** The only answers that hold a secret: of a new endpoint, and after a rotation. */
export interface SecretResponse {
  id: string
  secret: string
  previousExpiresAt: string | null
}

export interface WebhookTested {
  deliveryId: string
  delivered: boolean
  attempt: Attempt
}

export interface DeliveryResponse {
  id: string
  event: string
  eventAt: string
  state: DeliveryState
  nextAttemptAt: string | null
  attempts: Attempt[]
}

export interface DeliveriesResponse {
  deliveries: DeliveryResponse[]
  next: string | null
}

export interface DeliveryRead extends DeliveryResponse {
  /** Where the endpoint is now: where it was at each attempt is not kept. */
  url: string
  /** Those that are the same at every attempt; signatures are not kept. */
  headers: Record<string, string>
  /** Null where it is no longer kept. The tokens of addresses in it are left out. */
  body: string | null
}

export function webhookResponse(webhook: WebhookHealth, now: Date): WebhookResponse {
  const { createdAt, failingSince, oldestWaitingAt, previousSecretUntil: until, ...same } = webhook
  return {
    ...same,
    createdAt: createdAt.toISOString(),
    failingSince: failingSince?.toISOString() ?? null,
    oldestWaitingAt: oldestWaitingAt?.toISOString() ?? null,
    previousSecretUntil: until && Date.parse(until) > now.getTime() ? until : null,
  }
}

export function deliveryResponse({
  id,
  type,
  at,
  state,
  nextAttemptAt,
  attempts,
}: Delivery): DeliveryResponse {
  return {
    id,
    event: type,
    eventAt: at.toISOString(),
    state,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    attempts,
  }
}

export function deliveryRead(
  delivery: Awaited<ReturnType<typeof readDelivery>>,
  { userAgent, baseUrl }: Pick<Sending, 'userAgent' | 'baseUrl'>,
): DeliveryRead {
  const { url, body, id } = delivery
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent, 'webhook-id': id }
  // The addresses in it open files to whoever has them: here they are shown without what opens them.
  return {
    ...deliveryResponse(delivery),
    url,
    headers,
    body: body && withoutTokens(withBaseUrl(body, baseUrl())),
  }
}
