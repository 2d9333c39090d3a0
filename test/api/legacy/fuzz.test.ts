import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import {
  type Field,
  type LegacyOperation,
  legacyOperations,
  placesOf,
  requiredFields,
  stockOf,
} from '../../support/legacy-operations.ts'
import { startWatching } from '../../support/refusals.ts'
import { png } from '../../support/sample-files.ts'

const outside = await startHttpsServer((request, response) =>
  request.url === '/gone.png' ? response.writeHead(404).end() : response.end(png),
)
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
after(() => outside.close())
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const stock = await stockOf(world, `${outside.url}/roof.png`)
const places = [
  await placesOf(installer, installer),
  await placesOf(dealer, installer),
  await placesOf(other, other),
]
const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
const json = { 'content-type': 'application/json' }

const call = await startWatching(app)

// Texts that parsers, databases and headers stumble over.
const gone = `${outside.url}/gone.png`
const nasty = fc.constantFrom(
  ...['', ' ', '\0', '\ud800', '\u0001\u0002', '\u202e', 'İ', '\ufeff', '\\', '"', '%', '%00', '$$x', '{id}'],
  ...['🌞'.repeat(150), 'x'.repeat(300), "'; drop table leads;--", '__proto__', 'constructor', 'null'],
  ...['-0', '0', '1e308', '1e400', '999999999', '2147483648', '00000000000', '9'.repeat(400)],
  ...['lead_0123456789', 'proj_0123456789', 'Abcdefghij', 'https://127.0.0.1/', gone],
)
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), nasty)
const numbers = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(
    1e308,
    -1e308,
    5e-324,
    -0,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    1e21,
    1e-7,
    0.1 + 0.2,
    999_999_999_999_999,
  ),
)
const anything = fc.oneof(text, numbers, fc.jsonValue({ maxDepth: 4 }), fc.constant([stock.photo, gone]))

/** Mostly what is good, so that the calls get past the first checks. */
function fieldValue(operation: LegacyOperation, field: Field): fc.Arbitrary<unknown> {
  const good = places.flatMap(({ solar, hi }) => [
    ...field.good(solar, stock),
    ...field.good(hi, stock),
    ...field.good(places[0]![operation.line], stock),
    ...field.good(places[0]![operation.line], stock),
  ])
  return fc.oneof(
    { weight: 10 * Object.keys(operation.fields).length, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...field.wrong) },
    { weight: 3, arbitrary: anything },
  )
}

function valuesOf(operation: LegacyOperation): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(operation.fields)
  const known = fc.record(
    Object.fromEntries(names.map((name) => [name, fieldValue(operation, operation.fields[name]!)])),
    { requiredKeys: requiredFields(operation) },
  )
  const more = fc.dictionary(text, anything, { maxKeys: 3 })
  return fc.oneof(
    { weight: 8, arbitrary: known },
    { weight: 2, arbitrary: fc.tuple(more, known).map(([others, values]) => ({ ...others, ...values })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(known, fc.constantFrom(...names))
        .map(([values, gone]) =>
          Object.fromEntries(Object.entries(values).filter(([name]) => name !== gone)),
        ),
    },
  )
}

const encoded = (values: Record<string, unknown>) =>
  Object.entries(values)
    .flatMap(([name, value]) =>
      [value].flat().map((one) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
    )
    .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
    .join('&')
const rawQuery = fc.string({ unit: 'binary', maxLength: 30 }).map((t) => t.replace(/[^\x21-\x7e]|#/g, '%'))
const key = fc.constantFrom(installer.key, installer.key, installer.key, dealer.key, other.key, readOnly)

/** A call of this operation: its path with the query, and its body as it is sent. */
function callOf(operation: LegacyOperation): fc.Arbitrary<{ path: string; raw?: string | Buffer }> {
  const values = valuesOf(operation)
  if (operation.in === 'query') {
    const query = fc.oneof({ weight: 9, arbitrary: values.map(encoded) }, { weight: 1, arbitrary: rawQuery })
    return query.map((sent) => ({ path: `${operation.path}?${sent.slice(0, 8000)}` }))
  }
  const raw = fc.oneof(
    { weight: 16, arbitrary: values.map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 5 }).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
  )
  return fc.tuple(raw, rawQuery).map(([sent, query]) => ({ path: `${operation.path}?${query}`, raw: sent }))
}

const seen = new Map<number, number>()

for (const operation of legacyOperations) {
  const { method, path, line } = operation
  test(`${method} ${path} (${line}): whatever is sent, it is never a 500, and what is refused writes nothing`, async () => {
    // So few keys that some come again: with another body they are refused.
    const once = fc.option(
      fc.integer({ min: 0, max: 200 }).map((n) => ({ 'idempotency-key': `fuzz-${path}-${n}` })),
    )
    await fc.assert(
      fc.asyncProperty(callOf(operation), key, once, async ({ path, raw }, key, header) => {
        const headers = { ...(raw === undefined ? {} : json), ...header }
        const { status } = await call(method, path, { key, headers, ...(raw === undefined ? {} : { raw }) })
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }),
      { numRuns: method === 'POST' ? 70 : 40, endOnFailure: true },
    )
  })
}

test('the calls were of all kinds, and every record that they made can be read', async () => {
  const count = (status: number) => seen.get(status) ?? 0
  const all = JSON.stringify([...seen])
  assert.ok(count(200) > 150 && count(400) > 150 && count(404) > 100 && count(403) > 10, all)
  for (const suffix of ['', '_hi']) {
    for (const list of ['project', 'lead']) {
      const path = `/legacy/fetch_all_${list}${suffix}?org_id=${installer.company.number}&page=1`
      for (const { id } of (await app.get(path, installer.key)).body.data) {
        assert.equal((await app.get(`/legacy/fetch_${list}${suffix}?id=${id}`, installer.key)).status, 200)
      }
    }
  }
})
