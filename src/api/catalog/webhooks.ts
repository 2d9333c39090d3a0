import type { FastifyInstance } from 'fastify'
import { createWebhook } from '../../domain/delivery/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../domain/delivery/webhooks/delete-webhook.ts'
import { listDeliveries } from '../../domain/delivery/webhooks/delivery-queries.ts'
import { enableWebhook } from '../../domain/delivery/webhooks/enable-webhook.ts'
import { listWebhooks } from '../../domain/delivery/webhooks/queries.ts'
import { type RedeliveryScope, redeliver } from '../../domain/delivery/webhooks/redeliver.ts'
import { requireWebhook } from '../../domain/delivery/webhooks/require-webhook.ts'
import { rotateSecret } from '../../domain/delivery/webhooks/rotate-secret.ts'
import { testWebhook } from '../../domain/delivery/webhooks/test-webhook.ts'
import { patchWebhook } from '../../domain/delivery/webhooks/update-webhook.ts'
import { isDelivered } from '../../domain/delivery/webhooks/webhook.ts'
import { confinedTo } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { hangUp } from '../http/hang-up.ts'
import { instant } from '../http/instant.ts'
import { NoQuery } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { listBody, pageWanted } from './paging.ts'
import {
  DeliveryQuery,
  NewWebhookBody,
  RedeliverBody,
  RotateBody,
  WebhookParams,
  WebhookPatchBody,
  WebhookQuery,
} from './webhook-schemas.ts'

const tags = ['Webhooks']

