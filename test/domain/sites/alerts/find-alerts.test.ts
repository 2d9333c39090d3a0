import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Alert, subjectOf } from '../../../../src/domain/sites/alerts/alert.ts'
import { findAlerts } from '../../../../src/domain/sites/alerts/find-alerts.ts'
import { findFaults } from '../../../../src/domain/sites/alerts/find-faults.ts'
import { findAllAlerts } from '../../../../src/jobs/find-alerts.ts'
import type { Database } from '../../../../src/platform/db.ts'
import type { Log } from '../../../../src/platform/log.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld } from '../../../support/factories.ts'
import { simulateFleet } from './fleet.ts'
import { as, during, site, time } from './roof.ts'
import { store } from './store.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { db, rows } = database
const { installer, dealer, other, otherDealer } = await createWorld(db)
const healthy = [as(1), as(1), as(1), as(1)]

interface Event {
  type: string
  subject_id: string
  company_id: string
  at: Date
  actor_kind: string
  data: Record<string, unknown>
}
const eventsOf = (id: string) =>
  rows<Event>(
    `select type, subject_id, company_id, at, actor_kind, data from events where subject_id = $1 order by at, ordinal`,
    [id],
  )
const alertsOf = (installerId: string) =>
  rows<Alert & { panel: string }>(
    `select id, type, severity, status, version, panel_id as panel from alerts where installer_id = $1 order by id`,
    [installerId],
  )

test('a fault is told once, with its event, gets worse without another and is told so, and is resolved with an event', async () => {
  const ids = await store(database, dealer.company, [site([...healthy, during(20, 28, 0)])])
  const panel = ids.get('p4')!
  const installerId = installer.company.id
  assert.deepEqual((await findAlerts(db, installerId, time(20, 10))).opened, [])
  const { opened, installations, panels } = await findAlerts(db, installerId, time(20, 14))
  assert.deepEqual([installations, panels], [1, 5])
  assert.deepEqual(
    opened.map((a) => [a.type, a.panelId, a.severity]),
    [['outage', panel, 'medium']],
  )
  // Found by several at once, and over and over, it stays the one.
  await Promise.all([1, 2, 3].map(() => findAlerts(db, installerId, time(20, 15))))
  const worse = await findAlerts(db, installerId, time(24))
  assert.deepEqual([worse.opened.length, worse.worsened.length], [0, 1])
  const resolved = await findAlerts(db, installerId, time(28, 12))
  assert.equal(resolved.resolved.length, 1)
  assert.deepEqual(
    (await alertsOf(installerId)).map((a) => [a.type, a.panel, a.severity, a.status, a.version]),
    [['outage', panel, 'high', 'resolved', 3]],
  )
  const events = await eventsOf(opened[0]!.id)
  assert.deepEqual(
    events.map((e) => [e.type, e.company_id, e.actor_kind, e.data.version, e.data.status, e.data.severity]),
    [
      ['alert.triggered', dealer.company.id, 'job', 1, 'active', 'medium'],
      ['alert.updated', dealer.company.id, 'job', 2, 'active', 'high'],
      ['alert.resolved', dealer.company.id, 'job', 3, 'resolved', 'high'],
    ],
  )
  assert.equal(events[0]!.data.triggered_at, time(20, 14).toISOString())
  // The tenant's clock goes by the time it is, not by the time that was asked about.
  for (const { at } of events) assert.ok(Math.abs(at.getTime() - Date.now()) < 60_000)
})

test('panels out of service raise nothing, and what was open of them is resolved', async () => {
  const installerId = installer.company.id
  const broken = [during(20, 40, 0), during(20, 40, 0.5), during(20, 40, null)]
  const ids = await store(database, installer.company, [site([...healthy, ...broken])])
  const { opened } = await findAlerts(db, installerId, time(25))
  assert.deepEqual(opened.map(subjectOf).sort(), [
    `data_gap ${ids.get('p6')}`,
    `outage ${ids.get('p4')}`,
    `underperformance ${ids.get('p5')}`,
  ])
  await rows(`update panels set status = 'maintenance' where id = $1`, [ids.get('p4')])
  await rows(`update panels set status = 'inactive' where id = $1`, [ids.get('p5')])
  await rows(`update panels set deleted_at = now() where id = $1`, [ids.get('p6')])
  const { resolved } = await findAlerts(db, installerId, time(25, 1))
  assert.deepEqual(resolved.map(subjectOf).sort(), opened.map(subjectOf).sort())
  assert.deepEqual((await findAlerts(db, installerId, time(30))).opened, [])
})

