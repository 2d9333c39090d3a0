import type { Deps } from '../deps.ts'
import { openApi } from '../http/openapi.ts'

export function legacyOpenApi(deps: Deps) {
  return openApi({
    title: 'Sunstead legacy workflow API',
    version: '2.0',
    summary: 'The older interface, for integrations that were written against it.',
    description: [
      'The same records as the company-key API, with the same keys as `Authorization: Bearer psk_…`. New programs use the company-key API.',
      'Values are texts: numbers as decimal text, days as `MM/DD/YYYY` (solar) or `MM/DD/YY` (home improvement), and empty text for what is not there. Unknown body fields are ignored.',
      'Operations for home improvement end in `_hi`. A record of the other product line answers 404.',
    ],
    tags: [
      { name: 'Projects', description: 'What was sold' },
      { name: 'Leads', description: 'Customers before and after they bought' },
      { name: 'Lists', description: 'A hundred a page, newest change first' },
      { name: 'Catalogue', description: 'What the installer sells' },
    ],
    server: () => deps.addresses.legacyBaseUrl,
    reference: () => `${deps.addresses.baseUrl}/docs`,
    prefix: '/legacy',
  })
}
