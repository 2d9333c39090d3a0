import { createWebhook } from '../../domain/delivery/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../domain/delivery/webhooks/delete-webhook.ts'
import { enableWebhook } from '../../domain/delivery/webhooks/enable-webhook.ts'
import { listDeliveriesOf, readDelivery } from '../../domain/delivery/webhooks/read-deliveries.ts'
import { listOwnWebhooks, readWebhook } from '../../domain/delivery/webhooks/read-webhooks.ts'
import { type RedeliveryScope, redeliver } from '../../domain/delivery/webhooks/redeliver.ts'
import { rotateSecret } from '../../domain/delivery/webhooks/rotate-secret.ts'
import { testWebhook } from '../../domain/delivery/webhooks/test-webhook.ts'
import { turnOffWebhook } from '../../domain/delivery/webhooks/turn-off-webhook.ts'
import { updateWebhook } from '../../domain/delivery/webhooks/update-webhook.ts'
import { isDelivered } from '../../domain/delivery/webhooks/webhook.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { hangUp } from '../http/hang-up.ts'
import { instant } from '../http/instant.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'
import {
  DeliveriesQuery,
  DeliveryParams,
  NewWebhookBody,
  RedeliverBody,
  RotateBody,
  WebhookChange,
  WebhooksQuery,
} from './webhook-requests.ts'
import {
  type DeliveriesResponse,
  deliveryRead,
  deliveryResponse,
  type SecretResponse,
  type WebhooksResponse,
  type WebhookTested,
  webhookResponse,
} from './webhook-responses.ts'

const pageSize = 50

/** Webhook endpoints and what they were sent, for owners and admins. */
export function webhookRoutes(app: Routes, deps: Deps): void {
  app.get('/webhooks', { schema: { querystring: WebhooksQuery } }, async (request, reply) => {
    const { after, limit = pageSize } = request.query
    const ctx = contextOf(deps, request)
    const found = await listOwnWebhooks(ctx, { after: after ?? null, limit: limit + 1 })
    const webhooks = found.slice(0, limit)
    const response: WebhooksResponse = {
      webhooks: webhooks.map((webhook) => webhookResponse(webhook, ctx.now)),
      next: found.length > limit ? webhooks.at(-1)!.id : null,
    }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post('/webhooks', { schema: { body: NewWebhookBody } }, async (request, reply) => {
    const { id, secret } = await createWebhook(
      contextOf(deps, request),
      { trustedHosts: deps.copying.trustedHosts, box: deps.box },
      request.body,
    )
    const response: SecretResponse = { id, secret, previousExpiresAt: null }
    return sendJson(reply.code(201), JSON.stringify(response))
  })

  app.get('/webhooks/:id', byId, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const webhook = await readWebhook(ctx, request.params.id)
    return sendJson(reply, JSON.stringify(webhookResponse(webhook, ctx.now)))
  })

  app.patch(
    '/webhooks/:id',
    { schema: { params: IdParams, body: WebhookChange } },
    async (request, reply) => {
      const { seen, ...change } = request.body
      const { trustedHosts } = deps.copying
      await updateWebhook(contextOf(deps, request), trustedHosts, request.params.id, change, seen)
      return sendJson(reply, '{}')
    },
  )

  app.delete('/webhooks/:id', byId, async (request, reply) => {
    await deleteWebhook(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })

  app.post('/webhooks/:id/enable', byId, async (request, reply) => {
    await enableWebhook(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })

  app.post('/webhooks/:id/disable', byId, async (request, reply) => {
    await turnOffWebhook(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })

  app.post(
    '/webhooks/:id/secret',
    { schema: { params: IdParams, body: RotateBody } },
    async (request, reply) => {
      const { id } = request.params
      const { graceHours } = request.body
      const rotated = await rotateSecret(contextOf(deps, request), deps.box, id, {
        own: undefined,
        graceHours,
      })
      const { secret, previousExpiresAt } = rotated
      const response: SecretResponse = {
        id,
        secret,
        previousExpiresAt: previousExpiresAt?.toISOString() ?? null,
      }
      return sendJson(reply, JSON.stringify(response))
    },
  )

  app.post('/webhooks/:id/test', byId, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { deliveryId, attempt } = await testWebhook(
      ctx,
      deps.webhooks.sending,
      request.params.id,
      hangUp(reply),
    )
    const response: WebhookTested = { deliveryId, delivered: isDelivered(attempt), attempt }
    return sendJson(reply, JSON.stringify(response))
  })

  app.get(
    '/webhooks/:id/deliveries',
    { schema: { params: IdParams, querystring: DeliveriesQuery } },
    async (request, reply) => {
      const { state = null, after, limit = pageSize } = request.query
      const [ms, ordinal] = after?.split('~').map(Number) ?? []
      const found = await listDeliveriesOf(contextOf(deps, request), request.params.id, {
        state,
        before: ms === undefined ? null : { at: new Date(ms), ordinal: inRange(ordinal!) },
        limit: limit + 1,
      })
      const deliveries = found.slice(0, limit)
      const last = deliveries.at(-1)
      const response: DeliveriesResponse = {
        deliveries: deliveries.map(deliveryResponse),
        next: found.length > limit ? `${last!.at.getTime()}~${last!.ordinal}` : null,
      }
      return sendJson(reply, JSON.stringify(response))
    },
  )

  app.get(
    '/webhooks/:id/deliveries/:deliveryId',
    { schema: { params: DeliveryParams } },
    async (request, reply) => {
      const { id, deliveryId } = request.params
      const delivery = await readDelivery(contextOf(deps, request), id, deliveryId)
      return sendJson(reply, JSON.stringify(deliveryRead(delivery, deps.webhooks.sending)))
    },
  )

  app.post(
    '/webhooks/:id/redeliver',
    { schema: { params: IdParams, body: RedeliverBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const redelivered = await redeliver(ctx, request.params.id, whatToRedeliver(request.body, ctx.now))
      return sendJson(reply, JSON.stringify({ redelivered }))
    },
  )
}

const smallest = -32_768
const largest = 32_767
const inRange = (ordinal: number) => Math.min(Math.max(ordinal, smallest), largest)

function whatToRedeliver({ deliveryId, since, until }: RedeliverBody, now: Date): RedeliveryScope {
  if (deliveryId !== undefined && since === undefined && until === undefined) return { deliveryId }
  if (deliveryId !== undefined || since === undefined)
    throw new DomainError('invalid', 'Choose one delivery, or a start and an end.')
  const range = { since: instant(since), until: until === undefined ? now : instant(until) }
  if (range.until > range.since) return range
  throw new DomainError('invalid', 'The end must be later than the start.')
}
