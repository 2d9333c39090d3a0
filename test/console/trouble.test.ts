import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listWrongCounts } from '../../src/domain/operations/checks/count-queries.ts'
import type { Alert } from '../../src/domain/sites/alerts/alert.ts'
import { findAlerts } from '../../src/domain/sites/alerts/find-alerts.ts'
import { writeAlerts } from '../../src/domain/sites/alerts/queries.ts'
import { lockInstallations } from '../../src/domain/sites/energy/reading-queries.ts'
import { mendTrouble } from '../../src/domain/sites/installations/trouble-queries.ts'
import { listFleet, placeOf } from '../../src/domain/sites/monitoring/fleet-queries.ts'
import { findAllAlerts } from '../../src/jobs/find-alerts.ts'
import { newId } from '../../src/platform/ids.ts'
import { type App, startApp } from '../support/app.ts'
import { oneServerOnly } from '../support/citus.ts'
import { send, site } from '../support/energy.ts'
import { createWorld, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

let app: App
let world: World

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
})

const dayMs = 86_400_000
const today = new Date().toISOString().slice(0, 10)
const daysAgo = (days: number) => new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10)

describe('the order of trouble', () => {
  interface Made {
    id: string
    companyId: string
    name: string
    region: string
    worst: number
    lastDay: string | null
    deleted: boolean
  }
  const made: Made[] = []
  const silentDays = ({ lastDay }: Made) =>
    lastDay === null ? 0 : Math.max(0, (Date.parse(today) - Date.parse(lastDay)) / dayMs - 2)

  before(async () => {
    const { sister, dealer } = world
    // Every mix of how bad, how silent and whose; names that are the same, and one that is empty.
    for (const worst of [0, 1, 2, 3, 4])
      for (const ago of [null, 0, 1, 2, 3, 4, 30])
        for (const [n, name] of ['', 'B', 'A', 'B', 'Ä'].entries())
          made.push({
            id: `inst_${String(made.length).padStart(24, '0')}`,
            companyId: (n % 2 === 0 ? sister : dealer).company.id,
            name,
            region: n === 2 ? 'US-AZ' : 'US-CA',
            worst,
            lastDay: ago === null ? null : daysAgo(ago),
            deleted: n === 4 && ago === 30,
          })
    await app.database.rows(
      `insert into installations (installer_id, id, company_id, name, address, region, timezone, created_at, worst, last_day, deleted_at)
       select $1, m.id, m."companyId", m.name, '', m.region, 'UTC', now(), m.worst, m."lastDay", case when m.deleted then now() end
       from json_to_recordset($2) as m(id text, "companyId" text, name text, region text, worst smallint, "lastDay" date, deleted boolean)`,
      [world.installer.company.installerId, JSON.stringify(made)],
    )
  })

  const expected = (wanted: (one: Made) => boolean) =>
    made
      .filter((one) => !one.deleted && wanted(one))
      .sort(
        (a, b) =>
          b.worst - a.worst ||
          silentDays(b) - silentDays(a) ||
          Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) ||
          (a.id < b.id ? -1 : 1),
      )
      .map(({ id }) => id)

  async function read(
    limit: number,
    companyId: string | null,
    filters: { region?: string; search?: string } = {},
  ) {
    const found: string[] = []
    const wanted = {
      installerId: world.installer.company.installerId,
      ...{ companyId, memberId: null, by: 'trouble' as const, reversed: false, today, limit, ...filters },
    }
    for (let after = null; ; ) {
      const { rows }: Awaited<ReturnType<typeof listFleet>> = await listFleet(app.database.db, {
        ...wanted,
        after,
      })
      found.push(...rows.map(({ id }) => id))
      assert.ok(found.length <= made.length, 'none comes twice')
      if (rows.length < limit) return found
      after = placeOf(wanted, rows.at(-1)!)
    }
  }

  for (const limit of [1, 4, 51, 300])
    test(`goes on where a page of ${limit} ended, by whose they are, region and word`, async () => {
      const { company } = world.dealer
      assert.deepEqual(
        await read(limit, null),
        expected(() => true),
      )
      assert.deepEqual(
        await read(limit, company.id),
        expected((one) => one.companyId === company.id),
      )
      assert.deepEqual(
        await read(limit, null, { region: 'US-AZ' }),
        expected((one) => one.region === 'US-AZ'),
      )
      assert.deepEqual(
        await read(limit, null, { search: 'b' }),
        expected((one) => one.name === 'B'),
      )
    })
})

