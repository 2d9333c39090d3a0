import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, lead, project } from '../../support/factories.ts'

const app = await startApp()
const { installer, dealer, other } = await createWorld(app.database.db)
const { key } = installer
const sold = await project(dealer, { reference: 'AbCdEf0123' }, { reference: 'ZyXwVu9876' })
const open = await lead(dealer, { reference: 'OpenLead01' })
const foreign = await project(other, { reference: 'AbCdEf0999' }, { reference: 'Foreign001' })
// The same reference in another tenant is another record.
const twin = await project(other, { reference: 'AbCdEf0123', firstName: 'Twin' }, { reference: 'ZyXwVu9876' })

const file = { folder: 'permit', files: [{ url: 'https://a.example.com/x' }] }

test('a lead answers to its id and its reference, for reading, changing and its feed', async () => {
  for (const as of [key, dealer.key]) {
    const byId = await app.get(`/v1/leads/${sold.leadId}`, as)
    assert.equal(byId.status, 200)
    assert.equal((await app.get('/v1/leads/AbCdEf0123', as)).text, byId.text)
    assert.equal(
      (await app.get('/v1/leads/AbCdEf0123/activities', as)).text,
      (await app.get(`/v1/leads/${sold.leadId}/activities`, as)).text,
    )
  }
  const patched = await app.call('PATCH', '/v1/leads/AbCdEf0123', { key, body: { phone: '619 555 0142' } })
  assert.equal(patched.body.id, sold.leadId)
  assert.equal((await app.get(`/v1/leads/${twin.leadId}`, other.key)).body.customer.phone, null)
})

test("a project answers to its id and reference, and its lead's, for every operation", async () => {
  const names = [sold.projectId, 'ZyXwVu9876', sold.leadId, 'AbCdEf0123']
  const stages = ['Design', 'Permitting', 'NTP', 'PTO']
  for (const [i, name] of names.entries()) {
    assert.equal((await app.get(`/v1/projects/${name}`, dealer.key)).body.id, sold.projectId)
    const moved = await app.call('POST', `/v1/projects/${name}/stage`, { key, body: { stage: stages[i] } })
    assert.deepEqual(moved.body, { changed: true, stage: stages[i] })
    const patched = await app.call('PATCH', `/v1/projects/${name}`, {
      key,
      body: { ntpGranted: i % 2 === 0 },
    })
    assert.deepEqual(patched.body, { changed: true })
    const files = await app.call('POST', `/v1/projects/${name}/files`, { key: dealer.key, body: file })
    assert.equal(files.status, 403)
  }
  assert.equal((await app.get('/v1/projects/ZyXwVu9876', other.key)).body.id, twin.projectId)
  assert.equal((await app.get(`/v1/projects/${twin.projectId}`, other.key)).body.stage.name, 'Sold')
})

test('a lead that is not sold is no project, and a project no lead', async () => {
  for (const id of [open, 'OpenLead01']) {
    assert.equal((await app.get(`/v1/leads/${id}`, key)).status, 200)
    assert.equal((await app.get(`/v1/projects/${id}`, key)).status, 404)
    assert.equal((await app.call('PATCH', `/v1/projects/${id}`, { key, body: {} })).status, 404)
  }
  assert.equal((await app.get(`/v1/leads/${sold.projectId}`, key)).status, 404)
  assert.equal((await app.get('/v1/leads/ZyXwVu9876', key)).status, 404)
})

test('unknown, foreign, malformed and otherwise spelled ids are told apart by nothing', async () => {
  const ids = [
    'lead_00000000000000000000000000',
    'proj_00000000000000000000000000',
    'Unknown001',
    foreign.leadId,
    foreign.projectId,
    'AbCdEf0999',
    'Foreign001',
    'nonsense!',
    sold.leadId.toUpperCase(),
    'abcdef0123',
    'zyxwvu9876',
    `${sold.leadId} `.trim().slice(0, -1),
  ]
  const calls: [string, string, string, unknown?][] = [
    ['GET', '/v1/leads/', ''],
    ['PATCH', '/v1/leads/', '', { phone: '1' }],
    ['GET', '/v1/leads/', '/activities'],
    ['GET', '/v1/projects/', ''],
    ['PATCH', '/v1/projects/', '', { ntpGranted: true }],
    ['POST', '/v1/projects/', '/stage', { stage: 'Design' }],
    ['POST', '/v1/projects/', '/files', file],
  ]
  for (const [method, prefix, suffix, body] of calls) {
    const seen = new Set<string>()
    for (const id of ids) {
      const answer = await app.call(method, prefix + id + suffix, { key, ...(body ? { body } : {}) })
      assert.equal(answer.status, 404, `${method} ${prefix}${id}${suffix}`)
      const {
        date,
        'x-request-id': request,
        'ratelimit-remaining': left,
        'ratelimit-reset': reset,
        ...headers
      } = answer.headers
      seen.add(JSON.stringify([answer.text, headers]))
    }
    assert.equal(seen.size, 1, [...seen].join('\n'))
  }
  assert.equal((await app.get(`/v1/projects/${foreign.projectId}`, other.key)).body.stage.name, 'Sold')
})