test('a logger that sends once a night raises nothing until it misses a night', async () => {
  const { installer } = await createWorld(db)
  const installerId = installer.company.id
  await store(database, installer.company, [site(healthy, 10)])
  const copied = (table: string, id: string, panels: string) =>
    `insert into ${table} (installer_id, ${id}, day, microkwh, readings, ${panels}hours)
     select installer_id, ${id}, day + $2::int, microkwh, readings, ${panels}hours from ${table}
     where installer_id = $1 and day = '2026-09-10'`
  /** What was made on a day comes at 5:30 of the next. */
  const send = async (day: number) => {
    await rows(copied('panel_days', 'panel_id', ''), [installerId, day - 9])
    await rows(copied('installation_days', 'installation_id', 'panels, '), [installerId, day - 9])
  }
  const opened: string[] = []
  const look = async (day: number, hour: number) => {
    const found = await findAlerts(db, installerId, time(day, hour))
    opened.push(...found.opened.map((alert) => `${alert.type} ${alert.triggeredAt.toISOString()}`))
  }
  for (let day = 11; day < 15; day++) {
    for (let hour = 0; hour < 24; hour++) {
      if (hour === 6) await send(day - 1)
      await look(day, hour)
    }
  }
  assert.deepEqual(opened, [])
  const silences = await rows<{ hours: number | null }>(
    `select extract(epoch from ended_at - began_at)::int / 3600 as hours from reporting_silences
     where installer_id = $1 order by began_at`,
    [installerId],
  )
  assert.deepEqual(
    silences.map(({ hours }) => hours),
    [30, 30, 30, 30, null],
  )
  // The last readings were over at midnight: half as long again as usual is 45 hours.
  for (let hour = 0; hour < 40; hour++) await look(15, hour)
  assert.deepEqual(opened, [`data_gap ${time(15, 22).toISOString()}`])
})

test('panels that go out together are one alert with its members, also for those who hear of it', async () => {
  const { installer } = await createWorld(db)
  const installerId = installer.company.id
  const ids = await store(database, installer.company, [
    site([...healthy, during(20, 30, 0), during(20, 30, 0), during(20, 30, 0)]),
  ])
  const members = ['p4', 'p5', 'p6'].map((panel) => ids.get(panel)!)
  // The third sends its readings later than the others.
  const [late] = await rows<{ hours: number[]; microkwh: number; readings: number }>(
    `delete from panel_days where panel_id = $1 and day = '2026-09-21' returning *`,
    [members[2]],
  )
  const { opened } = await findAlerts(db, installerId, time(20, 14))
  assert.deepEqual(
    opened.map(({ panelId, memberIds }) => [panelId, [...memberIds].sort()]),
    [[null, members.slice(0, 2).sort()]],
  )
  await rows(
    `insert into panel_days (installer_id, panel_id, day, microkwh, readings, hours) values ($1, $2, '2026-09-21', $3, $4, $5)`,
    [installerId, members[2], late!.microkwh, late!.readings, late!.hours],
  )
  const { worsened } = await findAlerts(db, installerId, time(20, 15))
  assert.deepEqual(
    worsened.map(({ id, version, memberIds }) => [id, version, [...memberIds].sort()]),
    [[opened[0]!.id, 2, members.toSorted()]],
  )
  const { resolved } = await findAlerts(db, installerId, time(31, 14))
  assert.equal(resolved.length, 1)
  const events = await eventsOf(opened[0]!.id)
  assert.equal((events[0]!.data['members'] as string[]).length, 2)
  assert.deepEqual((events.at(-1)!.data['members'] as string[]).toSorted(), members.toSorted())
})

