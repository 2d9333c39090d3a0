import type { Deps } from '../deps.ts'
import { openApi } from '../http/openapi.ts'

export function companyOpenApi(deps: Deps) {
  return openApi({
    title: 'Sunstead company-key API',
    summary: 'Leads, projects and catalogue of a solar or home-improvement company.',
    description: [
      'Called from a server, never from a web page, with a company key as `Authorization: Bearer psk_…`.',
      'Every answer carries `X-Request-Id`. A key may make 100 calls in any 60 seconds.',
      'To stay in sync, read a list page by page until `next` is null. Only then keep the newest `updatedAt` that you read, and go on from it as `updatedSince`: no change is missed. With `order=asc` you may stop after any page and go on from its last row. `GET /v1/events` tells everything that happened, deletions too.',
      'Every POST takes an `Idempotency-Key`: sent again within 24 hours it is done once. Single reads have an `ETag`; a change with an outdated `If-Match` is 412 and writes nothing.',
    ],
    tags: [
      { name: 'Key', description: 'The key itself' },
      { name: 'Leads', description: 'Customers before and after they bought' },
      { name: 'Projects', description: 'What was sold, on its way up the ladder of stages' },
      { name: 'Members', description: 'Who works for the company' },
      { name: 'Catalogue', description: 'What the installer sells' },
      { name: 'Events', description: 'Everything that happened' },
    ],
    server: () => deps.addresses.baseUrl,
    reference: () => `${deps.addresses.baseUrl}/docs`,
    prefix: '',
  })
}
