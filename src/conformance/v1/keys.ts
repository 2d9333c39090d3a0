import { randomBytes } from 'node:crypto'
import { expectError, expectShape, expectStatus } from '../expect.ts'
import { fail } from '../outcome.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { text } from '../shape.ts'
import { leadBody, page, unknownId } from './records.ts'

const endpoints: [method: string, path: string][] = [
  ['GET', '/me'],
  ['GET', '/projects'],
  ['GET', `/projects/${unknownId}`],
  ['PATCH', `/projects/${unknownId}`],
  ['POST', `/projects/${unknownId}/stage`],
  ['POST', `/projects/${unknownId}/files`],
  ['GET', '/leads'],
  ['POST', '/leads'],
  ['GET', `/leads/${unknownId}`],
  ['PATCH', `/leads/${unknownId}`],
  ['GET', `/leads/${unknownId}/activities`],
  ['GET', '/adders'],
  ['GET', '/equipment'],
]

const nameOf = (method: string, path: string) =>
  `${method.toLowerCase()}${path.replace(unknownId, 'id').replaceAll('/', '-')}`

const wrong: [name: string, says: string, authorization: () => string][] = [
  [
    'unknown',
    'A key of the right form that is nobody’s',
    () => `Bearer psk_${randomBytes(20).toString('hex')}`,
  ],
  ['malformed', 'What is no key by its form', () => 'Bearer conformance'],
  ['empty', 'An empty key', () => 'Bearer '],
  ['other-scheme', 'Another scheme than Bearer', () => `Basic ${btoa('conformance:key')}`],
]

export const keyRules: Rule[] = [
  {
    id: 'v1.me',
    says: '`GET /v1/me` proves that a key works: 200.',
    check: async (kit) => expectStatus(await page(kit, '/me'), 200),
  },
  ...fieldRules(
    'v1.me',
    'What /v1/me answers',
    { 'key.name': text, 'key.prefix': text, 'company.name': text },
    async (kit) => [(await page(kit, '/me')).json],
  ),
  {
    id: 'v1.me.dealer',
    says: "`GET /v1/me` answers a dealer's key in the same shape.",
    async check(kit) {
      const answer = await kit.dealer.get('/me')
      expectStatus(answer, 200)
      expectShape(answer, text, 'company.name')
    },
  },
  {
    id: 'v1.me.prefix',
    says: 'The `prefix` of a key is how it begins: `psk_` and eight digits more.',
    decision: true,
    async check(kit) {
      const answer = await page(kit, '/me')
      const begin = kit.target.installerKey.slice(0, 12)
      expectShape(
        answer,
        (value) => (value === begin ? null : 'key.prefix is not how the key begins'),
        'key.prefix',
      )
    },
  },
  {
    id: 'v1.keys.form',
    says: 'A key is `psk_` and 40 hexadecimal digits.',
    async check({ target: { installerKey, dealerKey } }) {
      for (const key of [installerKey, dealerKey])
        if (key !== null && !/^psk_[0-9a-f]{40}$/i.test(key)) fail('a key that was given has another form')
    },
  },
  ...endpoints.map(
    ([method, path]): Rule => ({
      id: `v1.keys.absent.${nameOf(method, path)}`,
      says: `\`${method} /v1${path.replace(unknownId, '{id}')}\` without a key answers 401 \`unauthorized\`.`,
      async check(kit) {
        const body = method === 'GET' ? {} : { body: leadBody(kit) }
        expectError(
          await kit.installer.call(method, path, { authorization: null, ...body }),
          401,
          'unauthorized',
        )
      },
    }),
  ),
  ...wrong.map(
    ([name, what, authorization]): Rule => ({
      id: `v1.keys.wrong.${name}`,
      says: `${what} answers 401 \`unauthorized\`.`,
      check: async (kit) =>
        expectError(await kit.installer.get('/me', { authorization: authorization() }), 401, 'unauthorized'),
    }),
  ),
  {
    id: 'v1.keys.before-address',
    says: 'Without a key an address that there is not answers 401 too, and so tells nothing.',
    decision: true,
    check: async (kit) =>
      expectError(
        await kit.installer.get('/conformance-no-such-address', { authorization: null }),
        401,
        'unauthorized',
      ),
  },
]
