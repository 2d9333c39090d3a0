import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../src/platform/ids.ts'
import { startApp } from '../../support/app.ts'
import { checkRollUps, energy, send } from '../../support/energy.ts'
import { createWorld, keyFor, project } from '../../support/factories.ts'
import { installation, panel } from '../../support/panels.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { key } = installer
const path = '/catalog/v1/installations'
const patch = (id: string, body: unknown, by = key) => app.call('PATCH', `${path}/${id}`, { key: by, body })
const read = async (id: string) => (await app.get(`${path}/${id}`, key)).body
const total = async (region: string) => (await app.get(`${path}?region=${region}`, key)).body.meta.total
const eventsOf = (id: string) =>
  app.database.rows<{ type: string; changes: object; data: { version: number } }>(
    `select type, changes, data from events where subject_id = $1 and type = 'installation.updated' order by at, ordinal`,
    [id],
  )

test('name, address and region: read back, listed, told once, and nothing where nothing changes', async () => {
  const id = await installation(app, installer)
  const before = await read(id)
  const changed = await patch(id, { name: ' Moreno cabin ', address: '2 Hill Rd, Reno, NV', region: 'US-NV' })
  assert.equal(changed.status, 200)
  assert.deepEqual(changed.body, {
    ...before,
    name: 'Moreno cabin',
    address: '2 Hill Rd, Reno, NV',
    region: 'US-NV',
    updated_at: changed.body.updated_at,
  })
  assert.ok(changed.body.updated_at > before.updated_at)
  assert.deepEqual(await read(id), changed.body)
  assert.deepEqual([await total('US-CA'), await total('US-NV')], [0, 1])
  for (const body of [{}, { name: 'Moreno cabin' }])
    assert.deepEqual((await patch(id, body)).body, changed.body)
  const [event, ...others] = await eventsOf(id)
  assert.deepEqual(others, [])
  assert.deepEqual(event!.changes, {
    name: ['Moreno residence', 'Moreno cabin'],
    address: ['1 Market St, San Diego, CA 92101', '2 Hill Rd, Reno, NV'],
    region: ['US-CA', 'US-NV'],
  })
  assert.deepEqual(event!.data, { ...changed.body, version: 2 })
})

test('who may: the installer and the company of the installation; all others find nothing', async () => {
  const id = await installation(app, dealer)
  assert.equal((await patch(id, { name: 'Barn' }, dealer.key)).status, 200)
  assert.equal((await patch(id, { name: 'Shed' })).status, 200)
  for (const stranger of [sister.key, other.key])
    assert.equal((await patch(id, { name: 'Mine' }, stranger)).status, 404)
  for (const wrong of [newId('inst'), newId('pnl'), 'x', '%00'])
    assert.equal((await patch(wrong, { name: 'Barn' })).status, 404)
  const reader = (await keyFor(world, installer, { access: 'read' })).secret
  assert.equal((await patch(id, { name: 'Barn' }, reader)).status, 403)
  assert.equal((await app.call('PATCH', `${path}/${id}`, { body: { name: 'Barn' } })).status, 401)
  for (const body of [
    { name: '' },
    { name: null },
    { address: '' },
    { region: 'A region of far too many letters' },
    { timezone: 'Mars/Olympus' },
    { timezone: '+02:00' },
    { capacity_kw: 3 },
    [],
  ])
    assert.equal((await patch(id, body)).status, 400, JSON.stringify(body))
  assert.equal((await read(id)).name, 'Shed')
})

const hour = (n: number) => new Date(Date.parse('2026-03-06T00:00:00Z') + n * 3_600_000).toISOString()

/** Hours around a change of the clock and an end of a month. */
const sent = (panelId: string) =>
  Array.from({ length: 24 * 30 }, (_, n) => ({ panel_id: panelId, timestamp: hour(n), kwh: (n % 24) / 100 }))

