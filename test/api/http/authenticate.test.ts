import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateCompany } from '../../../src/domain/tenants/companies/update-company.ts'
import { revokeKey, rollKey } from '../../../src/domain/tenants/keys/end-key.ts'
import { startApp } from '../../support/app.ts'
import { type Actors, createWorld, keyFor, leadBody, project } from '../../support/factories.ts'

const app = await startApp()
const { db } = app.database
const world = await createWorld(db)
const { installer, dealer, sister, other, otherDealer } = world
const records = {
  installer: await project(installer),
  dealer: await project(dealer),
  sister: await project(sister),
}

interface Endpoint {
  method: string
  path: (ids: { leadId: string; projectId: string }) => string
  body?: unknown
  /** What the record's own dealer is answered; an installer passes everywhere. */
  dealer: number
  writes?: boolean
  record?: boolean
}
const image = { folder: 'permit', files: [{ url: 'https://files.example.com/a.png' }] }
const endpoints: Endpoint[] = [
  { method: 'GET', path: () => '/v1/me', dealer: 200 },
  { method: 'GET', path: () => '/v1/projects', dealer: 200 },
  { method: 'GET', path: () => '/v1/stages', dealer: 200 },
  { method: 'GET', path: () => '/v1/members', dealer: 200 },
  { method: 'GET', path: (r) => `/v1/projects/${r.projectId}`, dealer: 200, record: true },
  {
    method: 'PATCH',
    path: (r) => `/v1/projects/${r.projectId}`,
    body: {},
    dealer: 403,
    record: true,
    writes: true,
  },
  {
    method: 'POST',
    path: (r) => `/v1/projects/${r.projectId}/stage`,
    body: { stage: 'Sold' },
    dealer: 400,
    record: true,
    writes: true,
  },
  {
    method: 'POST',
    path: (r) => `/v1/projects/${r.projectId}/files`,
    body: image,
    dealer: 403,
    record: true,
    writes: true,
  },
  { method: 'GET', path: () => '/v1/leads', dealer: 200 },
  { method: 'POST', path: () => '/v1/leads', body: leadBody, dealer: 201, writes: true },
  { method: 'GET', path: (r) => `/v1/leads/${r.leadId}`, dealer: 200, record: true },
  {
    method: 'PATCH',
    path: (r) => `/v1/leads/${r.leadId}`,
    body: {},
    dealer: 200,
    record: true,
    writes: true,
  },
  { method: 'GET', path: (r) => `/v1/leads/${r.leadId}/activities`, dealer: 200, record: true },
  { method: 'GET', path: () => '/v1/adders', dealer: 403 },
  { method: 'GET', path: () => '/v1/equipment', dealer: 403 },
]

const statusFor = async (endpoint: Endpoint, key: string | undefined, ids = records.installer) =>
  (
    await app.call(endpoint.method, endpoint.path(ids), {
      ...(key === undefined ? {} : { key }),
      ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
    })
  ).status

async function everywhere(key: string | undefined, expected: number): Promise<void> {
  for (const endpoint of endpoints) {
    assert.equal(
      await statusFor(endpoint, key),
      expected,
      `${endpoint.method} ${endpoint.path(records.installer)}`,
    )
  }
}

test("an installer's key reaches its own records and its dealers'", async () => {
  for (const endpoint of endpoints) {
    // The files endpoint would copy from outside: its own tests call it.
    if (endpoint.body === image) continue
    for (const ids of Object.values(records)) {
      const status = await statusFor(endpoint, installer.key, ids)
      assert.ok(
        status === 200 || status === 201,
        `${endpoint.method} ${endpoint.path(ids)} answered ${status}`,
      )
    }
  }
})

test("a dealer's key reaches its own records, and nobody else's", async () => {
  for (const endpoint of endpoints) {
    assert.equal(
      await statusFor(endpoint, dealer.key, records.dealer),
      endpoint.dealer,
      endpoint.path(records.dealer),
    )
    if (!endpoint.record) continue
    assert.equal(await statusFor(endpoint, dealer.key, records.installer), 404)
    assert.equal(await statusFor(endpoint, dealer.key, records.sister), 404)
  }
})

test("a foreign installer's key and its dealer's find none of these records", async () => {
  for (const endpoint of endpoints.filter((e) => e.record)) {
    assert.equal(await statusFor(endpoint, other.key), 404)
    assert.equal(await statusFor(endpoint, otherDealer.key, records.dealer), 404)
  }
  for (const path of ['/v1/leads', '/v1/projects']) {
    const rows = (await app.get(path, other.key)).body.data as { id: string }[]
    const mine = Object.values(records).flatMap((r) => [r.leadId, r.projectId])
    assert.ok(rows.every((row) => !mine.includes(row.id)))
  }
})

test('lists show the tenant to the installer and its own records to a dealer', async () => {
  const ids = async (key: string) =>
    ((await app.get('/v1/projects', key)).body.data as { id: string }[]).map((row) => row.id).sort()
  assert.deepEqual(
    await ids(installer.key),
    Object.values(records)
      .map((r) => r.projectId)
      .sort(),
  )
  assert.deepEqual(await ids(dealer.key), [records.dealer.projectId])
  assert.deepEqual(await ids(other.key), [])
})

