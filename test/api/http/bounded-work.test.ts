import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { ErrorObject } from 'ajv'
import { maxWorded, validationError } from '../../../src/api/http/validation.ts'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'
import { addPerson, signedIn } from '../../support/people.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { key } = world.installer
const owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner'))

const megabyte = 1_048_576
const json = { 'content-type': 'application/json' }
const many = (part: string, bytes: number) =>
  Array(Math.floor(bytes / (part.length + 1)))
    .fill(part)
    .join()

test('only the problems that are shown are put into words, and the others are counted', () => {
  let worded = 0
  const errors = Array.from({ length: 100_000 }, (_, i) => ({
    instancePath: '',
    keyword: 'additionalProperties',
    params: { additionalProperty: `field${i}` },
    get parentSchema() {
      worded++
      return { properties: { firstName: {} } }
    },
  })) as unknown as ErrorObject[]
  const { message } = validationError(errors, 'body')
  assert.match(message, /^field0 is not a field here.*; and 99970 more\.$/)
  assert.equal(worded, maxWorded)
})

const hostile: [what: string, body: string, message: RegExp][] = [
  ['empty objects', `[${many('{}', megabyte - 16)}]`, /more than 10000 values/],
  ['short names', `{${many('"a":1', megabyte - 16)}}`, /more than 10000 values/],
  ['numbers inside a field', `{"notes":[${many('1', megabyte - 64)}]}`, /more than 10000 values/],
  ['lists in lists', '['.repeat(megabyte - 16), /nested too deep/],
  ['objects in objects', '{"a":'.repeat(megabyte / 5 - 16), /nested too deep/],
  ['what is no JSON at all', `{${many(',', megabyte - 16)}`, /more than 10000 values/],
]

for (const [what, raw, message] of hostile) {
  test(`a megabyte of ${what} is refused before it is parsed, by whatever takes JSON`, async () => {
    const keyed = { raw, key, headers: json }
    const own = { raw, headers: { ...json, cookie: owner.cookie, 'x-sunstead-console': '1' } }
    for (const [path, call] of [
      ['/v1/leads', keyed],
      ['/legacy/create_project', keyed],
      ['/catalog/v1/panels', keyed],
      ['/console/api/leads', own],
      ['/console/api/adders/check', own],
    ] as const) {
      const answer = await app.send('POST', path, call)
      assert.equal(answer.status, 400, `${path} ${answer.text.slice(0, 200)}`)
      assert.match(answer.text, message)
    }
  })
}

test('readings are counted while they arrive: a body of them that never ends is refused on its way', async () => {
  const { hostname, port } = new URL(app.url)
  const caller = connect(Number(port), hostname)
  caller.write(
    [
      'POST /catalog/v1/monitoring/readings HTTP/1.1',
      'host: sunstead',
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      `content-length: ${8 * megabyte}`,
      '',
      `{"readings":[${many('{}', 200_000)}`,
    ].join('\r\n'),
  )
  const [answer] = await once(caller, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 400 /)
  assert.match(String(answer), /more than 60000 values/)
  caller.destroy()
})

test('10,000 readings with a field too many each are still rejected one by one', async () => {
  const reading = { panel_id: 'pnl_none000000', timestamp: '2026-01-01T00:00:00Z', kwh: 1, watts: 1 }
  const body = { readings: Array(10_000).fill(reading) }
  const answer = await app.call('POST', '/catalog/v1/monitoring/readings', { key, body })
  assert.equal(answer.status, 200)
  assert.equal(answer.body.rejected_count, 10_000)
})

test('thousands of fields beside readings are not named one by one', async () => {
  const raw = `{${Array.from({ length: 9_000 }, (_, i) => `"a${i}":1`).join()}}`
  const answer = await app.call('POST', '/catalog/v1/monitoring/readings', { key, raw, headers: json })
  assert.equal(answer.status, 400)
  assert.match(answer.body.error.message, /the field readings and no other/)
})

test('what is open to everybody takes a few kilobytes and says so', async () => {
  const raw = JSON.stringify({ token: 'x'.repeat(20_000), email: 'a@example.com' })
  for (const path of ['/console/api/set-up', '/console/api/password-link', '/console/auth/sign-in/email']) {
    const headers = { ...json, origin: app.url, 'x-sunstead-console': '1' }
    const answer = await app.send('POST', path, { raw, headers })
    assert.equal(answer.status, 400, `${path} ${answer.text}`)
    assert.match(answer.body.error.message, /^The body is larger than (8|16) KiB\./)
  }
  const large = await app.send('POST', '/v1/leads', { key, raw: 'x'.repeat(megabyte + 1), headers: json })
  assert.match(large.body.error.message, /^The body is larger than 1 MiB\./)
})

test('who has no key or session is refused before a byte of the body has come', async () => {
  const { hostname, port } = new URL(app.url)
  for (const path of [
    '/v1/leads',
    '/legacy/create-lead',
    '/catalog/v1/monitoring/readings',
    '/console/api/leads',
  ]) {
    const caller = connect(Number(port), hostname)
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: sunstead',
      'x-sunstead-console: 1',
      'content-length: 900000',
    ]
    caller.write(`${head.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n`)
    const [answer] = await once(caller, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 401 /, path)
    caller.destroy()
  }
})

test('an address of nothing but percent signs, or of broken encodings, is an address that is not there', async () => {
  for (const part of ['%', '%e2', '%ff%fe', '%c0%80', '%ed%a0%80', '%e2%82%ac']) {
    const answer = await app.call('GET', `/v1/leads/${part.repeat(15_000 / part.length)}`, { key })
    assert.equal(answer.status, 404, part)
  }
})
