import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor, leadBody, project } from '../../support/factories.ts'

const app = await startApp({ env: { RATE_LIMIT_PER_MINUTE: '30' } })
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const mine = await project(dealer)
const foreign = await project(other)

const unknown = 'psk_0000000000000000000000000000000000000000'
const bad = { raw: '{', headers: { 'content-type': 'application/json' } }

async function spentKey(): Promise<string> {
  const { secret } = await keyFor(world, dealer)
  for (let i = 0; i < 30; i++) assert.equal((await app.get('/v1/me', secret)).status, 200)
  return secret
}

test('the key comes first: an unknown address, a bad body and a missing record are 401 without one', async () => {
  for (const key of [{}, { key: unknown }]) {
    assert.equal((await app.call('GET', '/v1/nothing', key)).status, 401)
    assert.equal((await app.call('POST', '/v1/leads', { ...bad, ...key })).status, 401)
    assert.equal((await app.call('PATCH', '/v1/leads/lead_unknown', { ...key, body: {} })).status, 401)
    assert.equal((await app.call('PUT', '/v1/leads', { ...key, body: {} })).status, 401)
  }
})

test('then the limit: whatever a spent key asks, it is 429', async () => {
  const key = await spentKey()
  assert.equal((await app.call('GET', '/v1/me', { key })).status, 429)
  assert.equal((await app.call('GET', '/v1/nothing', { key })).status, 429)
  assert.equal((await app.call('POST', '/v1/leads', { key, ...bad })).status, 429)
  assert.equal((await app.call('PATCH', '/v1/leads/lead_unknown', { key, body: {} })).status, 429)
  assert.equal((await app.call('GET', '/v1/adders', { key })).status, 429)
  assert.equal((await app.call('GET', '/v1/nothing', { key: unknown })).status, 401)
})

test('then the address: an unknown one is 404 whatever its body', async () => {
  const { secret: key } = await keyFor(world, installer)
  assert.equal((await app.call('GET', '/v1/nothing', { key })).status, 404)
  assert.equal((await app.call('POST', '/v1/nothing', { key, ...bad })).status, 404)
  const text = { raw: 'x', headers: { 'content-type': 'text/plain' } }
  assert.equal((await app.call('POST', '/v1/nothing', { key, ...text })).status, 404)
  assert.equal((await app.call('DELETE', `/v1/leads/${mine.leadId}`, { key, ...bad })).status, 404)
  assert.equal((await app.call('PUT', `/v1/leads/${mine.leadId}`, { key, ...text })).status, 404)
  const large = { raw: Buffer.alloc(1_100_000, 32), headers: { 'content-type': 'application/json' } }
  assert.equal((await app.call('POST', '/v1/nothing', { key, ...large })).status, 404)
})

test('then the body, then the record, then who may', async () => {
  const order = async (path: string, good: unknown, wrong: unknown, method = 'POST') => {
    const { secret: key } = await keyFor(world, dealer)
    const at = (id: string) => path.replace('{id}', id)
    const unknownId = path.includes('projects') ? foreign.projectId : foreign.leadId
    const status = async (id: string, body: unknown) => (await app.call(method, at(id), { key, body })).status
    assert.equal(await status(unknownId, wrong), 400, path)
    assert.equal(await status(unknownId, good), 404, path)
    return status(path.includes('projects') ? mine.projectId : mine.leadId, good)
  }
  const file = { folder: 'permit', files: [{ url: 'https://files.example.com/a.png' }] }
  const address = { folder: 'permit', files: [{ url: 'https://127.0.0.1/a.png' }] }
  assert.equal(await order('/v1/projects/{id}', {}, { installDate: '2026-02-30' }, 'PATCH'), 403)
  assert.equal(await order('/v1/projects/{id}/stage', { stage: 'Nowhere' }, { stage: '' }), 400)
  assert.equal(await order('/v1/projects/{id}/files', file, address), 403)
  assert.equal(await order('/v1/projects/{id}/files', file, { ...file, folder: 'Permit' }), 403)
  assert.equal(await order('/v1/leads/{id}', {}, { email: 'x' }, 'PATCH'), 200)

  const { secret: readOnly } = await keyFor(world, dealer, { access: 'read' })
  const read = (body: unknown) => app.call('POST', '/v1/leads', { key: readOnly, body })
  assert.equal((await read({})).status, 400)
  assert.equal((await read(leadBody)).status, 403)
  const { secret: elsewhere } = await keyFor(world, installer, { interfaces: ['legacy'] })
  assert.equal((await app.call('GET', '/v1/nothing', { key: elsewhere })).status, 404)
  assert.equal((await app.call('POST', '/v1/leads', { key: elsewhere, body: {} })).status, 400)
  assert.equal((await app.call('POST', '/v1/leads', { key: elsewhere, body: leadBody })).status, 403)
})

test('addresses beside the described ones are 404 with a key and 401 without', async () => {
  const paths = ['/v1', '/v1/', '/v1/me/', '/v1//me', '/v1/leads/', '/v1/ME', '/v1/projects/a/b', '/v1/v1/me']
  const { secret: key } = await keyFor(world, installer)
  for (const path of paths) {
    assert.equal((await app.call('GET', path, { key })).status, 404, path)
    assert.equal((await app.call('GET', path)).status, 401, path)
  }
})

test('methods that an address does not have are 404 with a key and 401 without', async () => {
  const { secret: key } = await keyFor(world, installer)
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'POST']) {
    assert.equal((await app.call(method, '/v1/me', { key })).status, 404, method)
    assert.equal((await app.call(method, '/v1/me')).status, 401, method)
  }
  assert.equal((await app.call('PATCH', '/v1/leads', { key, body: {} })).status, 404)
  assert.equal((await app.call('GET', `/v1/projects/${mine.projectId}/stage`, { key })).status, 404)
})

test('HEAD answers like GET without a body', async () => {
  const { secret: key } = await keyFor(world, dealer)
  assert.equal((await app.call('HEAD', '/v1/me', { key })).status, 200)
  assert.equal((await app.call('HEAD', '/v1/me')).status, 401)
  assert.equal((await app.call('HEAD', '/v1/leads/lead_unknown', { key })).status, 404)
  assert.equal((await app.call('HEAD', '/v1/adders', { key })).status, 403)
})

test('outside the interface, an unknown address is 404 in the same shape', async () => {
  for (const path of ['/nothing', '/V1/me', '/v1x/me', '/%zz', '/files/1/x/y']) {
    assert.equal((await app.call('GET', path)).status, 404, path)
    assert.equal((await app.call('POST', path, bad)).status, 404, path)
  }
})
