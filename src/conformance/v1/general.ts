import type { Answer } from '../client.ts'
import { expectEqual, expectInvalid, expectMissing, expectShape, expectStatus, told } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail } from '../outcome.ts'
import type { Rule } from '../rule.ts'
import { at, filledText, matching, record, text } from '../shape.ts'
import { leadBody, page, unknownId } from './records.ts'

const missing = (kit: Kit) => page(kit, `/leads/${unknownId}`)
const anonymous = (kit: Kit) => kit.once('v1 no key', () => kit.installer.get('/me', { authorization: null }))
const refused = (kit: Kit) => page(kit, '/leads?limit=0')

function expectJson(answer: Answer): void {
  if (!/^application\/(\w+\+)?json\b/.test(answer.headers['content-type'] ?? ''))
    fail(`${told(answer)}; its content type is ${answer.headers['content-type'] ?? 'missing'}`)
  if (answer.json === undefined) fail(`${told(answer)}; expected JSON`)
}

const answers: [name: string, what: string, of: (kit: Kit) => Promise<Answer>][] = [
  ['success', 'A good answer', (kit) => page(kit, '/me')],
  ['unauthorized', 'A 401', anonymous],
  ['missing', 'A 404', missing],
  ['invalid', 'A 400', refused],
]

const errorOf: [code: string, status: number, of: (kit: Kit) => Promise<Answer>][] = [
  ['unauthorized', 401, anonymous],
  ['not_found', 404, missing],
  ['invalid', 400, refused],
  ['forbidden', 403, (kit) => kit.once('v1 dealer /adders', () => kit.dealer.get('/adders'))],
]

const errors = (kit: Kit) => Promise.all([anonymous(kit), missing(kit), refused(kit)])

const badBodies: [name: string, says: string, post: (kit: Kit) => Promise<Answer>][] = [
  [
    'bad-json',
    'A body that is no JSON is 400 `invalid`.',
    (kit) => kit.installer.post('/leads', undefined, { raw: '{"firstName": ' }),
  ],
  [
    'content-type',
    'A body of another content type is 400 `invalid`.',
    (kit) => kit.installer.post('/leads', leadBody(kit), { headers: { 'content-type': 'text/plain' } }),
  ],
  [
    'too-long',
    'A body of more than 1 MiB is 400 `invalid`.',
    (kit) => kit.installer.post('/leads', leadBody(kit, { notes: 'x'.repeat(1_100_000) })),
  ],
  [
    'unknown-field',
    'A field that the body does not have is 400 `invalid`.',
    (kit) => kit.installer.post('/leads', leadBody(kit, { conformanceField: true })),
  ],
  [
    'unknown-query',
    'A query field that the address does not have is 400 `invalid`.',
    (kit) => kit.installer.get('/leads?conformanceField=1'),
  ],
]

export const generalRules: Rule[] = [
  ...answers.map(
    ([name, what, of]): Rule => ({
      id: `v1.json.${name}`,
      says: `${what} is JSON, by its content and its content type.`,
      check: async (kit) => expectJson(await of(kit)),
    }),
  ),
  ...answers.map(
    ([name, what, of]): Rule => ({
      id: `v1.request-id.${name}`,
      says: `${what} carries \`X-Request-Id\`.`,
      async check(kit) {
        const answer = await of(kit)
        if (!answer.headers['x-request-id']) fail(`${told(answer)}; it has no X-Request-Id`)
      },
    }),
  ),
  {
    id: 'v1.request-id.kept',
    says: 'A sane `X-Request-Id` that the caller sends is kept.',
    decision: true,
    async check(kit) {
      const answer = await kit.installer.get('/me', { headers: { 'x-request-id': 'conformance-1' } })
      expectEqual(answer.headers['x-request-id'], 'conformance-1', `X-Request-Id of ${answer.what}`)
    },
  },
  ...errorOf.map(
    ([code, status, of]): Rule => ({
      id: `v1.errors.code.${code}`,
      says: `The code of a ${status} is \`${code}\`.`,
      async check(kit) {
        const answer = await of(kit)
        expectStatus(answer, status)
        expectEqual(at(answer.json, 'error.code'), code, `error.code of ${answer.what}`)
      },
    }),
  ),
  ...['message', 'docs'].map(
    (name): Rule => ({
      id: `v1.errors.${name}`,
      says: `Every error has \`error.${name}\`, a text.`,
      async check(kit) {
        const shape = name === 'message' ? filledText : text
        for (const answer of await errors(kit))
          expectShape(answer, record({ error: record({ [name]: shape }) }))
      },
    }),
  ),
  {
    id: 'v1.errors.same-again',
    says: 'A request that is not valid fails the same way when it is sent again.',
    async check(kit) {
      const first = await refused(kit)
      const second = await kit.installer.get('/leads?limit=0')
      expectEqual(second.status, first.status, `the second status of ${first.what}`)
      expectEqual(at(second.json, 'error.code'), at(first.json, 'error.code'), 'its code')
    },
  },
  {
    id: 'v1.errors.fields',
    says: 'A 400 names the fields that are at fault in `error.fields`, each with `path` and `message`.',
    decision: true,
    async check(kit) {
      const answer = await refused(kit)
      expectShape(
        answer,
        record({ path: matching('the field limit', /limit/), message: filledText }),
        'error.fields.0',
      )
    },
  },
  {
    id: 'v1.errors.unknown-address',
    says: 'An address that there is not answers 404 `not_found`.',
    check: async (kit) => expectMissing(await kit.installer.get('/conformance-no-such-address')),
  },
  {
    id: 'v1.errors.wrong-method',
    says: 'A wrong method answers 404 and names the right ones in `Allow`.',
    decision: true,
    async check(kit) {
      const answer = await kit.installer.delete('/me')
      expectMissing(answer)
      if (!/\bGET\b/.test(answer.headers['allow'] ?? ''))
        fail(`${told(answer)}; its Allow is ${answer.headers['allow'] ?? 'missing'}`)
    },
  },
  ...badBodies.map(
    ([name, says, post]): Rule => ({
      id: `v1.body.${name}`,
      says,
      decision: true,
      check: async (kit) => expectInvalid(await post(kit)),
    }),
  ),
  {
    id: 'v1.body.none',
    says: 'A call without a body may say `Content-Type: application/json` all the same.',
    decision: true,
    check: async (kit) =>
      expectStatus(await kit.installer.get('/me', { headers: { 'content-type': 'application/json' } }), 200),
  },
  {
    id: 'v1.openapi',
    says: 'There is an OpenAPI 3.1 description (by decision at `/v1/openapi.json`, open without a key).',
    decision: true,
    async check(kit) {
      const answer = await kit.installer.get('/openapi.json', { authorization: null })
      expectStatus(answer, 200)
      expectShape(answer, record({ openapi: matching('a version 3.1', /^3\.1\./) }))
    },
  },
]
