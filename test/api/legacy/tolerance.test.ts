import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'
import { asCall, goodValues, legacyOperations, placesOf, stockOf } from '../../support/legacy-operations.ts'

// What old clients say besides what counts.
const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const { key } = installer
const stock = await stockOf(world, 'https://files.example.com/roof.png')
const own = await placesOf(dealer, installer)
const json = { 'content-type': 'application/json' }
const good = (operation: (typeof legacyOperations)[number]) =>
  goodValues(operation, own[operation.line], stock)

test('a call that needs no body may say that it has one, of any type, and may have one', async () => {
  const types = ['application/json', 'text/plain', 'multipart/form-data', 'nonsense', '']
  for (const operation of legacyOperations.filter((one) => one.method === 'GET')) {
    const { path } = asCall(operation, good(operation))
    for (const type of types) {
      const headers = { 'content-type': type }
      assert.equal((await app.call('GET', path, { key, headers })).status, 200, `${path} ${type}`)
      assert.equal((await app.call('GET', path, { key, headers, raw: '{"a' })).status, 200, `${path} ${type}`)
    }
    assert.equal(
      (await app.call('GET', path, { key, headers: { ...json, 'content-length': '0' } })).status,
      200,
    )
  }
})

for (const name of ['update_stage', 'update_stage_hi']) {
  const operation = legacyOperations.find((one) => one.path === `/legacy/${name}`)!
  const { path } = asCall(operation, good(operation))
  const bodies = [
    undefined,
    '',
    '{',
    'null',
    '{"id":"Unknown001","project_stage_name":7}',
    'id=Unknown001',
    '\0\xff',
  ]

  test(`${name} reads its fields from the query and no body, whatever that is said to be`, async () => {
    for (const type of [
      undefined,
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'x/y; =',
    ]) {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
      for (const raw of bodies) {
        const answer = await app.call('POST', path, { key, headers, ...(raw === undefined ? {} : { raw }) })
        assert.equal(answer.status, 200, `${type} ${raw}: ${answer.text}`)
      }
    }
    const large = { key, raw: Buffer.alloc(900_000, 65), headers: { 'content-encoding': 'gzip' } }
    assert.equal((await app.call('POST', path, large)).status, 200)
    // The query alone counts: in a body the fields are not there.
    const moved = await app.call('POST', operation.path, { key, body: good(operation) })
    assert.equal(moved.status, 400)
    assert.match(moved.body.message, /id is required/)
  })

  test(`${name} does not mind a content type that is none`, async () => {
    for (const type of ['', 'nonsense', ';', 'a/b/c']) {
      for (const raw of bodies) {
        const call = { key, headers: { 'content-type': type }, ...(raw === undefined ? {} : { raw }) }
        const answer = await app.call('POST', path, call)
        assert.equal(answer.status, 200, `"${type}" ${raw}: ${answer.text}`)
      }
    }
  })
}

test('fields that an operation does not have are ignored, in the body and in the query', async () => {
  const values = [null, 7, '', 'x', [], { a: [{ b: 1 }] }]
  const names = ['spaceship', 'Id', 'firstname', '', '__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const query = [
    ...names.map((one) => `${one}=1`),
    'x=1&x=2',
    'y',
    '&',
    'page[]=1',
    '%F0%9F%8C%9E=%F0%9F%8C%9E',
  ].join('&')
  // Copying is not at stake here, and this address is nobody's.
  for (const operation of legacyOperations.filter((one) => !one.path.includes('upload'))) {
    const { path, body } = asCall(operation, good(operation))
    const at = `${path}${path.includes('?') ? '&' : '?'}${query}`
    const plain = await app.call(operation.method, at, { key, ...(body === undefined ? {} : { body }) })
    assert.equal(plain.status, 200, plain.text)
    if (operation.in === 'query') continue
    for (const value of values) {
      // By hand: an object literal would set its prototype instead.
      const more = names.map((one) => `${JSON.stringify(one)}:${JSON.stringify(value)}`).join(',')
      const raw = `{${more},${JSON.stringify(body).slice(1)}`
      const answer = await app.call('POST', path, { key, raw, headers: json })
      assert.equal(answer.status, 200, `${path} ${raw}: ${answer.text}`)
    }
  }
  assert.equal(({} as { a?: unknown }).a, undefined)
})
