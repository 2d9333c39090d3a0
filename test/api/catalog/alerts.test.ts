import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAlerts } from '../../../src/domain/sites/alerts/find-alerts.ts'
import { newId } from '../../../src/platform/ids.ts'
import { as, during, site, time } from '../../domain/sites/alerts/roof.ts'
import { store } from '../../domain/sites/alerts/store.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'

const app = await startApp()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer, dealer, sister, other, otherDealer } = world

// An outage, a weak panel and a data gap of the installer's own, an outage of a dealer's, one of another tenant's.
const healthy = [as(1), as(1), as(1), as(1)]
const ids = await store(app.database, installer.company, [
  site([...healthy, during(20, 40, 0), during(20, 40, 0.5), during(20, 40, null)]),
])
const dealers = await store(app.database, dealer.company, [site([...healthy, during(22, 40, 0)])])
await store(app.database, other.company, [site([...healthy, during(20, 40, 0)])])
for (const day of [20.6, 22, 22.6, 24]) {
  await findAlerts(db, installer.company.id, time(0, day * 24))
  await findAlerts(db, other.company.id, time(0, day * 24))
}

interface Record {
  id: string
  type: string
  severity: string
  status: string
  panel_id: string | null
  installation_id: string
  triggered_at: string
  acknowledged_at: string | null
  resolved_at: string | null
}
const path = '/catalog/v1/monitoring/alerts'
const list = async (query = '', key = installer.key): Promise<Record[]> =>
  (await app.get(`${path}${query}`, key)).body.data
const post = (id: string, action: string, key = installer.key, more: object = {}) =>
  app.call('POST', `${path}/${id}/${action}`, { key, ...more })
const found = await list()
const byType = (type: string) => found.find((a) => a.type === type && a.panel_id !== dealers.get('p4'))!
const dealersOwn = found.find((a) => a.panel_id === dealers.get('p4'))!

test('the list has every field, newest first', async () => {
  const { body, status } = await app.get(path, installer.key)
  assert.equal(status, 200)
  assert.deepEqual(body.meta, { page: 1, per_page: 20, total: 4 })
  assert.deepEqual(
    found.map((a) => [a.type, a.severity, a.status, a.panel_id, a.triggered_at]),
    [
      ['underperformance', 'high', 'active', ids.get('p5'), time(24).toISOString()],
      ['outage', 'medium', 'active', dealers.get('p4'), time(22, 14.4).toISOString()],
      ['data_gap', 'medium', 'active', ids.get('p6'), time(22).toISOString()],
      ['outage', 'high', 'active', ids.get('p4'), time(20, 14.4).toISOString()],
    ],
  )
  assert.deepEqual(Object.keys(found[0]!), [
    ...['id', 'type', 'severity', 'status', 'installation_id', 'panel_id', 'members', 'title', 'description'],
    ...['recommended_action', 'triggered_at', 'acknowledged_at', 'resolved_at', 'updated_at'],
  ])
  assert.match(found[0]!.id, /^alrt_[0-9a-z]{24}$/)
  assert.equal(byType('outage').installation_id, ids.get('s'))
})

test('filters and pages', async () => {
  assert.equal((await list('?severity=high')).length, 2)
  assert.equal((await list('?severity=critical')).length, 0)
  assert.equal((await list('?status=active')).length, 4)
  assert.equal((await list('?status=acknowledged&severity=low')).length, 0)
  const pages = await Promise.all(
    [1, 2, 3].map((page) => app.get(`${path}?per_page=3&page=${page}`, installer.key)),
  )
  assert.deepEqual(
    pages.flatMap(({ body }) => body.data),
    found,
  )
  assert.deepEqual(
    pages.map(({ body }) => body.meta),
    [1, 2, 3].map((page) => ({ page, per_page: 3, total: 4 })),
  )
  for (const [query, name] of [
    ['status=open', 'status'],
    ['severity=bad', 'severity'],
    ['page=0', 'page'],
    ['per_page=101', 'per_page'],
    ['state=active', 'state'],
    ['status=active&status=resolved', 'status'],
  ] as const) {
    const { status, body } = await app.get(`${path}?${query}`, installer.key)
    assert.equal(status, 400, query)
    assert.match(body.error.message, new RegExp(`^${name} `))
  }
})

test('an installer sees the tenant’s, a dealer its own, another tenant its own', async () => {
  assert.deepEqual(await list('', dealer.key), [dealersOwn])
  assert.deepEqual(await list('', sister.key), [])
  assert.equal((await list('', other.key)).length, 1)
  assert.deepEqual(await list('', otherDealer.key), [])
})

test('what is not the caller’s, or no id at all, is not there', async () => {
  const { id } = byType('outage')
  for (const action of ['acknowledge', 'resolve']) {
    for (const key of [dealer.key, sister.key, other.key, otherDealer.key])
      assert.equal((await post(id, action, key)).status, 404)
    for (const wrong of [newId('alrt'), newId('pnl'), 'alrt_', 'x', '%00', encodeURIComponent("' or 1=1")])
      assert.equal((await post(wrong, action)).status, 404, wrong)
    assert.equal((await post(dealersOwn.id, action, sister.key)).status, 404)
  }
  assert.deepEqual(await list(), found)
})

