import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { createKey } from '../../src/domain/tenants/keys/create-key.ts'
import { type App, startApp } from '../support/app.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let installer: string
let dealer: string
let other: string
let owner: Client
let admin: Client
let dealerOwner: Client
let otherOwner: Client

before(async () => {
  app = await startApp()
  const { db } = app.server.deps
  const company = async (name: string, of?: string) =>
    (await createCompany(db, new Date(), { name, installer: of })).id
  installer = await company('Sun & Sons')
  dealer = await company('Bright Doors', installer)
  other = await company('Other Power')
  owner = await signedIn(app, await addPerson(app, installer, 'owner', 'Olga Owner'))
  admin = await signedIn(app, await addPerson(app, installer, 'admin'))
  dealerOwner = await signedIn(app, await addPerson(app, dealer, 'owner', 'Dora Dealer'))
  otherOwner = await signedIn(app, await addPerson(app, other, 'owner', 'Otto Owner'))
})

const make = (client: Client, body: object) => client.call('POST', '/keys', { body })
const made = async (client: Client, body: object = { name: 'CRM' }) => {
  const answer = await make(client, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body as { key: { id: string; prefix: string }; secret: string; tryAddress: string }
}
const roll = (client: Client, id: string, graceHours: unknown) =>
  client.call('POST', `/keys/${id}/roll`, { body: { graceHours } })
const revoke = (client: Client, id: string) => client.call('POST', `/keys/${id}/revoke`)
const statusWith = async (secret: string, path = '/v1/me') =>
  (await app.send('GET', path, { key: secret })).status

/** Asks until the answer is this: the server believes for half a second what it knew. */
async function becomes(secret: string, status: number): Promise<void> {
  const until = performance.now() + 60_000
  while ((await statusWith(secret)) !== status)
    assert.ok(performance.now() < until, `the key does not answer ${status} `)
}

describe('a key', () => {
  test('is shown once, works at once, and is in no later answer', async () => {
    const { key, secret, tryAddress } = await made(owner, { name: ' Our CRM ' })
    assert.match(secret, /^psk_[0-9a-f]{40}$/)
    assert.equal(key.prefix, secret.slice(0, 12))
    assert.equal(tryAddress, `${app.url}/v1/me`)
    assert.equal(await statusWith(secret), 200)
    const read = await owner.get(`/keys/${key.id}`)
    const { hours, key: shown } = read.body
    assert.deepEqual(
      [shown.name, shown.access, shown.state, shown.companyId, shown.expiresAt],
      ['Our CRM', 'full', 'active', installer, null],
    )
    assert.equal(hours.length, 48)
    const list = await owner.get('/keys')
    for (const { text } of [read, list]) assert.ok(!text.includes(secret.slice(12)))
    const kept = await app.database.rows('select k::text as k, e::text as e from api_keys k, events e')
    assert.ok(!JSON.stringify(kept).includes(secret))
  })

  test('may be narrower: reading, one interface, an expiry', async () => {
    const reader = await made(owner, { name: 'Reports', access: 'read' })
    const answer = await app.send('POST', '/v1/leads', { key: reader.secret, body: {} })
    assert.ok([400, 403].includes(answer.status))
    const legacy = await made(owner, { name: 'Old sync', interface: 'legacy' })
    assert.equal(await statusWith(legacy.secret), 403)
    assert.match(legacy.tryAddress, /\/legacy\/fetch_all_project\?org_id=\d+&page=1$/)
    const catalog = await made(owner, { name: 'Panels', interface: 'catalog' })
    assert.equal(catalog.tryAddress, `${app.url}/catalog/v1/installations`)
    for (const { tryAddress, secret } of [legacy, catalog])
      assert.equal(await statusWith(secret, tryAddress.slice(app.url.length)), 200)
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const { key } = await made(owner, { name: 'Trial', expiresAt })
    assert.equal((await owner.get(`/keys/${key.id}`)).body.key.expiresAt, expiresAt)
  })

  test('is revoked within a second', async () => {
    const { key, secret } = await made(owner)
    assert.equal(await statusWith(secret), 200)
    const answer = await revoke(owner, key.id)
    assert.deepEqual([answer.status, answer.body.state], [200, 'revoked'])
    await becomes(secret, 401)
    assert.equal((await revoke(owner, key.id)).body.revokedAt, answer.body.revokedAt)
    assert.equal((await roll(owner, key.id, 1)).status, 400)
  })

  test('is rolled with a grace, once', async () => {
    const old = await made(owner, { name: 'Sync', access: 'read', interface: 'company' })
    const answer = await roll(owner, old.key.id, 24)
    assert.equal(answer.status, 201)
    const { key, secret } = answer.body
    assert.deepEqual([key.name, key.access, key.interfaces], ['Sync', 'read', ['company']])
    assert.equal(await statusWith(old.secret), 200)
    assert.equal(await statusWith(secret), 200)
    const graced = (await owner.get(`/keys/${old.key.id}`)).body.key
    assert.deepEqual([graced.state, graced.replacedBy], ['grace', key.id])
    assert.equal((await roll(owner, old.key.id, 1)).status, 400)
    assert.equal((await roll(owner, key.id, 0)).status, 201)
    await becomes(secret, 401)
    for (const hours of [-1, 25, '1', null]) assert.equal((await roll(owner, key.id, hours)).status, 400)
  })

  test('of two who roll it at once one is refused', async () => {
    const { key } = await made(owner)
    const answers = await Promise.all([roll(owner, key.id, 1), roll(admin, key.id, 1)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
  })

  test('leaves a trace of who made, rolled and revoked it', async () => {
    const { key } = await made(admin, { name: 'Traced' })
    const { key: next } = (await roll(owner, key.id, 1)).body
    await revoke(owner, next.id)
    const events = await app.database.rows<{ type: string; actor_name: string; data: object }>(
      'select type, actor_name, data from events where subject_id = any($1) order by at',
      [[key.id, next.id]],
    )
    assert.deepEqual(
      events.map(({ type, actor_name }) => [type, actor_name]),
      [
        ['key.created', 'The admin'],
        ['key.created', 'Olga Owner'],
        ['key.rolled', 'Olga Owner'],
        ['key.revoked', 'Olga Owner'],
      ],
    )
    assert.deepEqual(events[0]!.data, { name: 'Traced' })
    const { key: typed } = await createKey(app.server.deps.db, new Date(), {
      company: dealer,
      name: 'Typed',
    })
    const [event] = await app.database.rows(
      'select actor_kind, actor_name from events where subject_id = $1',
      [typed.id],
    )
    assert.deepEqual(event, { actor_kind: 'job', actor_name: 'Command line' })
  })
})

describe('who may', () => {
  test('owners and admins only', async () => {
    const { key } = await made(admin)
    for (const role of ['manager', 'rep', 'setter', 'surveyor', 'subcontractor'] as const) {
      const client = await signedIn(app, await addPerson(app, installer, role))
      const answers = [
        await client.get('/keys'),
        await client.get(`/keys/${key.id}`),
        await make(client, { name: 'x' }),
        await roll(client, key.id, 1),
        await revoke(client, key.id),
      ]
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([403]), role)
    }
    assert.equal((await app.send('GET', '/console/api/keys')).status, 401)
  })

  test('an installer decides about its dealers’ keys, a dealer about its own', async () => {
    const forDealer = await made(owner, { name: 'For you', company: dealer })
    const own = await made(dealerOwner, { name: 'Mine' })
    const ofInstaller = await made(owner)
    assert.equal((await dealerOwner.get(`/keys/${forDealer.key.id}`)).status, 200)
    const seen = (await dealerOwner.get('/keys')).body.keys
    assert.ok(seen.every(({ companyId }: { companyId: string }) => companyId === dealer))
    const chosen = (await owner.get(`/keys?company=${dealer}`)).body.keys
    assert.deepEqual(chosen, seen)
    assert.equal((await revoke(owner, own.key.id)).status, 200)
    assert.equal((await make(dealerOwner, { name: 'x', company: installer })).status, 404)
    assert.deepEqual((await dealerOwner.get(`/keys?company=${installer}`)).body.keys, [])
    for (const client of [dealerOwner, otherOwner]) {
      const { id } = ofInstaller.key
      const missing = (await client.get('/keys/key_0000000000nothing')).body
      const answers = [await client.get(`/keys/${id}`), await roll(client, id, 1), await revoke(client, id)]
      for (const answer of answers) {
        assert.equal(answer.status, 404)
        assert.deepEqual(answer.body, missing)
      }
    }
    assert.equal((await make(otherOwner, { name: 'x', company: dealer })).status, 404)
    assert.equal((await otherOwner.get(`/keys?company=${dealer}`)).body.keys.length, 0)
    assert.equal(await statusWith(ofInstaller.secret), 200)
  })
})

test('bad input is refused with what to change', async () => {
  const cases: [object, RegExp][] = [
    [{}, /Name/],
    [{ name: ' ' }, /Name/],
    [{ name: 'x'.repeat(101) }, /Name/],
    [{ name: 'a\0b' }, /NUL/],
    [{ name: 'x', access: 'all' }, /Access/],
    [{ name: 'x', interface: 'fax' }, /Interface/],
    [{ name: 'x', expiresAt: '2001-01-01T00:00:00Z' }, /future/],
    [{ name: 'x', expiresAt: 'tomorrow' }, /Expiry/],
    [{ name: 'x', expiresAt: '2999-01-01T00:00:00,5Z' }, /Expiry/],
    [{ name: 'x', secret: 'psk_' }, /out of date/],
  ]
  for (const [body, message] of cases) {
    const answer = await make(owner, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.error.message, message)
  }
  for (const id of ['%00', 'x', 'key_', 'key_%E0'])
    assert.equal((await owner.get(`/keys/${id}`)).status, 404, id)
  for (const query of ['limit=0', 'limit=201', 'after=x', 'nothing=1'])
    assert.equal((await owner.get(`/keys?${query}`)).status, 400, query)
})

test('keys are paged, the newest first', async () => {
  const seen: { id: string; createdAt: string }[] = []
  let next: string | null = ''
  while (next !== null) {
    const { body } = await owner.get(`/keys?limit=3${next && `&after=${next}`}`)
    assert.ok(body.keys.length <= 3)
    seen.push(...body.keys)
    next = body.next
  }
  const all = (await owner.get('/keys?limit=200')).body.keys
  assert.deepEqual(seen, all)
  assert.deepEqual(
    seen.map(({ createdAt }) => createdAt),
    seen
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .reverse(),
  )
})
