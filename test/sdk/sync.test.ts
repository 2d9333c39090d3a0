import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, type SyncStore } from '../../sdk/src/index.ts'
import { sellLead } from '../../src/domain/deals/sale/sell-lead.ts'
import { undoSale } from '../../src/domain/deals/sale/undo-sale.ts'
import { startApp } from '../support/app.ts'
import { createWorld, lead, project, solarSale } from '../support/factories.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const client = createClient({ key: installer.key, baseUrl: app.url })

function memory(kept: string | null = null): SyncStore & { kept: string | null } {
  return {
    kept,
    load() {
      return this.kept
    },
    save(state) {
      this.kept = state
    },
  }
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

const told = (changes: { type: string; id?: string }[]) =>
  changes.map(({ type, id }) => (id ? `${type} ${id}` : type))

/** As if all events up to now had been swept. */
const forget = () =>
  app.database.rows('update tenant_clocks set events_gone = now where installer_id = $1', [
    installer.company.id,
  ])

test('leads: all at first, then what changed; nothing twice where nothing failed', async () => {
  const ids = [await lead(installer), await lead(dealer), await lead(installer, { productLine: 'hi' })]
  const store = memory()
  assert.deepEqual(told(await all(client.syncLeads({ store }))), [
    'restarted',
    ...ids.map((id) => `changed ${id}`),
    'caughtUp',
  ])
  assert.deepEqual(told(await all(client.syncLeads({ store }))), ['caughtUp'])
  await client.leads.update(ids[0]!, { notes: 'New' })
  const [change] = await all(client.syncLeads({ store }))
  assert.ok(change?.type === 'changed' && change.record.notes === 'New')

  const hi = await all(client.syncLeads({ store: memory(), productLine: 'hi' }))
  assert.deepEqual(told(hi), ['restarted', `changed ${ids[2]}`, 'caughtUp'])
  // What another sync has saved, or nobody can read, is no place to go on from.
  for (const state of [store.kept, '{"v":1', '7'])
    assert.equal((await all(client.syncLeads({ store: memory(state), productLine: 'hi' }))).length, 3)
})

test('whoever stops in a batch is told it again; by batches, rows and state can be kept together', async () => {
  const store = memory()
  for await (const change of client.syncLeads({ store, limit: 2 })) if (change.type === 'changed') break
  const again = await all(client.syncLeads({ store, limit: 2 }))
  assert.equal(again.filter(({ type }) => type === 'changed').length, 3)
  let mine: string | null = null
  const sync = client.syncLeads({ store: { load: () => mine, save: () => {} }, limit: 2 })
  for await (const { items, state } of sync.batches()) {
    assert.ok(items.length <= 2)
    mine = state
  }
  assert.deepEqual(told(await all(client.syncLeads({ store: memory(mine) }))), ['caughtUp'])
})

test('projects: whole, and told when a sale is undone; forgotten by the feed, all are told anew', async () => {
  const { projectId } = await project(dealer)
  const store = memory()
  const first = await all(client.syncProjects({ store }))
  assert.deepEqual(told(first), ['restarted', `changed ${projectId}`, 'caughtUp'])
  assert.ok(first[1]?.type === 'changed')
  assert.deepEqual(first[1].record, await client.projects.get(projectId))

  const leadId = await lead(installer)
  const sold = await sellLead(installer.as(), leadId, solarSale, { undoable: true })
  assert.deepEqual(told(await all(client.syncProjects({ store }))), [`changed ${sold.projectId}`, 'caughtUp'])
  await undoSale(installer.as(), leadId, sold.undoable!.id)
  assert.deepEqual(told(await all(client.syncProjects({ store }))), [`deleted ${sold.projectId}`, 'caughtUp'])

  await client.projects.update(projectId, { ntpGranted: true })
  await forget()
  assert.deepEqual(told(await all(client.syncProjects({ store }))), [
    `changed ${projectId}`,
    'restarted',
    `changed ${projectId}`,
    'caughtUp',
  ])
  assert.deepEqual(told(await all(client.syncProjects({ store }))), ['caughtUp'])
})

test('events: on from where they were left, and said so where some are missing', async () => {
  const feed = createClient({ key: other.key, baseUrl: app.url })
  const store = memory()
  const one = await lead(other)
  const events = await all(feed.events({ store, types: 'lead.*' }))
  assert.deepEqual(
    events.map((event) => ('data' in event ? event.record.id : event.type)),
    [one],
  )
  const two = await lead(other)
  const [next] = await all(feed.events({ store }))
  assert.ok(next?.type === 'lead.created' && next.data.id === two)
  assert.deepEqual(await all(feed.events({ store: memory(), from: 'now' })), [])

  // A place of another company's is none here: as one that is older than all that is kept.
  const foreign = memory()
  await all(client.events({ store: foreign }))
  const types = (await all(feed.events({ store: foreign }))).map(({ type }) => type)
  assert.deepEqual(types, ['feed.restarted', 'lead.created', 'lead.created'])
  assert.deepEqual(await all(feed.events({ store: foreign })), [])
})

test('410 is understood as a place that is gone, and a server that knows none ends the sync', async () => {
  const way = await startFaultyProxy(app.url, ({ path }) =>
    path.includes('after=') && !path.includes('after=now') ? { answer: 410, when: 'before' } : undefined,
  )
  const lost = createClient({ key: other.key, baseUrl: way.url })
  const store = memory()
  await all(createClient({ key: other.key, baseUrl: app.url }).syncProjects({ store }))
  const changes: string[] = []
  await assert.rejects(async () => {
    for await (const { type } of lost.syncProjects({ store })) changes.push(type)
  }, /Not now/)
  assert.deepEqual(changes, ['restarted'])
})

test('a follower hears of what comes, until its signal ends it', async () => {
  const stop = new AbortController()
  const heard: string[] = []
  const following = (async () => {
    const sync = client.syncLeads({ store: memory(), follow: true, pollMs: 20, signal: stop.signal })
    for await (const change of sync) {
      if (change.type === 'caughtUp' && heard.length === 0) heard.push(await lead(installer))
      else if (change.type === 'changed' && change.id === heard[0]) stop.abort(new Error('enough'))
    }
  })()
  await assert.rejects(following, /enough/)
  assert.equal(heard.length, 1)
})
