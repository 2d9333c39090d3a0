import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { createKey } from '../../src/domain/tenants/keys/create-key.ts'
import { revokeKey } from '../../src/domain/tenants/keys/end-key.ts'
import { type App, startApp } from '../support/app.ts'
import { leadBody } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

interface Shown {
  at: string
  keyId: string
  keyName: string
  method: string
  route: string
  path: string
  status: number
  durationMs: number
  bytes: number | null
  requestId: string
}

let app: App
let installer: string
let dealer: string
let owner: Client
let dealerOwner: Client
let otherOwner: Client
let key: Awaited<ReturnType<typeof createKey>>
let dealerKey: typeof key
let revoked: typeof key

before(async () => {
  app = await startApp()
  const { db } = app.server.deps
  const company = async (name: string, of?: string) =>
    (await createCompany(db, new Date(), { name, installer: of })).id
  const keyOf = (of: string, name: string) => createKey(db, new Date(), { company: of, name })
  installer = await company('Sun & Sons')
  dealer = await company('Bright Doors', installer)
  const other = await company('Other Power')
  owner = await signedIn(app, await addPerson(app, installer, 'owner', 'Olga Owner'))
  dealerOwner = await signedIn(app, await addPerson(app, dealer, 'owner', 'Dora Dealer'))
  otherOwner = await signedIn(app, await addPerson(app, other, 'owner', 'Otto Owner'))
  key = await keyOf(installer, 'CRM')
  dealerKey = await keyOf(dealer, 'Doors')
  revoked = await keyOf(installer, 'Gone')
  const otherKey = await keyOf(other, 'Other')
  await revokeKey(db, new Date(), revoked.key.id)

  const call = (method: string, path: string, secret: string, id: string, body?: object) =>
    app.send(method, path, { key: secret, headers: { 'x-request-id': id }, ...(body ? { body } : {}) })
  const { body: lead } = await call('POST', '/v1/leads', key.secret, 'made', leadBody)
  await call('GET', `/v1/leads/${lead.leadId}`, key.secret, 'read')
  await call('GET', '/v1/leads/lead_nothing', key.secret, 'missing')
  await call('GET', '/v1/nowhere/at/all', key.secret, 'nowhere')
  await call('POST', '/v1/leads', key.secret, 'wrong', { nothing: 1 })
  await call('GET', '/v1/me', dealerKey.secret, 'dealer')
  await call('GET', '/catalog/v1/installations', key.secret, 'catalog')
  await call('GET', '/legacy/fetch_project?id=hidden', key.secret, 'legacy')
  await call('GET', '/v1/me', revoked.secret, 'refused')
  await call('GET', '/v1/me', `psk_${'0'.repeat(40)}`, 'unknown')
  await call('GET', '/v1/me', 'nonsense', 'nonsense')
  await call('GET', '/v1/me', otherKey.secret, 'others')
  await app.send('GET', '/v1/me', { headers: { 'x-request-id': 'keyless' } })
  await app.server.deps.requests!.flush()
})

const search = async (client: Client, query = ''): Promise<Shown[]> => {
  const { status, body, text } = await client.get(`/requests?${query}`)
  assert.equal(status, 200, text)
  return body.requests
}
const ids = async (query: string, client = owner) =>
  (await search(client, query)).map(({ requestId }) => requestId).sort()

