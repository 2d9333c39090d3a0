import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import {
  asCall,
  goodValues,
  type LegacyOperation,
  legacyOperations,
  placesOf,
  stockOf,
} from '../../support/legacy-operations.ts'

const limit = 60
const app = await startApp({ env: { RATE_LIMIT_PER_MINUTE: String(limit) } })
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const stock = await stockOf(world, 'https://files.example.com/roof.png')
const own = await placesOf(dealer, installer)
const foreign = await placesOf(other, other)

const unknownKey = 'psk_0000000000000000000000000000000000000000'
const json = { 'content-type': 'application/json' }
const bad = { raw: '{', headers: json }
const find = (name: string) => legacyOperations.find(({ path }) => path === `/legacy/${name}`)!
const freshKey = async (of = installer) => (await keyFor(world, of)).secret
const good = (operation: LegacyOperation, places = own) =>
  goodValues(operation, places[operation.line], stock)

async function status(
  operation: LegacyOperation,
  values: Record<string, unknown>,
  key: string,
): Promise<number> {
  const { path, ...call } = asCall(operation, values)
  return (await app.call(operation.method, path, { ...call, key })).status
}

test('the key comes first: an unknown address, a bad body and a missing record are 401 without one', async () => {
  for (const key of [{}, { key: unknownKey }]) {
    const calls: [string, string, object?][] = [
      ['GET', '/legacy/nothing'],
      ['POST', '/legacy/create-lead', bad],
      ['POST', '/legacy/create-lead', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
      ['GET', '/legacy/fetch_project'],
      ['GET', '/legacy/fetch_project?id=Unknown001'],
      ['PUT', '/legacy/fetch_project'],
      ['POST', '/legacy/update_stage', bad],
    ]
    for (const [method, path, more] of calls) {
      assert.equal((await app.call(method, path, { ...more, ...key })).status, 401, `${method} ${path}`)
    }
  }
})

test('then the limit, one for all interfaces: whatever a spent key asks, it is 429', async () => {
  const key = await freshKey(dealer)
  for (let i = 0; i < limit; i++) {
    const path = i % 2 === 0 ? '/v1/me' : `/legacy/fetch_lead?id=${own.solar.leadId}`
    const answer = await app.call('GET', path, { key })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['ratelimit-remaining'], String(limit - 1 - i))
  }
  const refused = await app.call('GET', `/legacy/fetch_lead?id=${own.solar.leadId}`, { key })
  assert.equal(refused.status, 429)
  assert.equal(refused.body.code, 'rate_limited')
  assert.equal(refused.headers['ratelimit-remaining'], '0')
  assert.equal((await app.call('GET', '/v1/me', { key })).status, 429)
  assert.equal((await app.call('GET', '/legacy/nothing', { key })).status, 429)
  assert.equal((await app.call('POST', '/legacy/create-lead', { key, ...bad })).status, 429)
  assert.equal((await app.call('GET', '/legacy/fetch_lead', { key })).status, 429)
  assert.equal((await app.call('GET', '/legacy/fetch_lead?id=Unknown001', { key })).status, 429)
  assert.equal((await app.call('GET', '/legacy/fetch_all_adders', { key })).status, 429)
  assert.equal((await app.call('GET', '/legacy/nothing', { key: unknownKey })).status, 401)
})

test('calls that are refused for what they say count as well', async () => {
  const key = await freshKey()
  await app.call('POST', '/legacy/create-lead', { key, ...bad })
  await app.call('GET', '/legacy/nothing', { key })
  await app.call('GET', '/legacy/fetch_lead?id=Unknown001', { key })
  const { headers } = await app.call('GET', '/v1/me', { key })
  assert.equal(headers['ratelimit-remaining'], String(limit - 4))
  assert.equal((await app.send('GET', '/legacy/openapi.json')).status, 200)
})

test('then the address: an unknown one is 404 with a key, whatever its body, and 401 without', async () => {
  const key = await freshKey()
  const paths = [
    'nothing',
    '',
    'fetch_project/',
    '/fetch_project',
    'FETCH_PROJECT',
    'fetch-project',
    'create_lead',
  ]
  const unbuilt = [
    'create_project_hi',
    'create-lead_hi',
    'update_lead_hi',
    'fetch_all_panel_hi',
    'legacy/fetch_lead',
  ]
  for (const path of [...paths, ...unbuilt]) {
    assert.equal((await app.call('GET', `/legacy/${path}`, { key })).status, 404, path)
    assert.equal((await app.call('POST', `/legacy/${path}`, { key, ...bad })).status, 404, path)
    assert.equal((await app.call('GET', `/legacy/${path}`)).status, 401, path)
  }
  const text = { raw: 'x', headers: { 'content-type': 'text/plain' } }
  assert.equal((await app.call('POST', '/legacy/nothing', { key, ...text })).status, 404)
  const large = { raw: Buffer.alloc(1_100_000, 32), headers: json }
  assert.equal((await app.call('POST', '/legacy/nothing', { key, ...large })).status, 404)
})

test('a method that an address does not have is 404 with a key and 401 without', async () => {
  for (const { method, path } of legacyOperations) {
    const key = await freshKey()
    for (const wrong of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', method === 'GET' ? 'POST' : 'GET']) {
      const answer = await app.call(wrong, path, {
        key,
        ...(wrong === 'TRACE' || wrong === 'GET' ? {} : bad),
      })
      assert.equal(answer.status, 404, `${wrong} ${path}`)
      assert.equal((await app.call(wrong, path)).status, 401, `${wrong} ${path}`)
    }
  }
})

