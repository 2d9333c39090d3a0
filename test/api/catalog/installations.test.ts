import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCompany } from '../../../src/domain/tenants/companies/create-company.ts'
import { createKey } from '../../../src/domain/tenants/keys/create-key.ts'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'
import { installation, installationBody, panel, wholeList } from '../../support/panels.ts'

const app = await startApp()
const { db, rows } = app.database
const { installer, dealer, sister, other } = await createWorld(db)
const { key } = installer

const create = (more: object, as = key) =>
  app.call('POST', '/catalog/v1/installations', { key: as, body: { ...installationBody, ...more } })
const read = async (id: string, as = key) => (await app.get(`/catalog/v1/installations/${id}`, as)).body

test('create answers the full record, and the single read the same, byte for byte', async () => {
  const answer = await create({
    name: ' Haus "Süd" \\ 🌞 ',
    address: '1 Market St\nSan Diego',
    capacity_kw: 8.4,
  })
  assert.equal(answer.status, 201)
  const { id, created_at, updated_at, ...rest } = answer.body
  assert.equal(updated_at, created_at)
  assert.match(id, /^inst_[0-9a-z]{24}$/)
  assert.ok(Math.abs(Date.now() - Date.parse(created_at)) < 60_000)
  assert.deepEqual(rest, {
    name: 'Haus "Süd" \\ 🌞',
    address: '1 Market St\nSan Diego',
    region: 'US-CA',
    timezone: 'America/Los_Angeles',
    panel_count: 0,
    capacity_kw: 8.4,
    project_id: null,
  })
  assert.equal((await app.get(`/catalog/v1/installations/${id}`, key)).text, answer.text)
  const [first] = (await app.get('/catalog/v1/installations', key)).body.data
  const { name, address } = rest
  assert.deepEqual(first, { id, name, address, region: 'US-CA', panel_count: 0, updated_at })
  const told = await rows('select type, company_id, data from events where subject_id = $1', [id])
  assert.deepEqual(told, [
    { type: 'installation.created', company_id: installer.company.id, data: { ...answer.body, version: 1 } },
  ])
})

test('the time zone is as stated, else by region, else the company’s', async () => {
  for (const [more, timezone] of [
    [{ timezone: 'Europe/Kyiv' }, 'Europe/Kyiv'],
    [{ timezone: 'asia/kolkata' }, 'Asia/Kolkata'],
    [{ timezone: 'utc', region: 'US-NY' }, 'UTC'],
    [{ timezone: 'Etc/GMT+5' }, 'Etc/GMT+5'],
    [{ region: 'US-NY' }, 'America/New_York'],
    [{ region: 'us-az' }, 'America/Phoenix'],
    [{ region: 'DE-BY' }, 'Europe/Berlin'],
    [{ region: 'JP' }, 'Asia/Tokyo'],
    [{ region: 'Nordstrand' }, 'America/Denver'],
    [{ region: 'US-XX' }, 'America/Denver'],
    [{ region: '__proto__' }, 'America/Denver'],
    [{ region: 'constructor' }, 'America/Denver'],
  ] as const) {
    const { status, body } = await create(more)
    assert.deepEqual([status, body.timezone], [201, timezone], JSON.stringify(more))
  }
  // Made after the server has read who is in the tenant.
  const late = await createCompany(db, new Date(), {
    name: 'Far Sales',
    installer: installer.company.id,
    timezone: 'Pacific/Auckland',
  })
  const { secret } = await createKey(db, new Date(), { company: late.id, name: 'Far' })
  assert.equal((await create({ region: 'Nordstrand' }, secret)).body.timezone, 'Pacific/Auckland')
})

test('a capacity that was stated stays; else it is what the panels have together', async () => {
  const stated = await installation(app, installer, { capacity_kw: 12.34567 })
  const summed = await installation(app, installer)
  const made: string[] = []
  for (const capacity_kw of [0.1, 0.2, 0.4001])
    for (const site of [stated, summed]) made.push(await panel(app, installer, site, { capacity_kw }))
  const counts = async () =>
    [await read(stated), await read(summed)].map((i) => [i.panel_count, i.capacity_kw])
  assert.deepEqual(await counts(), [
    [3, 12.3457],
    [3, 0.7001],
  ])
  for (const id of made.slice(0, 4)) await app.call('DELETE', `/catalog/v1/panels/${id}`, { key })
  assert.deepEqual(await counts(), [
    [1, 12.3457],
    [1, 0.4001],
  ])
})

test('texts may be as long as their limits, counted in characters', async () => {
  const more = { name: '🌞'.repeat(200), address: 'é'.repeat(500), region: '🌞'.repeat(16) }
  const { status, body } = await create(more)
  assert.equal(status, 201)
  assert.deepEqual([body.name, body.address, body.region], [more.name, more.address, more.region])
  const found = await wholeList(
    app,
    key,
    `/catalog/v1/installations?region=${encodeURIComponent(more.region)}`,
  )
  assert.deepEqual(
    found.map((i) => i.id),
    [body.id],
  )
})

test('the list is paged without loss, newest first, by region too, each company its own', async () => {
  const made: { id: string; region: string }[] = []
  for (let i = 0; i < 25; i++) {
    const region = i % 3 === 0 ? 'AT-9' : 'AT-4'
    made.unshift({ id: await installation(app, sister, { name: `Site ${i}`, region }), region })
  }
  for (const perPage of [1, 8, 20, 25, 100]) {
    const all = await wholeList(app, sister.key, '/catalog/v1/installations', perPage)
    assert.deepEqual(
      all.map((i) => i.id),
      made.map((m) => m.id),
    )
    for (const region of ['AT-9', 'AT-4']) {
      const expected = made.filter((m) => m.region === region).map((m) => m.id)
      for (const as of [sister.key, key]) {
        const found = await wholeList(app, as, `/catalog/v1/installations?region=${region}`, perPage)
        assert.deepEqual(
          found.map((i) => i.id),
          expected,
        )
      }
    }
  }
  for (const as of [dealer.key, other.key]) {
    assert.deepEqual(await wholeList(app, as, '/catalog/v1/installations'), [])
    assert.deepEqual(await wholeList(app, as, '/catalog/v1/installations?region=AT-9'), [])
  }
  assert.deepEqual(await wholeList(app, key, '/catalog/v1/installations?region=at-9'), [])
  const { body } = await app.get('/catalog/v1/installations?page=999999999', sister.key)
  assert.deepEqual(body, { data: [], meta: { page: 999_999_999, per_page: 20, total: 25 } })
})