describe('the request log', () => {
  test('holds each call of the company’s keys, the newest first', async () => {
    const all = await search(owner)
    const expected = 'made read missing nowhere wrong dealer catalog legacy refused'.split(' ')
    assert.deepEqual(all.map(({ requestId }) => requestId).sort(), expected.sort())
    const times = all.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted().reverse())
    const read = all.find(({ requestId }) => requestId === 'read')!
    assert.deepEqual(
      [read.method, read.route, read.status, read.keyName, read.keyId],
      ['GET', '/v1/leads/:id', 200, 'CRM', key.key.id],
    )
    assert.match(read.path, /^\/v1\/leads\/lead_\w+$/)
    assert.ok(read.durationMs > 0 && read.bytes! > 100)
    assert.equal(all.find(({ requestId }) => requestId === 'nowhere')!.route, 'none')
    const refused = all.find(({ requestId }) => requestId === 'refused')!
    assert.deepEqual([refused.status, refused.keyId], [401, revoked.key.id])
    assert.ok(!JSON.stringify(all).includes('hidden'))
  })

  test('is searched by id, key, status, method, address and time', async () => {
    assert.deepEqual(await ids('id=missing'), ['missing'])
    assert.deepEqual(await ids('id=nothing'), [])
    assert.deepEqual(await ids(`key=${dealerKey.key.id}`), ['dealer'])
    assert.deepEqual(await ids('status=404'), ['legacy', 'missing', 'nowhere'])
    assert.deepEqual(await ids('status=4xx&method=POST'), ['wrong'])
    assert.deepEqual(await ids('status=2xx'), ['catalog', 'dealer', 'made', 'read'])
    assert.deepEqual(await ids('status=5xx'), [])
    assert.deepEqual(await ids('status=201'), ['made'])
    assert.deepEqual(await ids('route=/v1/leads/:id'), ['missing', 'read'])
    assert.deepEqual(await ids('route=/v1/leads'), ['made', 'missing', 'read', 'wrong'])
    assert.deepEqual(await ids('route=/legacy&status=404&method=GET'), ['legacy'])
    const { at } = (await search(owner, 'id=missing'))[0]!
    assert.ok((await ids(`from=${at}`)).includes('missing'))
    assert.deepEqual(await ids(`from=${at}&to=${at}&route=/v1/leads/lead_nothing`), ['missing'])
    assert.deepEqual(await ids(`to=${new Date(Date.parse(at) - 86_400_000).toISOString()}`), [])
  })

  test('is paged', async () => {
    const seen: Shown[] = []
    let next: string | null = ''
    while (next !== null) {
      const { body } = await owner.get(`/requests?limit=2${next && `&after=${next}`}`)
      assert.ok(body.requests.length <= 2)
      seen.push(...body.requests)
      next = body.next
    }
    assert.deepEqual(seen, await search(owner))
  })

  test('shows a dealer its own company’s calls, and nobody another tenant’s', async () => {
    assert.deepEqual(await ids('', dealerOwner), ['dealer'])
    assert.deepEqual(await ids('', otherOwner), ['others'])
    for (const client of [dealerOwner, otherOwner]) {
      assert.deepEqual(await ids('id=made', client), [])
      assert.deepEqual(await ids(`key=${key.key.id}`, client), [])
    }
  })

  test('is for owners and admins', async () => {
    for (const role of ['manager', 'rep', 'setter', 'surveyor', 'subcontractor'] as const) {
      const client = await signedIn(app, await addPerson(app, installer, role))
      assert.equal((await client.get('/requests')).status, 403, role)
    }
    const admin = await signedIn(app, await addPerson(app, installer, 'admin'))
    assert.equal((await admin.get('/requests')).status, 200)
    assert.equal((await app.send('GET', '/console/api/requests')).status, 401)
  })

  test('refuses what it cannot search by', async () => {
    const wrong = ['status=999', 'status=abc', 'method=FETCH', 'from=yesterday', 'to=2026-01-01', 'after=1']
    for (const query of [...wrong, 'limit=0', 'route=%00', 'nothing=1', `id=${'x'.repeat(129)}`])
      assert.equal((await owner.get(`/requests?${query}`)).status, 400, query)
    assert.equal((await owner.get('/requests?after=9999999999999-9999999999-1')).status, 200)
    assert.equal((await owner.get('/requests?from=0001-01-01T00:00:00Z')).status, 200)
  })

  test('counts a key’s calls and failures by the hour', async () => {
    const { hours } = (await owner.get(`/keys/${key.key.id}`)).body as {
      hours: { calls: number; failures: number }[]
    }
    const sum = (name: 'calls' | 'failures') => hours.reduce((total, hour) => total + hour[name], 0)
    assert.deepEqual([sum('calls'), sum('failures')], [7, 4])
  })

  test('what is rare is found far back, a bounded part at a time', async () => {
    const { requests } = app.server.deps
    const rarely = (await createKey(app.server.deps.db, new Date(), { company: installer, name: 'Busy' })).key
    const of = { installerId: installer, companyId: installer, keyId: rarely.id }
    const call = { method: 'GET', route: '/v1/me', path: '/v1/me', status: 200, durationMs: 1, bytes: 2 }
    const begin = Date.now() - 200
    for (let i = 0; i < 45_000; i++)
      requests!.note(of, {
        ...call,
        at: begin + Math.floor(i / 1_000),
        requestId: `busy-${i}`,
        ...(i === 7 ? { method: 'PUT' } : {}),
      })
    await requests!.flush()
    for (let i = 0; i < 45_000; i++)
      requests!.note(of, { ...call, at: begin + 50 + Math.floor(i / 1_000), requestId: 'later' })
    await requests!.flush()
    const path = `/requests?key=${rarely.id}`
    const first = (await owner.get(`${path}&method=PUT`)).body
    assert.deepEqual(first.requests, [])
    const second = (await owner.get(`${path}&method=PUT&after=${first.next}`)).body
    assert.deepEqual([second.requests[0].requestId, second.next], ['busy-7', null])
    assert.deepEqual(await ids('id=busy-44999'), ['busy-44999'])
    const page = (await owner.get(`${path}&limit=200`)).body.requests
    assert.equal(page.length, 200)
    assert.equal(new Set(page.map(({ place }: { place: string }) => place)).size, 200)
  })

  test('is written by itself within moments, and when the server stops', async () => {
    const second = await startApp({ database: app.database })
    await second.send('GET', '/v1/me', { key: key.secret, headers: { 'x-request-id': 'by-itself' } })
    while ((await ids('id=by-itself')).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    await second.send('GET', '/v1/me', { key: key.secret, headers: { 'x-request-id': 'at-the-end' } })
    await second.stop()
    assert.deepEqual(await ids('id=at-the-end'), ['at-the-end'])
  })
})
