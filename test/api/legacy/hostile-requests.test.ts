import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { asCall, goodValues, legacyOperations, placesOf, stockOf } from '../../support/legacy-operations.ts'
import { startWatching } from '../../support/refusals.ts'
import { png } from '../../support/sample-files.ts'

const outside = await startHttpsServer((request, response) => {
  if (request.url !== '/gone.png') return response.end(png)
  // Late, so that the others are copied by then.
  setTimeout(() => response.writeHead(404).end(), 300)
})
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
after(() => outside.close())
const world = await createWorld(app.database.db)
const { installer } = world
const stock = await stockOf(world, `${outside.url}/roof.png`)
const places = await placesOf(installer, installer)
const json = { 'content-type': 'application/json' }
const call = await startWatching(app)

// As JSON, for these cannot all be said by a value.
const texts = ['"a\\u0000b"', '"\\ud800"', '"x\\udfff"']
const numbers = ['1e308', '-1e308', '1e999', '123456789012345678901234567890']
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const shapes = [deep(17), deep(50_000), `{"a":${deep(16)}}`, '{"__proto__":{"a":1}}']
const hostile = [...texts, ...numbers, ...shapes]

for (const operation of legacyOperations.filter((one) => one.in === 'body')) {
  const { path, line, fields } = operation
  const good = goodValues(operation, places[line], stock)
  const withRaw = (field: string, raw: string) =>
    JSON.stringify({ ...good, [field]: '@@' }).replace('"@@"', () => raw)
  const post = (raw: string) => call('POST', path, { key: installer.key, raw, headers: json })

  test(`POST ${path} (${line}): NUL, lone surrogates, monstrous numbers and nesting are refused in every field`, async () => {
    for (const [field, { names }] of Object.entries(fields)) {
      // A number that no company has is an unknown one.
      const refusals = names ? [400, 404] : [400]
      for (const raw of hostile) {
        const answer = await post(withRaw(field, raw))
        assert.ok(refusals.includes(answer.status), `${field} ${raw.slice(0, 60)}: ${answer.text}`)
        const inList = await post(withRaw(field, `[${raw}]`))
        assert.equal(inList.status, 400, `${field} [${raw.slice(0, 60)}]: ${inList.text}`)
      }
    }
  })

  test(`POST ${path} (${line}): in a field that it does not have, they are refused or ignored`, async () => {
    for (const name of ['more', '__proto__', 'constructor', 'prototype', 'toString', '\\u0000', '\\ud800']) {
      for (const raw of hostile) {
        const { status, text } = await post(`{"${name}":${raw},${JSON.stringify(good).slice(1)}`)
        assert.ok(status === 200 || status === 400, `${name} ${raw.slice(0, 60)}: ${text}`)
        if (numbers.includes(raw)) assert.equal(status, 200, `${name} ${raw}: ${text}`)
      }
    }
    assert.equal(({} as { a?: unknown }).a, undefined)
  })
}

const queryTexts = ['%00', 'a%00b', '%ED%A0%80', '%', '%zz', '%C3', '1e308', '-0', 'x'.repeat(5000)]

test('in a query, NUL, broken UTF-8 and long texts are refused in every field', async () => {
  for (const operation of legacyOperations.filter((one) => one.in === 'query')) {
    const { method, path, line, fields } = operation
    for (const [field, { names }] of Object.entries(fields)) {
      for (const text of queryTexts) {
        const values = goodValues(operation, places[line], stock)
        const sent = asCall(operation, { ...values, [field]: '@@' }).path.replace('%40%40', () => text)
        const { status, text: body } = await call(method, sent, { key: installer.key })
        assert.ok(status === 400 || (names && status === 404), `${method} ${path} ${field}=${text}: ${body}`)
      }
    }
  }
})

test('a number beyond its field’s range is refused in a text too', async () => {
  const operation = legacyOperations.find(({ path }) => path.endsWith('create_project'))!
  const good = goodValues(operation, places.solar, stock)
  const beyond = {
    term_years: 101,
    panel_count: 1_000_000,
    inverter_count: 1_000_000,
    lease_ppa_rate: 1_000_001,
    pre_itc_payment: 1_000_000_001,
    escalator_rate: 1_001,
  }
  for (const [field, value] of Object.entries(beyond)) {
    for (const sent of [value, String(value)]) {
      const { body, path } = asCall(operation, { ...good, [field]: sent })
      const raw = JSON.stringify(body)
      const answer = await call('POST', path, { key: installer.key, raw, headers: json })
      assert.equal(answer.status, 400, `${field} ${JSON.stringify(sent)}: ${answer.text}`)
      assert.match(answer.body.message, new RegExp(`^${field} `))
    }
  }
})

test('of one good address and one bad, nothing is kept: no copy, no record', async () => {
  const fields: Record<string, string> = {
    project_upload_file: 'fileurl',
    project_upload_file_hi: 'fileurl',
    create_project: 'site_survey_photos',
  }
  for (const [name, field] of Object.entries(fields)) {
    const operation = legacyOperations.find(({ path }) => path === `/legacy/${name}`)!
    const values = goodValues(operation, places[operation.line], stock)
    const addresses = [`${outside.url}/fresh-${name}.png`, `${outside.url}/gone.png`]
    for (const sent of [addresses, addresses.toReversed()]) {
      const raw = JSON.stringify({ ...values, [field]: sent })
      const answer = await call('POST', operation.path, { key: installer.key, raw, headers: json })
      assert.equal(answer.status, 400, answer.text)
      const place = `${field}\\[${sent.findIndex((address) => address.endsWith('/gone.png'))}\\]`
      assert.match(answer.body.message, new RegExp(`^${place}: the address answered 404`))
    }
  }
})
