import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, createClient } from '../../sdk/src/index.ts'
import { startApp } from '../support/app.ts'
import { createWorld, lead, project } from '../support/factories.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer } = world
const client = createClient({ key: installer.key, baseUrl: app.url })

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

const made: string[] = []
for (let i = 0; i < 7; i++) made.push(i < 4 ? await lead(installer) : (await project(installer)).leadId)

test('lists by cursor: items, pages, and a first page that is awaited', async () => {
  const ids = (await all(client.leads.list({ limit: 2 }))).map(({ id }) => id)
  assert.deepEqual(ids.toSorted(), made.toSorted())
  const pages = await all(client.leads.list({ limit: 3 }).pages())
  assert.deepEqual(
    pages.map(({ data }) => data.length),
    [3, 3, 1],
  )
  const { data, next } = await client.leads.list({ limit: 2 })
  assert.deepEqual([data.length, typeof next], [2, 'string'])
  const { requestId, status } = await client.leads.list().withResponse()
  assert.deepEqual([status, typeof requestId], [200, 'string'])
  const one: string[] = []
  for await (const { id } of client.projects.list({ limit: 1 })) {
    one.push(id)
    break
  }
  assert.equal(one.length, 1)
})

test('what was changed since a Date', async () => {
  const [oldest] = (await client.leads.list({ order: 'asc', limit: 1 })).data
  const since = new Date(oldest!.updatedAt!)
  assert.equal((await all(client.leads.list({ updatedSince: since }))).length, made.length - 1)
})

test('numbered lists of the catalogue, by number and by changes', async () => {
  const { id: installation_id } = await client.catalog.installations.create({
    name: 'Roof',
    address: '1 Market St',
    region: 'US-CA',
  })
  for (let i = 0; i < 5; i++)
    await client.catalog.panels.create({ name: `P${i}`, capacity_kw: 0.4, installation_id })
  const names = (panels: { name: string }[]) => panels.map(({ name }) => name).toSorted()
  const expected = ['P0', 'P1', 'P2', 'P3', 'P4']
  assert.deepEqual(names(await all(client.catalog.panels.list({ per_page: 2 }))), expected)
  const since = '2000-01-01T00:00:00Z'
  assert.deepEqual(
    names(await all(client.catalog.panels.list({ per_page: 2, updated_since: since }))),
    expected,
  )
  assert.equal((await all(client.catalog.panels.list({ per_page: 2 }).pages())).length, 3)

  const hours = Array.from({ length: 5 }, (_, i) => new Date(Date.UTC(2026, 5, 1, 18 + i)).toISOString())
  const [panel] = (await client.catalog.panels.list({ per_page: 1 })).data
  const readings = hours.map((timestamp) => ({ panel_id: panel!.id, timestamp, kwh: 0.1 }))
  // As JSON, and streamed line by line: an array, a generator, and a function that opens one.
  assert.equal((await client.catalog.monitoring.takeReadings({ readings })).accepted, 5)
  async function* lines() {
    yield* readings
  }
  for (const streamed of [readings, lines(), lines])
    assert.equal((await client.catalog.monitoring.takeReadings(streamed)).updated, 0)
  const query = { installation_id, start: '2026-06-01T00:00:00Z', per_page: 2 }
  assert.deepEqual(
    (await all(client.catalog.monitoring.listReadings(query))).map(({ kwh }) => kwh),
    Array(5).fill(0.1),
  )
})

test('the feed from its oldest event to its end, lists of one page, and the legacy API’s', async () => {
  const events = await all(client.events.list({ limit: 3 }))
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
  assert.ok(events.filter(({ type }) => type === 'lead.created').length === made.length)
  assert.ok((await all(client.stages.list())).some(({ name }) => name === 'Permitting'))
  const company = installer.company.number
  for (let i = 0; i < 100; i++) await lead(installer)
  const leads = await all(client.legacy.fetchAllLead({ org_id: company }))
  assert.equal(leads.length, made.length + 100)
})

test('a single read by its tag: nothing new is said so', async () => {
  const { etag } = await client.leads.get(made[0]!).withResponse()
  const error = await client.leads.get(made[0]!, { ifNoneMatch: etag! }).catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ApiError)
  assert.deepEqual([error.status, error.code], [304, 'not_modified'])
})