test('missing and malformed keys are refused everywhere', async () => {
  await everywhere(undefined, 401)
  const headers = [
    '',
    'Bearer',
    'Bearer ',
    installer.key,
    `Basic ${installer.key}`,
    `Bearer ${installer.key}0`,
    `Bearer ${installer.key.slice(0, -1)}`,
    `Bearer ${installer.key.replace('psk_', 'sk_')}`,
    `Bearer ${installer.key.replace('psk_', 'PSK_')}`,
    `Bearer psk_${'g'.repeat(40)}`,
    `Bearer ${installer.key} ${installer.key}`,
    `Bearer "${installer.key}"`,
    `Bearer ${'x'.repeat(5000)}`,
  ]
  for (const authorization of headers) {
    const answer = await app.call('GET', '/v1/me', { headers: { authorization } })
    assert.equal(answer.status, 401, authorization)
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  }
  assert.equal((await app.call('GET', `/v1/me?key=${installer.key}`)).status, 401)
})

test('a revoked key is refused within a second, by a second process too, while it is used heavily', async () => {
  const second = await startApp({ database: app.database })
  const { secret, key } = await keyFor(world, installer)
  await everywhereOk(secret)
  let stopped = false
  const seen: { at: number; until: number; status: number }[] = []
  const users = [app, second, app, second].map(async ({ get }) => {
    while (!stopped) {
      const at = performance.now()
      const { status } = await get('/v1/me', secret)
      seen.push({ at, until: performance.now(), status })
    }
  })
  while (seen.length < 50) await new Promise(setImmediate)
  const begun = performance.now()
  await revokeKey(db, new Date(), key.id)
  const revoked = performance.now()
  const asked = () => seen.filter((s) => s.at > revoked + 1000)
  while (asked().length <= 10) await new Promise((resolve) => setTimeout(resolve, 20))
  stopped = true
  await Promise.all(users)
  await second.stop()
  assert.ok(seen.filter((s) => s.until < begun).every((s) => s.status === 200))
  assert.deepEqual([...new Set(asked().map((s) => s.status))], [401])
  await everywhere(secret, 401)
})

async function everywhereOk(key: string): Promise<void> {
  assert.equal((await app.get('/v1/me', key)).status, 200)
}

test('an expired key is refused at the moment of its expiry', async () => {
  const expiresAt = new Date(Date.now() + 3_000)
  const { secret } = await keyFor(world, installer, { expiresAt })
  await everywhereOk(secret)
  while (Date.now() <= expiresAt.getTime()) await new Promise((resolve) => setTimeout(resolve, 10))
  await everywhere(secret, 401)
})

test('a rolled key stays good for its grace, and without grace not at all', async () => {
  const first = await keyFor(world, installer)
  const graced = await rollKey(db, new Date(), first.key.id, 1)
  await everywhereOk(first.secret)
  await everywhereOk(graced.secret)
  const at = await rollKey(db, new Date(Date.now() - 3_600_000), graced.key.id, 0.5)
  assert.ok(at.oldValidUntil < new Date())
  const fresh = await startApp({ database: app.database })
  assert.equal((await fresh.get('/v1/me', graced.secret)).status, 401)
  assert.equal((await fresh.get('/v1/me', at.secret)).status, 200)
  const last = await rollKey(db, new Date(), at.key.id, 0)
  await fresh.stop()
  const next = await startApp({ database: app.database })
  assert.equal((await next.get('/v1/me', at.secret)).status, 401)
  assert.equal((await next.get('/v1/me', last.secret)).status, 200)
  await next.stop()
})

test('a read-only key reads everything and writes nothing; the record is looked for first', async () => {
  const { secret } = await keyFor(world, installer, { access: 'read' })
  const foreign = await project(other)
  for (const endpoint of endpoints) {
    assert.equal(
      await statusFor(endpoint, secret),
      endpoint.writes ? 403 : 200,
      endpoint.path(records.installer),
    )
    if (endpoint.record) assert.equal(await statusFor(endpoint, secret, foreign), 404)
  }
})

test('a key made for another interface is refused everywhere', async () => {
  const { secret } = await keyFor(world, installer, { interfaces: ['legacy', 'catalog'] })
  await everywhere(secret, 403)
  const company = await keyFor(world, installer, { interfaces: ['company'] })
  await everywhereOk(company.secret)
})

test("a suspended company's keys are refused by every process, a suspended installer's dealers' too, and work again after", async () => {
  const second = await startApp({ database: app.database })
  const suspend = (who: Actors, status: 'active' | 'suspended') =>
    updateCompany(db, new Date(), who.company.id, { status })
  const settled = async (key: string, status: number) => {
    const until = performance.now() + 1000
    for (const { get } of [app, second]) {
      while ((await get('/v1/me', key)).status !== status && performance.now() < until);
      assert.equal((await get('/v1/me', key)).status, status)
    }
  }
  await suspend(dealer, 'suspended')
  await settled(dealer.key, 401)
  await settled(sister.key, 200)
  await suspend(dealer, 'active')
  await settled(dealer.key, 200)
  await suspend(installer, 'suspended')
  await settled(installer.key, 401)
  await settled(dealer.key, 401)
  await everywhere(dealer.key, 401)
  await everywhere(installer.key, 401)
  await settled(other.key, 200)
  await suspend(installer, 'active')
  await settled(dealer.key, 200)
  await second.stop()
})