test('one is read as the list has it, by its company and the installer alone', async () => {
  for (const alert of found)
    assert.deepEqual((await app.get(`${path}/${alert.id}`, installer.key)).body, alert)
  assert.deepEqual((await app.get(`${path}/${dealersOwn.id}`, dealer.key)).body, dealersOwn)
  const strangers: [string, string][] = [
    [byType('outage').id, dealer.key],
    [dealersOwn.id, sister.key],
    [dealersOwn.id, other.key],
    [dealersOwn.id, otherDealer.key],
    ['alrt_00000000000000000000000000', installer.key],
    ['nonsense', installer.key],
  ]
  for (const [id, key] of strangers) assert.equal((await app.get(`${path}/${id}`, key)).status, 404, id)
  const reader = await keyFor(world, installer, { access: 'read' })
  assert.equal((await app.get(`${path}/${found[0]!.id}`, reader.secret)).status, 200)
  assert.equal((await app.get(`${path}/${found[0]!.id}?x=1`, installer.key)).status, 400)
})

test('keys that are not good, may not write or are for elsewhere', async () => {
  const { id } = byType('outage')
  const reader = await keyFor(world, installer, { access: 'read' })
  const elsewhere = await keyFor(world, installer, { interfaces: ['company'] })
  assert.equal((await app.call('GET', path)).status, 401)
  assert.equal((await post(id, 'acknowledge', 'psk_wrong')).status, 401)
  assert.equal((await app.get(path, reader.secret)).status, 200)
  assert.equal((await post(id, 'acknowledge', reader.secret)).status, 403)
  assert.equal((await post('x', 'acknowledge', reader.secret)).status, 404)
  assert.equal((await app.get(path, elsewhere.secret)).status, 403)
  assert.equal((await app.get(`${path}/${id}`, elsewhere.secret)).status, 403)
  assert.equal((await app.call('GET', `${path}/${id}`)).status, 401)
  assert.equal((await app.call('DELETE', `${path}/${id}`, { key: installer.key })).status, 404)
})

test('bodies and queries of the actions take no fields', async () => {
  const { id } = byType('outage')
  const unknown = await post(id, 'acknowledge', installer.key, { body: { note: 'seen' } })
  assert.equal(unknown.status, 400)
  assert.match(unknown.body.error.message, /^note is not a field here/)
  assert.equal((await post('x', 'resolve', installer.key, { body: { note: 'seen' } })).status, 400)
  assert.equal((await post(id, 'resolve', installer.key, { body: [] })).status, 400)
  assert.equal((await app.call('POST', `${path}/${id}/resolve?x=1`, { key: installer.key })).status, 400)
  assert.equal((await list('?status=active')).length, 4)
})

test('active → acknowledged → resolved, and nothing else; each with its event', async () => {
  const { id } = byType('underperformance')
  const empty = { headers: { 'content-type': 'application/json' } }
  const seen = await post(id, 'acknowledge', installer.key, empty)
  assert.equal(seen.status, 200)
  assert.deepEqual([seen.body.status, seen.body.resolved_at], ['acknowledged', null])
  assert.ok(Math.abs(Date.parse(seen.body.acknowledged_at) - Date.now()) < 60_000)
  const again = await post(id, 'acknowledge')
  assert.equal(again.status, 400)
  assert.match(again.body.error.message, /is acknowledged/)
  const done = await post(id, 'resolve', installer.key, { body: {} })
  assert.deepEqual(
    [done.status, done.body.status, done.body.acknowledged_at],
    [200, 'resolved', seen.body.acknowledged_at],
  )
  assert.ok(done.body.resolved_at >= done.body.acknowledged_at)
  for (const action of ['acknowledge', 'resolve']) {
    const { status, body } = await post(id, action)
    assert.equal(status, 400)
    assert.match(body.error.message, /is resolved/)
  }
  assert.deepEqual(await list('?status=resolved'), [done.body])
  const events = await rows<{ type: string; data: Record & { version: number }; actor_kind: string }>(
    'select type, data, actor_kind from events where subject_id = $1 order by at, ordinal',
    [id],
  )
  assert.deepEqual(
    events.map(({ type, data, actor_kind }) => [type, data.version, actor_kind]),
    [
      ['alert.triggered', 1, 'job'],
      ['alert.acknowledged', 2, 'key'],
      ['alert.resolved', 3, 'key'],
    ],
  )
  assert.deepEqual(events[2]!.data, { ...done.body, version: 3 })
})

test('active → resolved; a dealer resolves its own; of many at once one is first', async () => {
  const own = await post(dealersOwn.id, 'resolve', dealer.key)
  assert.deepEqual([own.status, own.body.status, own.body.acknowledged_at], [200, 'resolved', null])
  const { id } = byType('data_gap')
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(id, 'resolve')))
  assert.deepEqual(
    answers.map(({ status }) => status).sort(),
    [200, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  )
})

test('an acknowledged alert resolves by itself when its fault is gone', async () => {
  const { id } = byType('outage')
  await post(id, 'acknowledge')
  const { resolved } = await findAlerts(db, installer.company.id, new Date(time(40).getTime() - 1))
  assert.deepEqual(resolved, [])
  await rows(`update panels set status = 'inactive' where id = $1`, [ids.get('p4')])
  await findAlerts(db, installer.company.id, new Date(time(40).getTime() - 1))
  assert.equal((await list('?status=acknowledged')).length, 0)
  assert.ok((await list('?status=resolved')).some((alert) => alert.id === id && alert.acknowledged_at))
})