for (const many of [1, 499, 500, 501, 1_000, 1_001])
  test(`what is kept of ${many} is put right to the last`, async () => {
    const { sister } = await createWorld(app.database.db)
    const { installerId, id: companyId } = sister.company
    await app.database.rows(
      `insert into installations (installer_id, id, company_id, name, address, region, timezone, created_at, worst)
       select $1, 'inst_' || lpad(n::text, 24, '0'), $2, 'Roof', '', 'US-CA', 'UTC', now(), case when n in (1, $3) then 2 else 0 end
       from generate_series(1, $3) as n`,
      [installerId, companyId, many],
    )
    await mendTrouble(app.database.db, installerId)
    const wrong = await app.database.rows(
      'select id from installations where installer_id = $1 and worst <> 0',
      [installerId],
    )
    assert.deepEqual(wrong, [])
  })

test('those with a kind of alert that many have come in each order, page by page', async () => {
  const { installer, dealer } = await createWorld(app.database.db)
  const { installerId } = installer.company
  const made = Array.from({ length: 900 }, (_, i) => ({
    id: `inst_${String(i).padStart(24, '0')}`,
    companyId: (i % 3 ? installer : dealer).company.id,
    name: `Roof ${(i * 7919) % 450}`,
    kw: (i * 31) % 40,
    type: ['outage', null, 'data_gap', 'outage'][i % 4]!,
  }))
  await app.database.rows(
    `insert into installations (installer_id, id, company_id, name, address, region, timezone, created_at, worst, capacity_kw)
     select $1, m.id, m."companyId", m.name, '', 'US-CA', 'UTC', now(), case when m.type is null then 0 else 3 end, m.kw
     from json_to_recordset($2) as m(id text, "companyId" text, name text, type text, kw numeric)`,
    [installerId, JSON.stringify(made)],
  )
  await app.database.rows(
    `insert into alerts (installer_id, id, company_id, installation_id, type, severity, status, title, description,
       recommended_action, triggered_at)
     select $1, 'alert_' || m.id, m."companyId", m.id, m.type, 'high', 'active', '', '', '', now()
     from json_to_recordset($2) as m(id text, "companyId" text, type text) where m.type is not null`,
    [installerId, JSON.stringify(made)],
  )
  await app.database.rows(
    `insert into alert_counts (installer_id, company_id, status, severity, type, alerts) values ($1, $1, 'active', 'high', 'outage', 450)`,
    [installerId],
  )
  const ofId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  const orders = {
    name: (a: (typeof made)[0], b: (typeof made)[0]) =>
      a.name === b.name ? ofId(a, b) : a.name < b.name ? -1 : 1,
    size: (a: (typeof made)[0], b: (typeof made)[0]) => b.kw - a.kw || ofId(b, a),
  }
  for (const by of ['name', 'size'] as const)
    for (const companyId of [null, dealer.company.id])
      for (const limit of [60, 449]) {
        const wanted = made.filter(
          (one) => one.type === 'outage' && (!companyId || one.companyId === companyId),
        )
        const found: string[] = []
        for (let after = null; ; ) {
          const { rows: page }: Awaited<ReturnType<typeof listFleet>> = await listFleet(app.database.db, {
            ...{ installerId, companyId, memberId: null, by, reversed: false, today, limit, kind: 'outage' },
            after,
          })
          found.push(...page.map(({ id }) => id))
          if (page.length < limit) break
          const { id, name, size } = page.at(-1)!
          after = { id, key: by === 'name' ? name : size }
        }
        assert.deepEqual(
          found,
          wanted.toSorted(orders[by]).map(({ id }) => id),
          `${by} ${companyId} ${limit}`,
        )
      }
})

