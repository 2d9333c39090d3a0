import { expectError, expectStatus, told } from '../expect.ts'
import { fail } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { unknownId } from './records.ts'

const endpoints: [method: string, path: string][] = [
  ['GET', '/panels'],
  ['POST', '/panels'],
  ['GET', `/panels/${unknownId}`],
  ['PATCH', `/panels/${unknownId}`],
  ['DELETE', `/panels/${unknownId}`],
  ['GET', '/installations'],
  ['POST', '/installations'],
  ['GET', `/installations/${unknownId}`],
  ['GET', '/monitoring/energy'],
  ['GET', '/monitoring/alerts'],
  ['GET', '/billing/invoices'],
  ['GET', `/billing/invoices/${unknownId}`],
  ['GET', '/webhooks'],
  ['POST', '/webhooks'],
  ['DELETE', `/webhooks/${unknownId}`],
]

export const catalogueKeyRules: Rule[] = [
  ...endpoints.map(([method, path]): Rule => {
    const name = `${method.toLowerCase()}${path.replace(unknownId, 'id').replaceAll('/', '-')}`
    return {
      id: `catalogue.keys.absent.${name}`,
      says: `\`${method} ${path.replace(unknownId, '{id}')}\` needs a key: without one it is refused.`,
      async check(kit) {
        const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
        const answer = await kit.catalog.call(method, path, { authorization: null, ...body })
        if (answer.status < 400 || answer.status > 499) fail(`${told(answer)}; expected a refusal`)
      },
    }
  }),
  {
    id: 'catalogue.keys.status',
    says: 'Without a key the answer is 401 `unauthorized`.',
    decision: true,
    check: async (kit) =>
      expectError(await kit.catalog.get('/panels', { authorization: null }), 401, 'unauthorized'),
  },
  {
    id: 'catalogue.keys.wrong',
    says: 'A key that is nobody’s is refused.',
    async check(kit) {
      const answer = await kit.catalog.get('/panels', { authorization: 'Bearer conformance' })
      if (answer.status < 400 || answer.status > 499) fail(`${told(answer)}; expected a refusal`)
    },
  },
  {
    id: 'catalogue.keys.content-type',
    says: 'Every call may send `Content-Type: application/json`, those without a body too.',
    check: async (kit) =>
      expectStatus(
        await kit.catalog.get('/panels', { headers: { 'content-type': 'application/json' } }),
        200,
      ),
  },
]
