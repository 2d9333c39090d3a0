import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  DeliveriesResponse,
  DeliveryRead,
  DeliveryResponse,
  SecretResponse,
  WebhookResponse,
  WebhooksResponse,
  WebhookTested,
} from '../../../../src/api/console/webhook-responses.ts'
import { api, query } from '../../../api/client.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import type { Tone } from '../../../ui/surface.tsx'

export type { DeliveryRead, DeliveryResponse, SecretResponse, WebhookResponse, WebhookTested }

/** Everything that is known about webhooks: whatever changes one makes it stale. */
export const webhooksKey = ['webhooks']

export const webhooksQuery = infiniteQueryOptions({
  queryKey: [...webhooksKey, 'list'],
  queryFn: ({ pageParam, signal }) =>
    api.get<WebhooksResponse>(`/webhooks${query({ after: pageParam })}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...webhooksKey, id],
    queryFn: ({ signal }) => api.get<WebhookResponse>(`/webhooks/${id}`, { signal }),
  })

const lookAgainMs = 2_000

export const deliveriesQuery = (id: string, state: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...webhooksKey, id, 'deliveries', state ?? null],
    queryFn: ({ pageParam, signal }) =>
      api.get<DeliveriesResponse>(`/webhooks/${id}/deliveries${query({ state, after: pageParam })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Nobody tells the page how an attempt ended: while something waits, it looks again.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some((one) => one.state === 'due')) && lookAgainMs,
  })

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...webhooksKey, id, 'delivery', deliveryId],
    queryFn: ({ signal }) => api.get<DeliveryRead>(`/webhooks/${id}/deliveries/${deliveryId}`, { signal }),
    refetchInterval: ({ state: { data } }) => data?.state === 'due' && lookAgainMs,
  })

/** What an endpoint is told, in words. */
export const eventWords = (events: readonly string[]) =>
  events.includes('*') ? texts.allEvents : events.map((name) => texts.names[name] ?? name).join(' · ')

export type Health = 'fine' | 'failing' | 'waiting' | 'off' | 'idle'

const behindMs = 15 * 60_000

export function healthOf(webhook: WebhookResponse): Health {
  const { status, failingSince, oldestWaitingAt, lastDelivery, recent, recentDelivered } = webhook
  if (status === 'disabled') return 'off'
  if (failingSince || (recent > 0 && recentDelivered === 0)) return 'failing'
  if (oldestWaitingAt && Date.now() - Date.parse(oldestWaitingAt) > behindMs) return 'waiting'
  return lastDelivery || recent > 0 ? 'fine' : 'idle'
}

export const healthTones: Record<Health, Tone> = {
  fine: 'good',
  failing: 'bad',
  waiting: 'warn',
  off: 'bad',
  idle: 'plain',
}

export const stateTones: Record<DeliveryResponse['state'], Tone> = {
  due: 'warn',
  delivered: 'good',
  failed: 'bad',
}
