import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor, project } from '../../support/factories.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
const solar = await project(installer, { reference: 'FuzzLead01' })
const own = await project(dealer, { productLine: 'hi' })

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  maxLength?: number
  minItems?: number
  maxItems?: number
  format?: string
  pattern?: string
}
interface Operation {
  parameters?: { in: string; name: string; schema: Schema }[]
  requestBody?: { content: { 'application/json'?: { schema: { $ref: string } } } }
}
const { body: document } = await app.send('GET', '/v1/openapi.json')
const prefix = new URL(document.servers[0].url).pathname.replace(/\/$/, '')
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: prefix + path,
      operation,
    })),
)

// Texts that parsers, databases and headers stumble over.
const nasty = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\ud800',
  '\u0001\u0002',
  '%',
  '%00',
  "'; drop table leads;--",
  '\\',
  '"',
  '$$x',
  '{firstName}',
  '🌞'.repeat(150),
  'x'.repeat(300),
  '__proto__',
  'null',
  '1e400',
  '-0',
  '2026-02-30',
  '0001-01-01T00:00:00+23:59',
  'https://127.0.0.1/',
  'https://a.example.com/../..',
  '\u202e',
  'İ',
  '\ufeff',
)
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 2, arbitrary: nasty },
)

/** Mostly what the schema asks for, so that the calls get past the first check. */
function valid(schema: Schema): fc.Arbitrary<unknown> {
  const type = [schema.type].flat()[0]
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid))
  if (schema.properties) {
    const needed = schema.required ?? []
    return fc.record(
      Object.fromEntries(Object.entries(schema.properties).map(([name, s]) => [name, valid(s)])),
      { requiredKeys: needed },
    )
  }
  if (type === 'array')
    return fc.array(valid(schema.items!), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 3, 3),
    })
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer' || type === 'number') return fc.integer({ min: -1, max: 120 })
  if (schema.format === 'date')
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((d) => d.toISOString().slice(0, 10)),
      fc.constant(null),
      text,
    )
  if (schema.format === 'date-time')
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((d) => d.toISOString()),
      text,
    )
  if (schema.pattern?.includes('@')) return fc.oneof(fc.emailAddress(), text)
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 20 }) },
    { weight: 1, arbitrary: text },
  )
}

/** Now and then one place is something else. */
function mutated(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary },
    {
      weight: 2,
      arbitrary: fc
        .tuple(arbitrary, fc.string({ unit: 'binary', maxLength: 12 }), fc.jsonValue())
        .map(([value, name, other]) =>
          value && typeof value === 'object' ? { ...value, [name]: other } : other,
        ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(arbitrary, fc.nat(10), fc.jsonValue())
        .map(([value, n, other]) => replaced(value, n, other)),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 5 }) },
  )
}

function replaced(value: unknown, n: number, other: unknown): unknown {
  if (value === null || typeof value !== 'object') return other
  const names = Object.keys(value)
  const name = names[n % Math.max(1, names.length)]
  if (name === undefined) return other
  const inner = (value as Record<string, unknown>)[name]
  const changed = n > names.length ? replaced(inner, n - names.length, other) : other
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed }
}

const id = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(solar.leadId, solar.projectId, own.leadId, own.projectId, 'FuzzLead01'),
  },
  { weight: 1, arbitrary: text.filter((t) => t.isWellFormed()).map(encodeURIComponent) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }).map((t) => t.replace(/[^\x21-\x7e]|[/?#]/g, '%')) },
)
const key = fc.constantFrom(installer.key, installer.key, dealer.key, readOnly)

const call = fc.constantFrom(...operations).chain(({ method, path, operation }) => {
  const fields = (operation.parameters ?? []).filter((p) => p.in === 'query')
  const query = fc.record(Object.fromEntries(fields.map((f) => [f.name, valid(f.schema)])), {
    requiredKeys: [],
  })
  const named = operation.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1)
  const schema: Schema | undefined = named && document.components.schemas[named]
  return fc.record({
    method: fc.constant(method),
    path: fc.constant(path),
    id,
    key,
    query: fc.oneof(
      query.map(encoded),
      fc.tuple(query, text, text).map(([q, name, value]) => encoded({ ...q, [name]: value })),
      fc.string({ maxLength: 30 }).map((t) => t.replace(/[^\x21-\x7e]|#/g, '%')),
    ),
    body: schema
      ? fc.oneof(
          { weight: 12, arbitrary: mutated(valid(schema)).map((value) => JSON.stringify(value)) },
          { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
        )
      : fc.constant(undefined),
  })
})

function encoded(query: Record<string, unknown>): string {
  return Object.entries(query)
    .map((pair) => pair.map((part) => encodeURIComponent(String(part).toWellFormed())).join('='))
    .join('&')
}

test('whatever is sent, the answer is a described one, never a 500', async () => {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 20 }), async (calls) => {
      const answers = await Promise.all(
        calls.map(({ method, path, id, key, query, body }) =>
          app.call(method, `${path.replace('{id}', id || 'x')}${query ? `?${query}` : ''}`, {
            key,
            ...(body === undefined ? {} : { raw: body, headers: { 'content-type': 'application/json' } }),
          }),
        ),
      )
      for (const { status } of answers) seen.set(status, (seen.get(status) ?? 0) + 1)
    }),
    { numRuns: 150, endOnFailure: true },
  )
  const count = (status: number) => seen.get(status) ?? 0
  assert.ok(count(400) > 200 && count(404) > 50 && count(403) > 20, JSON.stringify([...seen]))
  assert.ok(count(200) + count(201) > 100, JSON.stringify([...seen]))
})