test('with another time zone every bucket is what it would be had it been so from the start', async () => {
  const moved = await installation(app, installer, { timezone: 'America/Los_Angeles' })
  const there = await installation(app, installer, { timezone: 'Asia/Kolkata' })
  const [a, b] = [await panel(app, installer, moved), await panel(app, installer, there)]
  await send(app, key, [...sent(a), ...sent(b)])
  const range = { start_date: '2026-03-01', end_date: '2026-04-30' }
  const answers = async (of: object) =>
    Promise.all(
      ['hourly', 'daily', 'weekly', 'monthly'].map((granularity) =>
        energy(app, key, { ...range, granularity, ...of }),
      ),
    )
  assert.notDeepEqual(await answers({ installation_id: moved }), await answers({ installation_id: there }))
  const changed = await patch(moved, { timezone: 'asia/kolkata' })
  assert.deepEqual([changed.status, changed.body.timezone], [200, 'Asia/Kolkata'])
  assert.deepEqual(await answers({ installation_id: moved }), await answers({ installation_id: there }))
  assert.deepEqual(await answers({ panel_id: a }), await answers({ panel_id: b }))
  await checkRollUps(app.database)
  // What comes next is added to the new days.
  await send(
    app,
    key,
    [a, b].map((panel_id) => ({ panel_id, timestamp: hour(24 * 30), kwh: 0.1 })),
  )
  assert.deepEqual(await answers({ installation_id: moved }), await answers({ installation_id: there }))
  await checkRollUps(app.database)
})

test('readings that arrive while the days are counted again are in them', async () => {
  const id = await installation(app, installer, { timezone: 'America/Denver' })
  const own = await panel(app, installer, id)
  await send(app, key, sent(own).slice(0, 400))
  const rest = sent(own).slice(400)
  await Promise.all([
    ...Array.from({ length: 8 }, (_, i) => send(app, key, rest.slice(i * 40, i * 40 + 40))),
    patch(id, { timezone: 'Europe/Berlin' }),
    patch(id, { timezone: 'Asia/Tokyo' }),
  ])
  await checkRollUps(app.database)
})

test('an installation follows its project, in what it still has from it', async () => {
  const { leadId, projectId } = await project(installer, { firstName: 'Ada', lastName: 'Moreno' })
  await app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage: 'Installed' } })
  const [{ id }] = (await app.database.rows<{ id: string }>(
    'select id from installations where project_id = $1',
    [projectId],
  )) as [{ id: string }]
  const change = (body: object) => app.call('PATCH', `/v1/leads/${leadId}`, { key, body })
  assert.equal((await change({ lastName: 'Quist' })).status, 200)
  assert.equal((await read(id)).name, 'Ada Quist')
  const moved = { line1: '5 Main St', city: 'Albany', state: 'NY', postalCode: '12207' }
  assert.equal((await change({ address: moved })).status, 200)
  const after = await read(id)
  assert.match(after.address, /^5 Main St.*Albany/)
  assert.deepEqual([after.region, after.timezone], ['US-NY', 'America/New_York'])
  assert.equal((await change({ phone: '+1 619 555 0142' })).status, 200)
  assert.deepEqual(
    (await eventsOf(id)).map(({ changes }) => Object.keys(changes).sort()),
    [['name'], ['address', 'region', 'timezone']],
  )
  // A name of its own is kept; the address still follows.
  await patch(id, { name: 'Quist barn' })
  assert.equal((await change({ firstName: 'Eva', address: { ...moved, line1: '6 Main St' } })).status, 200)
  const last = await read(id)
  assert.equal(last.name, 'Quist barn')
  assert.match(last.address, /^6 Main St/)
  // The legacy interface changes the same customer.
  await patch(id, { name: 'Eva Quist' })
  const body = { id: leadId, home_improvement: false, primary_first_name: 'Ida' }
  assert.equal((await app.call('POST', '/legacy/update_lead', { key, body })).status, 200)
  assert.equal((await read(id)).name, 'Ida Quist')
})
