import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { installation, panel } from '../../support/panels.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
const [site, theirs] = [await installation(app, installer), await installation(app, dealer)]
const ids = [site, theirs, await panel(app, installer, site), await panel(app, dealer, theirs)]

// Texts that parsers, databases and JSON stumble over.
const nasty = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\ud800',
  '\u0001',
  "';--",
  '\\',
  '"',
  '$1',
  '🌞'.repeat(99),
  '__proto__',
  '1e400',
  '\u202e',
  '\ufeff',
  '\u2028',
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  nasty,
  fc.string({ minLength: 1, maxLength: 9 }),
)
const number = fc.oneof(fc.double(), fc.integer({ min: 1, max: 500 }), fc.constantFrom(0, 1e-4, 1e6, 1e300))
const anything = fc.oneof(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), text)
const mostly = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 15, arbitrary: good }, { weight: 1, arbitrary: anything })
const words = fc.string({ minLength: 1, maxLength: 9, unit: 'grapheme' }).map((t) => `x${t}`)
const kept = fc.dictionary(words, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })

const body = fc.record({
  name: mostly(words),
  address: mostly(words),
  region: mostly(fc.constantFrom('US-CA', 'DE', 'x', '%', '_', 'Nordstrand')),
  capacity_kw: mostly(fc.oneof(fc.integer({ min: 1, max: 500 }), fc.double({ min: 1e-3, max: 1e5 }), number)),
  installation_id: mostly(fc.constantFrom(site, theirs)),
  status: mostly(fc.constantFrom('active', 'inactive', 'maintenance')),
  timezone: mostly(fc.constantFrom('UTC', 'Europe/Berlin', 'etc/gmt+5', 'EST5EDT')),
  metadata: mostly(fc.oneof(kept, kept, fc.dictionary(text, anything, { maxKeys: 6 }))),
})
const fields: Record<string, string[]> = {
  'POST /panels': ['name', 'capacity_kw', 'installation_id', 'metadata'],
  'PATCH /panels/{id}': ['name', 'status', 'metadata'],
  'POST /installations': ['name', 'address', 'region', 'capacity_kw', 'timezone'],
  'GET /panels': [],
  'GET /panels/{id}': [],
  'GET /installations': [],
  'GET /installations/{id}': [],
}
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('page', 'per_page', 'status', 'region', 'x'),
        fc.oneof(text, fc.nat(120).map(String), fc.constantFrom('active', 'DE')),
      )
      .map(([name, value]) => `?${name}=${encodeURIComponent(value.toWellFormed())}`),
  },
)
const call = fc.record({
  operation: fc.constantFrom(...Object.keys(fields)),
  id: fc.oneof(
    fc.constantFrom(...ids),
    text.map((t) => encodeURIComponent(t.toWellFormed()) || 'x'),
  ),
  key: fc.constantFrom(installer.key, installer.key, dealer.key, readOnly),
  body,
  query,
  left: fc.oneof(fc.constant(''), fc.constant(''), fc.constantFrom('name', 'metadata', 'region', 'timezone')),
  stray: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: text }),
})

test('whatever is sent, the answer is a described one, never a 500, and what was kept reads back', async () => {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 20 }), async (calls) => {
      await Promise.all(
        calls.map(async ({ operation, id, key, body, query, left, stray }) => {
          const [method, path] = operation.split(' ') as [string, string]
          const named = Object.entries(body).filter(
            ([name]) => name !== left && fields[operation]!.includes(name),
          )
          const sent = Object.fromEntries(stray === null ? named : [...named, [stray, 1]])
          const answer = await app.call(method, `/catalog/v1${path.replace('{id}', id)}${query}`, {
            key,
            ...(method === 'GET' ? {} : { body: sent }),
          })
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
          if (answer.status !== 201) return
          const there = await app.get(`/catalog/v1${path}/${answer.body.id}`, key)
          assert.equal(there.text, answer.text)
        }),
      )
    }),
    { numRuns: 100, endOnFailure: true },
  )
  const count = (status: number) => seen.get(status) ?? 0
  const shown = JSON.stringify([...seen])
  assert.ok(count(200) > 200 && count(201) > 50 && count(400) > 200 && count(404) > 50, shown)
  assert.ok(count(403) > 20, shown)
})