test('HEAD answers like GET without a body', async () => {
  const key = await freshKey(dealer)
  assert.equal(
    (await app.call('HEAD', `/legacy/fetch_project?id=${own.solar.projectId}`, { key })).status,
    200,
  )
  assert.equal((await app.call('HEAD', '/legacy/fetch_project?id=Unknown001', { key })).status, 404)
  assert.equal((await app.call('HEAD', '/legacy/fetch_project', { key })).status, 400)
  assert.equal((await app.call('HEAD', '/legacy/fetch_all_adders', { key })).status, 403)
  assert.equal((await app.call('HEAD', '/legacy/fetch_all_adders')).status, 401)
})

test('a body that is no JSON, of another type or over 1 MiB is 400 before the record is looked for', async () => {
  for (const operation of legacyOperations.filter((one) => one.in === 'body')) {
    const key = await freshKey()
    const { path } = operation
    // Nobody's ids: the body is judged first.
    const valid = JSON.stringify(good(operation, foreign))
    const bodies: [string | Buffer, Record<string, string>?][] = [
      ['{'],
      ['[]'],
      ['null'],
      ['7'],
      ['"text"'],
      [''],
      [`${valid}x`],
      [Buffer.from('{"firstName":"\xff"}', 'latin1')],
      [Buffer.from(valid, 'utf16le')],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`],
      [valid.replace('}', `,"more":"${'x'.repeat(1_048_576)}"}`)],
      [valid, { 'content-type': 'text/plain' }],
      [valid, { 'content-type': 'application/x-www-form-urlencoded' }],
      [valid, { 'content-type': 'multipart/form-data; boundary=x' }],
      [valid, { 'content-type': 'nonsense' }],
      [valid, {}],
    ]
    for (const [raw, headers = json] of bodies) {
      const answer = await app.call('POST', path, { key, raw, headers })
      const sent = `${path} ${raw.toString().slice(0, 40)} ${JSON.stringify(headers)}`
      assert.equal(answer.status, 400, `${sent}: ${answer.text}`)
      assert.equal(answer.body.code, 'invalid')
    }
  }
})

test('then the record, then who may', async () => {
  for (const operation of legacyOperations) {
    const { path, line, fields } = operation
    const field = Object.keys(fields).find(
      (name) => fields[name]!.names && fields[name]!.names !== 'installer',
    )
    if (!field) continue
    const key = await freshKey(dealer)
    const unknown = { ...good(operation), [field]: 'Unknown001' }
    const wrong = Object.keys(fields).find((name) => name !== field && !fields[name]!.names)
    if (wrong) assert.equal(await status(operation, { ...unknown, [wrong]: ['', ''] }, key), 400, path)
    assert.equal(await status(operation, unknown, key), 404, path)
    assert.equal(
      await status(operation, { ...unknown, ...pick(good(operation, foreign), field) }, key),
      404,
      path,
    )
    if (operation.dealer === 403) assert.equal(await status(operation, good(operation), key), 403, path)
    if (operation.method === 'GET') continue
    const { secret: readOnly } = await keyFor(world, dealer, { access: 'read' })
    if (wrong) assert.equal(await status(operation, { ...unknown, [wrong]: ['', ''] }, readOnly), 400, path)
    assert.equal(await status(operation, unknown, readOnly), 404, path)
    assert.equal(await status(operation, good(operation), readOnly), 403, `${path} ${line}`)
  }
})

const pick = (values: Record<string, unknown>, field: string) => ({ [field]: values[field] })

test('the scopes of a key are looked at after the address and the body, the installer’s own before 403', async () => {
  const { secret: key } = await keyFor(world, installer, { interfaces: ['company', 'catalog'] })
  assert.equal((await app.call('GET', '/legacy/nothing', { key })).status, 404)
  assert.equal((await app.call('POST', '/legacy/create-lead', { key, body: {} })).status, 400)
  assert.equal((await app.call('GET', '/legacy/fetch_lead', { key })).status, 400)
  assert.equal(await status(find('create-lead'), good(find('create-lead')), key), 403)
  assert.equal((await app.call('GET', '/v1/me', { key })).status, 200)
  const ofDealer = await freshKey(dealer)
  for (const path of ['fetch_all_panel', 'fetch_all_inverter', 'fetch_all_adders']) {
    assert.equal((await app.get(`/legacy/${path}?installer_id=`, ofDealer)).status, 400)
    assert.equal((await app.get(`/legacy/${path}?installer_id=${other.company.id}`, ofDealer)).status, 404)
    assert.equal(
      (await app.get(`/legacy/${path}?installer_id=${installer.company.id}`, ofDealer)).status,
      403,
    )
  }
})

test('the form of a file’s address is the body’s 400; only then come 404 and 403', async () => {
  for (const name of ['project_upload_file', 'project_upload_file_hi']) {
    const operation = find(name)
    const key = await freshKey(dealer)
    const values = good(operation)
    const inside = { ...values, fileurl: ['https://127.0.0.1/a.png'] }
    assert.equal(await status(operation, { ...inside, project_id: 'Unknown001' }, key), 400)
    assert.equal(await status(operation, { ...values, project_id: 'Unknown001' }, key), 404)
    assert.equal(await status(operation, values, key), 403)
  }
  const operation = find('create_project')
  const photos = { ...good(operation), site_survey_photos: ['http://a.example.com/a.png'] }
  assert.equal(await status(operation, { ...photos, org_id: other.company.number }, await freshKey()), 400)
})
