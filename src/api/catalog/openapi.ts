import type { Deps } from '../deps.ts'
import { openApi } from '../http/openapi.ts'
import { webhookEvents } from './webhook-events.ts'

export function catalogOpenApi(deps: Deps) {
  const described = openApi({
    title: 'Sunstead catalogue API',
    summary: 'Panels, installations, the energy they make, what is billed for it, and webhooks.',
    description: [
      'Called from a server with a company key as `Authorization: Bearer psk_…`. An installer’s key reaches the whole tenant, a dealer’s key what its company registered.',
      'Every answer carries `X-Request-Id`. A key may make 100 calls in any 60 seconds, all interfaces together.',
      'To stay in sync, read a list with `updated_since` page by page until `meta.next` is null. Only then keep the newest `updated_at` that you read, and go on from it as `updated_since`: no change is missed. What was deleted is told by webhooks, and by `GET /v1/events` of the company-key API.',
    ],
    tags: [
      { name: 'Panels', description: 'What makes energy' },
      { name: 'Installations', description: 'Where panels are' },
      { name: 'Monitoring', description: 'What the panels make, and what is wrong with them' },
      { name: 'Billing', description: 'What customers are billed' },
      { name: 'Webhooks', description: 'Who is told what happens' },
    ],
    server: () => deps.addresses.catalogBaseUrl,
    reference: () => `${deps.addresses.baseUrl}/docs`,
    prefix: '/catalog',
  })
  return { ...described, openapi: { ...described.openapi, webhooks: webhookEvents } } as typeof described
}