export function webhookRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: WebhookQuery }>(
    '/webhooks',
    {
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List webhook endpoints',
        description: 'Oldest first. An installer sees its dealers’ endpoints too.',
        querystring: WebhookQuery,
        response: answers({ 200: ['WebhookPage', 'A page of endpoints'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const page = pageWanted(request.query)
      const { actor } = request.caller!
      const { installerId } = actor
      const found = await listWebhooks(deps.db, {
        installerId,
        companyId: confinedTo(actor),
        limit: page.perPage,
        before: page.before,
      })
      return sendJson(reply, listBody(page, found.records, found.total))
    },
  )

  app.post<{ Body: NewWebhookBody }>(
    '/webhooks',
    {
      config: { repeats: { secret: true } },
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Register a webhook endpoint',
        description:
          'It is told of what happens from now on. An installer’s endpoint hears of the whole tenant, a dealer’s of its own company’s records.',
        body: NewWebhookBody,
        querystring: NoQuery,
        response: answers({ 201: ['WebhookCreated', 'The endpoint was registered'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { trustedHosts } = deps.copying
      const made = await createWebhook(
        contextOf(deps, request),
        { trustedHosts, box: deps.box },
        request.body,
      )
      return sendJson(reply.code(201), JSON.stringify(made))
    },
  )

  app.patch<{ Params: WebhookParams; Body: WebhookPatchBody }>(
    '/webhooks/:webhook_id',
    {
      schema: {
        operationId: 'changeWebhook',
        tags,
        summary: 'Change a webhook endpoint',
        description:
          'Absent fields are kept, and so is its secret. What it was not told so far is not sent now that it asks for it.',
        params: WebhookParams,
        body: WebhookPatchBody,
        querystring: NoQuery,
        response: answers({ 200: ['Webhook', 'The endpoint as it now reads'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { trustedHosts } = deps.copying
      const id = request.params.webhook_id
      const webhook = await patchWebhook(contextOf(deps, request), trustedHosts, id, request.body)
      return sendJson(reply, JSON.stringify(webhook))
    },
  )

  app.delete<{ Params: WebhookParams }>(
    '/webhooks/:webhook_id',
    {
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Remove a webhook endpoint',
        description: 'Events stop at once, also those under way.',
        params: WebhookParams,
        querystring: NoQuery,
        response: answers({ 204: [null, 'The endpoint is gone'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      await deleteWebhook(contextOf(deps, request), request.params.webhook_id)
      return reply.code(204).send()
    },
  )

  app.post<{ Params: WebhookParams }>(
    '/webhooks/:webhook_id/enable',
    {
      schema: {
        operationId: 'enableWebhook',
        tags,
        summary: 'Turn an endpoint on again',
        description:
          'What happened while it was disabled, 30 days ago at most, is delivered in order and one at a time; what happens from now on follows.',
        params: WebhookParams,
        querystring: NoQuery,
        response: answers({ 200: ['Webhook', 'The endpoint as it now reads'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const webhook = await enableWebhook(contextOf(deps, request), request.params.webhook_id)
      return sendJson(reply, JSON.stringify(webhook))
    },
  )

  app.post<{ Params: WebhookParams }>(
    '/webhooks/:webhook_id/test',
    {
      config: { repeats: { kept: 'claimed' } },
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send a test event',
        description: 'An event `webhook.test`, signed as any other, is sent at once and once.',
        params: WebhookParams,
        querystring: NoQuery,
        response: answers({ 200: ['WebhookTested', 'How it went'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { deliveryId, attempt } = await testWebhook(
        contextOf(deps, request),
        deps.webhooks.sending,
        request.params.webhook_id,
        hangUp(reply),
      )
      const answer = { delivery_id: deliveryId, delivered: isDelivered(attempt), attempt }
      return sendJson(reply, JSON.stringify(answer))
    },
  )

  app.post<{ Params: WebhookParams; Body: RotateBody }>(
    '/webhooks/:webhook_id/secret',
    {
      config: { repeats: { secret: true } },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Give an endpoint a new secret',
        description: 'For a while messages carry two signatures, of the new secret and of the one before.',
        params: WebhookParams,
        body: RotateBody,
        querystring: NoQuery,
        response: answers({ 200: ['WebhookSecret', 'The new secret'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const id = request.params.webhook_id
      const { secret: own, grace_hours: graceHours = 24 } = request.body ?? {}
      const rotated = await rotateSecret(contextOf(deps, request), deps.box, id, { own, graceHours })
      const { secret, previousExpiresAt } = rotated
      return sendJson(reply, JSON.stringify({ id, secret, previous_expires_at: previousExpiresAt }))
    },
  )

  app.get<{ Params: WebhookParams; Querystring: DeliveryQuery }>(
    '/webhooks/:webhook_id/deliveries',
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        tags,
        summary: 'List what was sent to an endpoint',
        description: 'The newest event first, with every attempt. Kept for 30 days.',
        params: WebhookParams,
        querystring: DeliveryQuery,
        response: answers({ 200: ['WebhookDeliveryPage', 'A page of deliveries'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const page = pageWanted(request.query)
      const { record } = await requireWebhook(ctx, deps.db, request.params.webhook_id)
      const found = await listDeliveries(deps.db, deps.startedPage, {
        installerId: ctx.actor.installerId,
        webhookId: record.id,
        state: request.query.status ?? 'any',
        before: page.before,
        perPage: page.perPage,
      })
      return sendJson(reply, listBody(page, found.records, found.total))
    },
  )

  app.post<{ Params: WebhookParams; Body: RedeliverBody }>(
    '/webhooks/:webhook_id/redeliver',
    {
      config: { repeats: { kept: 'claimed' } },
      schema: {
        operationId: 'redeliverWebhook',
        tags,
        summary: 'Send again',
        description: 'One delivery, or all of the events of a time: the same bytes under the same ids.',
        params: WebhookParams,
        body: RedeliverBody,
        querystring: NoQuery,
        response: answers({ 202: ['WebhookRedelivered', 'They are sent now'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const what = whatToRedeliver(request.body, ctx.now)
      const redelivered = await redeliver(ctx, request.params.webhook_id, what)
      return sendJson(reply.code(202), JSON.stringify({ redelivered }))
    },
  )
}

function whatToRedeliver(
  { delivery_id: deliveryId, since, until }: RedeliverBody,
  now: Date,
): RedeliveryScope {
  if (deliveryId !== undefined) {
    if (since === undefined && until === undefined) return { deliveryId }
    throw new DomainError('invalid', 'delivery_id: send either delivery_id, or since and until.')
  }
  if (since === undefined)
    throw new DomainError('invalid', 'since is required where there is no delivery_id.')
  const range = { since: instant(since), until: until === undefined ? now : instant(until) }
  if (range.until > range.since) return range
  throw new DomainError('invalid', 'until must be later than since.')
}
