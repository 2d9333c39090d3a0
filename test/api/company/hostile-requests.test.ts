import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startApp } from '../../support/app.ts'
import { createWorld, leadBody, project } from '../../support/factories.ts'

const app = await startApp()
const { installer } = await createWorld(app.database.db)
const { key } = installer
const mine = await project(installer)

const json = { 'content-type': 'application/json' }
const post = (raw: string | Buffer, headers: Record<string, string> = json) =>
  app.call('POST', '/v1/leads', { key, raw, headers })

test('a body that is no JSON object of the right kind is 400', async () => {
  const valid = JSON.stringify(leadBody)
  const deep = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`
  const bodies: [string | Buffer, Record<string, string>?][] = [
    [''],
    ['{'],
    ['[]'],
    ['null'],
    ['7'],
    ['"text"'],
    [`${valid}x`],
    [valid.replace('{', "{'")],
    [Buffer.from('{"firstName":"\xff"}', 'latin1')],
    [Buffer.concat([Buffer.from('{"firstName":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])],
    [Buffer.from(valid, 'utf16le')],
    [deep(17)],
    [`{"firstName":${deep(100_000)}}`],
    [`{"a":`.repeat(50_000)],
    [`{"firstName":"${'x'.repeat(1_048_576)}"}`],
    [valid, { 'content-type': 'text/plain' }],
    [valid, { 'content-type': 'application/xml' }],
    [valid, { 'content-type': 'application/jsonp' }],
    [valid, { 'content-type': 'json' }],
    [valid, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['firstName=Ada', { 'content-type': 'application/x-www-form-urlencoded' }],
    [valid, {}],
    [gzipSync(valid), { ...json, 'content-encoding': 'gzip' }],
  ]
  for (const [raw, headers] of bodies) {
    const answer = await post(raw, headers)
    assert.equal(
      answer.status,
      400,
      `${raw.toString().slice(0, 60)} ${JSON.stringify(headers)}: ${answer.text}`,
    )
  }
})

test('JSON is taken with a charset, a byte order mark and blanks around it', async () => {
  const valid = JSON.stringify(leadBody)
  assert.equal((await post(valid, { 'content-type': 'application/json; charset=utf-8' })).status, 201)
  assert.equal((await post(valid, { 'content-type': 'Application/JSON' })).status, 201)
  assert.equal((await post(`\n ${valid} \n`)).status, 201)
  assert.equal((await post(`\ufeff${valid}`)).status, 201)
})

test('__proto__, constructor and other names that are no fields are named and change nothing', async () => {
  for (const name of [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'FirstName',
    'first_name',
    '',
    '\\u0000',
    '\\ud800',
  ]) {
    const answer = await post(`{"${name}":{"polluted":true},${JSON.stringify(leadBody).slice(1)}`)
    assert.equal(answer.status, 400, name)
    const nested = JSON.stringify({ ...leadBody, address: { ...leadBody.address, x: 1 } })
    assert.equal((await post(nested.replace('"x"', `"${name}"`))).status, 400, name)
  }
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  const near = await post(JSON.stringify({ ...leadBody, firstname: 'x' }))
  assert.match(near.body.error.message, /firstname.*did you mean firstName/)
  const far = await post(JSON.stringify({ ...leadBody, spaceship: 'x' }))
  assert.match(far.body.error.message, /spaceship/)
})

test('NUL and lone surrogates are 400 wherever they stand', async () => {
  const texts = ['a\\u0000b', '\\u0000', '\\ud800', '\\udc00\\ud800', 'x\\udfff']
  const fields = [
    'firstName',
    'lastName',
    'email',
    'phone',
    'notes',
    'externalId',
    'salesRepEmail',
    'productLine',
  ]
  for (const bad of texts) {
    for (const field of fields) {
      const raw = JSON.stringify({ ...leadBody, [field]: '@@' }).replace('"@@"', `"${bad}"`)
      assert.equal((await post(raw)).status, 400, `${field} ${bad}`)
    }
    const inAddress = JSON.stringify({ ...leadBody, address: { ...leadBody.address, line2: '@@' } })
    assert.equal((await post(inAddress.replace('@@', bad))).status, 400)
    const patch = { key, headers: json, raw: `{"coBorrower":{"firstName":"${bad}"}}` }
    assert.equal((await app.call('PATCH', `/v1/leads/${mine.leadId}`, patch)).status, 400)
    const stage = { key, headers: json, raw: `{"stage":"${bad}"}` }
    assert.equal((await app.call('POST', `/v1/projects/${mine.projectId}/stage`, stage)).status, 400)
    const files = {
      key,
      headers: json,
      raw: `{"folder":"permit","files":[{"url":"https://a.example.com/","name":"${bad}"}]}`,
    }
    assert.equal((await app.call('POST', `/v1/projects/${mine.projectId}/files`, files)).status, 400)
  }
})

test('emoji and other letters are kept as they are', async () => {
  const made = await post(
    JSON.stringify({ ...leadBody, firstName: '  Zoë 🌞 \u0001"\\ ', notes: '\u0002{"a":1}\n' }),
  )
  const { body } = await app.get(`/v1/leads/${made.body.leadId}`, key)
  assert.equal(body.customer.firstName, 'Zoë 🌞 \u0001"\\')
  assert.equal(body.notes, '\u0002{"a":1}')
})

test('wrong queries are 400 naming the field', async () => {
  const queries = [
    'limit=1&limit=2',
    'limit=',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=0x10',
    'limit=%31%00',
    'limit=99999999999999999999',
    'limit=ten',
    'cursor=',
    'cursor=x&cursor=y',
    'cursor=%00',
    'cursor=%ED%A0%80',
    `cursor=${'A'.repeat(3000)}`,
    'productLine=Solar',
    'productLine=',
    'productLine=solar&productLine=hi',
    'productLine[]=solar',
    'updatedSince=%zz',
    'updatedSince=%',
    'updatedSince=%00',
    '__proto__=1',
    'constructor=1',
    '=1',
    'limt=5',
    'a%00b=1',
    '%F0%9F',
  ]
  for (const query of queries) {
    for (const list of ['/v1/leads', '/v1/projects']) {
      const answer = await app.call('GET', `${list}?${query}`, { key })
      assert.equal(answer.status, 400, `${list}?${query}: ${answer.text}`)
    }
  }
  assert.match((await app.get('/v1/leads?limt=5', key)).body.error.message, /limt.*did you mean limit/)
  assert.equal((await app.get('/v1/equipment?kind=panel&kind=battery', key)).status, 400)
  assert.equal((await app.get('/v1/adders?kind=panel', key)).status, 400)
  assert.equal((await app.call('POST', '/v1/leads?x=1', { key, body: leadBody })).status, 400)
})

test('a call without body may carry one, or only say that it is JSON', async () => {
  assert.equal((await app.call('GET', '/v1/me', { key, headers: json })).status, 200)
  assert.equal(
    (await app.call('GET', '/v1/leads', { key, headers: { ...json, 'content-length': '0' } })).status,
    200,
  )
  assert.equal((await app.call('GET', '/v1/me', { key, headers: json, raw: '{"a":1}' })).status, 200)
  assert.equal(
    (await app.call('GET', '/v1/me', { key, raw: 'x', headers: { 'content-type': 'text/x' } })).status,
    200,
  )
})

test('ids of any form that are not ours are the same 404', async () => {
  const ids = [
    '%00',
    '%zz',
    '%',
    '%E0%A4%A',
    '%ED%A0%80',
    '..%2f..',
    "'%20or%201=1",
    'lead_',
    'proj_',
    'lead_A',
    '%F0%9F%8C%9E',
    'lead_0123456789%00',
    `lead_${'a'.repeat(40)}`,
    'a'.repeat(10),
    'a'.repeat(5000),
    'undefined',
    '-1',
    '%2e%2e',
    '{id}',
    '*',
    'a%0ab',
    '🌞',
  ]
  for (const [prefix, suffix, method, body] of [
    ['/v1/leads/', '', 'GET'],
    ['/v1/leads/', '/activities', 'GET'],
    ['/v1/leads/', '', 'PATCH', {}],
    ['/v1/projects/', '', 'GET'],
    ['/v1/projects/', '', 'PATCH', {}],
    ['/v1/projects/', '/stage', 'POST', { stage: 'Sold' }],
    ['/v1/projects/', '/files', 'POST', { folder: 'permit', files: [{ url: 'https://a.example.com/x' }] }],
  ] as const) {
    const bodies = new Set<string>()
    for (const id of ids) {
      const path = prefix + (id === '🌞' ? encodeURI(id) : id) + suffix
      const answer = await app.call(method, path, { key, ...(body ? { body } : {}) })
      assert.equal(answer.status, 404, path)
      bodies.add(answer.text)
    }
    assert.equal(bodies.size, 1, [...bodies].join('\n'))
  }
})

test("a sane request id of the caller's is kept, another is replaced", async () => {
  const id = async (given: string) =>
    (await app.call('GET', '/v1/me', { key, headers: { 'x-request-id': given } })).headers['x-request-id']
  assert.equal(await id('trace-1.a:b/c=9'), 'trace-1.a:b/c=9')
  for (const bad of ['a b', '<script>', 'x'.repeat(129), '"', 'é']) assert.notEqual(await id(bad), bad)
  assert.notEqual(await id('a b'), await id('a b'))
})

test('what is not HTTP, or too large to be read, is 400 in the one shape', async () => {
  const requests = [
    'hello\r\n\r\n',
    'GET /v1/me HTTP/9.9\r\n\r\n',
    'GET /v1/me HTTP/1.1\r\n\r\n',
    `GET /v1/leads/${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    `GET /v1/me HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    'POST /v1/leads HTTP/1.1\r\nhost: a\r\ncontent-length: -5\r\n\r\n',
    'POST /v1/leads HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n',
  ]
  for (const request of requests) {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(request)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 400 /, request.slice(0, 60))
    assert.match(head, /^x-request-id: \S+/im, request.slice(0, 60))
    const { error } = JSON.parse(body)
    assert.deepEqual(Object.keys(error), ['code', 'message', 'docs'])
    assert.equal(error.code, 'invalid')
  }
})