describe('what is kept of an installation’s trouble', () => {
  async function kept(id: string) {
    const [row] = await app.database.rows<{ worst: number; day: string | null }>(
      'select worst, last_day::text as day from installations where id = $1',
      [id],
    )
    return [row!.worst, row!.day]
  }

  test('follows its readings, its clock and its alerts', async () => {
    const { installer } = world
    const owner = await signedIn(app, await addPerson(app, installer.company.id, 'owner', 'Olga Owner'))
    const { installation, panels } = await site(app.database, installer, 'UTC', 6)
    assert.deepEqual(await kept(installation), [0, null])
    const report = (days: number[], kwh: (panel: number, day: number) => number) =>
      send(
        app,
        installer.key,
        panels.flatMap((panel_id, panel) =>
          days.flatMap((day) =>
            [14, 15, 16, 17, 18, 19, 20, 21, 22].map((hour) => ({
              panel_id,
              timestamp: `2026-03-${String(day).padStart(2, '0')}T${hour}:30:00Z`,
              kwh: kwh(panel, day),
            })),
          ),
        ),
      )
    const days = Array.from({ length: 29 }, (_, i) => i + 1)
    await report(days, (panel, day) => (panel === 2 && day > 26 ? 0 : 0.9))
    assert.deepEqual(await kept(installation), [0, '2026-03-29'])
    await report([3], () => 0.8)
    assert.deepEqual(await kept(installation), [0, '2026-03-29'], 'what comes late is no later day')

    const { opened } = await findAlerts(
      app.server.deps.db,
      installer.company.installerId,
      new Date('2026-03-29T23:00:00Z'),
    )
    const alert = opened.find(({ installationId }) => installationId === installation)!
    const rank = ['low', 'medium', 'high', 'critical'].indexOf(alert.severity) + 1
    assert.deepEqual(await kept(installation), [rank, '2026-03-29'])
    assert.equal((await owner.call('POST', `/alerts/${alert.id}/acknowledge`)).status, 200)
    assert.deepEqual(await kept(installation), [rank, '2026-03-29'])
    assert.equal((await owner.call('POST', `/alerts/${alert.id}/resolve`)).status, 200)
    assert.deepEqual(await kept(installation), [0, '2026-03-29'])

    const { status, text } = await app.call('PATCH', `/catalog/v1/installations/${installation}`, {
      key: installer.key,
      body: { timezone: 'Pacific/Kiritimati' },
    })
    assert.equal(status, 200, text)
    assert.deepEqual(await kept(installation), [0, '2026-03-30'], 'there it is tomorrow already')
  })

  test('is put right where somebody wrote who did not know of it', async () => {
    const installer = world.other
    const { installation } = await site(app.database, installer, 'UTC')
    await app.database.rows(
      `insert into installation_days (installer_id, installation_id, day, microkwh, readings, panels, hours)
       values ($1, $2, '2026-02-03', 5, 1, 1, '{}')`,
      [installer.company.installerId, installation],
    )
    await app.database.rows(
      `insert into alerts (installer_id, id, company_id, installation_id, type, severity, status, title, description,
         recommended_action, triggered_at)
       values ($1, 'alrt_000000000000000000000001', $1, $2, 'data_gap', 'medium', 'active', 'T', 'D', 'A', '2026-02-06')`,
      [installer.company.installerId, installation],
    )
    const gone = await site(app.database, installer, 'UTC')
    await app.database.rows('update installations set worst = 3, deleted_at = now() where id = $1', [
      gone.installation,
    ])
    const { db } = app.server.deps
    const { installerId } = installer.company
    const wrong = async () =>
      (await listWrongCounts(db, installerId, false)).filter(({ what }) => what.startsWith('worst'))
    assert.deepEqual(await kept(installation), [0, null])
    assert.deepEqual(await wrong(), [
      { what: `worst alert and last day of ${installation}`, kept: '0', counted: '2 2026-02-03' },
    ])
    await findAllAlerts(
      db,
      app.server.deps.log,
      new Date('2026-02-04T20:00:00Z'),
      new AbortController().signal,
    )
    assert.deepEqual(await kept(installation), [2, '2026-02-03'])
    assert.deepEqual(await wrong(), [], 'of those that are deleted nobody asks')
  })

  test('is written by alerts and readings of the same installations at once, and none waits for the other for ever', {
    skip: oneServerOnly(),
  }, async () => {
    const { installer } = world
    const { db } = app.server.deps
    const { installerId } = installer.company
    const ids = [await site(app.database, installer, 'UTC'), await site(app.database, installer, 'UTC')]
      .map(({ installation }) => installation)
      .sort() as [string, string]
    const alertOf = (installationId: string): Alert => ({
      ...{ id: newId('alrt'), companyId: installer.company.id, installationId, panelId: null, memberIds: [] },
      ...{
        type: 'outage',
        severity: 'high',
        status: 'active',
        title: 'T',
        description: 'D',
        recommendedAction: 'A',
      },
      ...{ usualRatio: null, usualRatios: [], version: 1, beganAt: null, triggeredAt: new Date() },
      ...{ updatedAt: new Date(), acknowledgedAt: null, resolvedAt: null },
    })
    const first = alertOf(ids[0])
    await db.transaction((tx) => writeAlerts(tx, installerId, { opened: [first] }))
    const at = new Date()
    const resolved: Alert = { ...first, status: 'resolved', resolvedAt: at, updatedAt: at }
    const held = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    // Readings hold the first, and ask for the second only once the alerts, one of each, have been written.
    const readings = db.transaction(async (tx) => {
      await lockInstallations(tx, installerId, [ids[0]])
      held.resolve()
      await written.promise
      await lockInstallations(tx, installerId, ids)
    })
    await held.promise
    const alerts = db.transaction(async (tx) => {
      const writing = writeAlerts(tx, installerId, { opened: [alertOf(ids[1])], changed: [resolved] })
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      while ((await app.database.rows(waits)).length === 0) await sleep(5)
      written.resolve()
      await writing
    })
    await Promise.all([readings, alerts])
    assert.deepEqual([(await kept(ids[0]))[0], (await kept(ids[1]))[0]], [0, 3])
  })
})