test('what a whole site does not make is held against its neighbours, of this tenant alone', async () => {
  const snow = () => site(healthy.map(() => during(20, 30, 0)))
  const under = await createWorld(db)
  for (let i = 0; i < 3; i++) await store(database, under.installer.company, [snow()])
  assert.deepEqual((await findAlerts(db, under.installer.company.id, time(22, 14))).opened, [])
  const beside = await createWorld(db)
  await store(database, beside.installer.company, [snow()])
  for (let i = 0; i < 2; i++) await store(database, beside.installer.company, [site(healthy)])
  const { opened } = await findAlerts(db, beside.installer.company.id, time(22, 14))
  assert.deepEqual(
    opened.map(({ type, severity, panelId }) => [type, severity, panelId]),
    [['outage', 'critical', null]],
  )
})

test('under a dark sky all ask their neighbours: a region is read once, and who tells several of the weather, too', async () => {
  const { company } = (await createWorld(db)).installer
  const areas = Array.from({ length: 12 }, (_, i) => `${100 + i}`)
  const dark = (area: string) => ({
    ...{ ...site([during(20, 30, 0)]), region: 'US-NM' },
    address: `1 Main St, Anytown, NM ${area}01`,
  })
  for (let i = 0; i < 6; i++) for (const area of areas) await store(database, company, [dark(area)])
  const read = { places: 0, asked: 0, neighbours: 0 }
  const counting: Database = {
    ...db,
    query: (statement, values) => {
      if (/\bregion between\b/.test(statement.text)) read.places++
      if (/from installation_days d\b/.test(statement.text)) {
        read.asked++
        read.neighbours += values.flatMap((one) => (Array.isArray(one) ? one : [])).length
      }
      return db.query(statement, values)
    },
  }
  const { opened, installations } = await findAlerts(counting, company.id, time(22, 14))
  const all = 6 * areas.length
  assert.deepEqual([opened, installations, read.places], [[], all, 1])
  // Each by itself, and as neighbours the five of each area, of ten that are looked at together.
  assert.ok(read.neighbours > all && read.neighbours <= 6 * all, `${read.neighbours}`)
  assert.ok(read.asked < all / 2, `${read.asked}`)
})

test("one tenant's failure does not stop another's", async () => {
  await store(database, other.company, [{ ...site(healthy), timezone: 'Mars/Base' }])
  const later = await createWorld(db)
  for (const tenant of [later.installer, later.other])
    await store(database, tenant.company, [site([...healthy, during(20, 40, 0)])])
  const warned: object[] = []
  const log = { warn: (what: object) => warned.push(what) } as unknown as Log
  await findAllAlerts(db, log, time(22), new AbortController().signal)
  assert.deepEqual(
    warned.map((what) => (what as { installer: string }).installer),
    [other.company.id],
  )
  for (const tenant of [later.installer, later.other])
    assert.equal((await alertsOf(tenant.company.id)).length, 1)
  assert.deepEqual(await alertsOf(otherDealer.company.installerId), [])
})

test('1,000 panels in many installations: the same as without a database', async (t) => {
  const { installer } = await createWorld(db)
  const fleet = simulateFleet({ seed: 4, panels: 1_000, days: 60 })
  const ids = await store(database, installer.company, fleet.sites)
  await db.execute('vacuum analyze panel_days, installation_days, panels, installations, alerts')
  for (const day of [30, 45, 45]) {
    const at = fleet.at(day, 12)
    const begun = performance.now()
    const { opened, installations, panels } = await findAlerts(db, installer.company.id, at)
    const ms = performance.now() - begun
    t.diagnostic(`day ${day}: ${Math.round(ms)} ms for ${installations} installations, ${panels} panels`)
    assert.deepEqual([installations, panels], [fleet.sites.length, 1_000])
    if (day !== 30) continue
    const expected = fleet.sites.flatMap((one) =>
      findFaults(one, at).faults.map((fault) =>
        subjectOf({ ...fault, panelId: fault.panelId && ids.get(fault.panelId)! }),
      ),
    )
    assert.ok(expected.length > 10)
    assert.deepEqual(opened.map(subjectOf).sort(), expected.sort())
  }
})
