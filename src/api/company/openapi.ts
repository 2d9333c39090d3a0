import type { Deps } from '../deps.ts'
import { openApi } from '../http/openapi.ts'

export function companyOpenApi(deps: Deps) {
  return openApi({
    title: 'Sunstead company-key API',
    summary: 'Leads, projects and catalogue of a solar or home-improvement company.',
    description: [
      'Called from a server, never from a web page, with a company key as `Authorization: Bearer psk_…`.',
      'Every answer carries `X-Request-Id`. A key may make 100 calls in any 60 seconds.',
      'To stay in sync, keep the newest `updatedAt` you read and send it as `updatedSince`: no change is missed.',
    ],
    tags: [
      { name: 'Key', description: 'The key itself' },
      { name: 'Leads', description: 'Customers before and after they bought' },
      { name: 'Projects', description: 'What was sold, on its way up the ladder of stages' },
      { name: 'Catalogue', description: 'What the installer sells' },
    ],
    server: () => deps.addresses.baseUrl,
    prefix: '',
  })
}
