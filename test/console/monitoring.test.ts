import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { FleetResponse, InstallationResponse, Series } from '../../src/api/console/monitoring.ts'
import { findAlerts } from '../../src/domain/sites/alerts/find-alerts.ts'
import { mendTrouble } from '../../src/domain/sites/installations/trouble-queries.ts'
import { type App, startApp } from '../support/app.ts'
import { send, site } from '../support/energy.ts'
import { type Actors, createWorld, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { watchedIn } from '../support/watched.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let world: World
let owner: Client
let dealer: Client

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
  dealer = await signedIn(app, await addPerson(app, world.dealer.company.id, 'manager', 'Dora Dealer'))
})

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Readings of some hours of some days, in UTC; `kwh` answers null where there is none. */
async function report(
  panels: readonly string[],
  days: readonly string[],
  kwh: (panel: number, day: number, hour: number) => number | null,
) {
  const readings = days.flatMap((day, d) =>
    panels.flatMap((panel_id, p) =>
      Array.from({ length: 24 }, (_, hour) => hour).flatMap((hour) => {
        const made = kwh(p, d, hour)
        const timestamp = new Date(Date.parse(`${day}T00:00:00Z`) + hour * hourMs).toISOString()
        return made === null ? [] : [{ panel_id, timestamp, kwh: made }]
      }),
    ),
  )
  await send(app, world.installer.key, readings)
}

const daysTo = (last: string, count: number) =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(last) - (count - 1 - i) * dayMs).toISOString().slice(0, 10),
  )
const inSun = (hour: number) => hour >= 8 && hour < 16

const energy = async (id: string, query: string) => {
  const answer = await owner.get(`/monitoring/${id}/energy?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as Series
}

describe('an installation’s energy', () => {
  test('has every hour, and tells a gap from the night and from nothing made', async () => {
    const { installation, panels } = await site(app.database, world.installer, 'UTC')
    const days = daysTo('2026-03-10', 8)
    await report(panels, days, (_panel, day, hour) => {
      if (!inSun(hour) || (day === 5 && hour >= 11 && hour < 13) || day === 6) return null
      return day === 7 ? 0 : 1
    })
    const { buckets } = await energy(installation, 'from=2026-03-08&to=2026-03-10&by=hourly')
    assert.equal(buckets.length, 72)
    const at = (day: number, hour: number) => buckets[day * 24 + hour]!
    assert.deepEqual([at(0, 9).kwh, at(0, 9).gap], [1, undefined])
    assert.deepEqual([at(0, 11).kwh, at(0, 11).gap], [null, 'all'])
    assert.deepEqual([at(0, 3).kwh, at(0, 3).gap], [null, undefined])
    assert.deepEqual([at(1, 9).kwh, at(1, 9).gap, at(1, 3).gap], [null, 'all', undefined])
    assert.deepEqual([at(2, 9).kwh, at(2, 9).gap], [0, undefined])

    const byDay = await energy(installation, 'from=2026-03-01&to=2026-03-10&by=daily')
    assert.deepEqual(
      byDay.buckets.map(({ kwh, gap }) => [kwh, gap]),
      [
        [null, undefined],
        [null, undefined],
        ...Array.from({ length: 5 }, () => [8, undefined]),
        [6, 'some'],
        [null, 'all'],
        [0, undefined],
      ],
    )
    assert.equal(byDay.totalKwh, 46)
    const byMonth = await energy(installation, 'from=2026-03-05&to=2026-03-06&by=monthly')
    assert.deepEqual([byMonth.from, byMonth.to, byMonth.totalKwh], ['2026-03-01', '2026-03-31', 46])
    assert.equal(byMonth.buckets[0]!.gap, 'some')
    const byWeek = await energy(installation, 'from=2026-03-10&to=2026-03-10&by=weekly')
    assert.deepEqual([byWeek.from, byWeek.to], ['2026-03-09', '2026-03-15'])
  })

  test('has days of 23 and of 25 hours', async () => {
    const { installation, panels } = await site(app.database, world.installer, 'America/New_York')
    await report(panels, daysTo('2025-11-04', 6), () => 1)
    await report(panels, daysTo('2026-03-10', 6), () => 1)
    for (const [day, hours] of [
      ['2025-11-02', 25],
      ['2025-11-03', 24],
      ['2026-03-08', 23],
    ] as const) {
      const { buckets } = await energy(installation, `from=${day}&to=${day}&by=hourly`)
      assert.equal(buckets.length, hours, day)
      assert.ok(buckets.every(({ kwh, gap }) => kwh === 1 && !gap))
      assert.ok(buckets.every(({ at }, i) => i === 0 || at - buckets[i - 1]!.at === hourMs / 1000))
    }
  })

  test('is compared with the year before, where both are known', async () => {
    const { installation, panels } = await site(app.database, world.installer, 'UTC', 1, 5)
    await report(panels, daysTo('2025-03-10', 3), (_panel, _day, hour) => (inSun(hour) ? 2 : null))
    await report(panels, daysTo('2026-03-10', 5), (_panel, _day, hour) => (inSun(hour) ? 1 : null))
    const byDay = await energy(installation, 'from=2026-03-06&to=2026-03-10&by=daily&compare=year')
    assert.deepEqual(
      byDay.buckets.map(({ before }) => before),
      [null, null, 16, 16, 16],
    )
    assert.deepEqual(byDay.compared, { kwh: 24, before: 48 })
    const byHour = await energy(installation, 'from=2026-03-10&to=2026-03-10&by=hourly&compare=year')
    assert.deepEqual([byHour.buckets[9]!.before, byHour.buckets[3]!.before], [2, null])
    assert.equal((await energy(installation, 'from=2026-03-10&to=2026-03-10&by=daily')).compared, null)
  })

  test('ends now, and a year by the hour is one answer', async () => {
    const { installation } = await site(app.database, world.installer, 'UTC')
    const now = Date.now()
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
    const { buckets } = await energy(
      installation,
      `from=${day(now - 360 * dayMs)}&to=${day(now + 5 * dayMs)}&by=hourly`,
    )
    assert.ok(buckets.length >= 8_640)
    assert.ok(buckets.at(-1)!.at * 1000 <= Date.now())
    const { from, to, buckets: none } = await energy(installation, 'from=2090-01-01&to=2090-01-05&by=daily')
    assert.deepEqual([none, from, to], [[], '2090-01-01', '2090-01-01'])
  })

  test('is not asked for in vain', async () => {
    const { installation } = await site(app.database, world.installer, 'UTC')
    for (const query of [
      'from=2026-03-02&to=2026-03-01&by=daily',
      'from=2024-03-02&to=2026-03-01&by=hourly',
      'from=1990-03-02&to=2026-03-01&by=monthly',
      'from=2026-02-30&to=2026-03-01&by=daily',
      'from=2026-02-20&to=2026-03-01&by=minute',
      'from=2026-02-20&to=2026-03-01&by=daily&compare=decade',
      'by=daily',
    ])
      assert.equal((await owner.get(`/monitoring/${installation}/energy?${query}`)).status, 400, query)
    assert.equal((await owner.get(`/monitoring/${installation}/panels?from=2026-02-20`)).status, 400)
    assert.equal((await owner.get(`/monitoring/${installation}/alerts?after=now`)).status, 400)
    const query = 'from=0001-01-01&to=0002-01-01&by=daily'
    assert.equal((await owner.get(`/monitoring/${installation}/energy?${query}`)).status, 200)
  })
})

test('panels are compared for their size, and the weak one is marked', async () => {
  const { installation, panels } = await site(app.database, world.installer, 'UTC', 5)
  await app.database.rows('update panels set capacity_kw = 2 where id = $1', [panels[4]])
  await report(panels.slice(0, 5), daysTo('2026-03-10', 3), (panel, _day, hour) =>
    inSun(hour) && panel !== 3 ? (panel === 1 ? 0.5 : panel === 4 ? 2 : 1) : null,
  )
  const { body } = await owner.get(`/monitoring/${installation}/panels?from=2026-01-01&to=2026-03-10`)
  assert.deepEqual(
    body.panels.map(({ percent, odd }: { percent: number; odd: boolean }) => [percent, odd]),
    [
      [100, false],
      [50, true],
      [100, false],
      [null, false],
      [100, false],
    ],
  )
  assert.deepEqual([body.from, body.to, body.more], ['2026-01-01', '2026-03-10', false])
})

describe('alerts', () => {
  test('are found, acknowledged and resolved, and their history says by whom', async () => {
    const { installation, panels } = await site(app.database, world.installer, 'UTC', 6)
    const last = '2026-03-20'
    await report(panels, daysTo(last, 30), (panel, day, hour) =>
      inSun(hour) ? (panel === 2 && day > 26 ? 0 : 1) : null,
    )
    const { installerId } = world.installer.company
    await findAlerts(app.server.deps.db, installerId, new Date(`${last}T20:00:00Z`))
    const alerts = async () => (await owner.get(`/monitoring/${installation}/alerts`)).body
    const { open } = await alerts()
    assert.equal(open.length, 1)
    assert.deepEqual([open[0].type, open[0].panelId, open[0].panelName], ['outage', panels[2], 'Panel'])
    const change = (what: string) => owner.call('POST', `/alerts/${open[0].id}/${what}`)
    assert.equal((await change('acknowledge')).status, 200)
    assert.equal((await change('acknowledge')).status, 400)
    assert.equal((await alerts()).open[0].acknowledgedBy, 'Olga Owner')
    const { body } = await owner.get('/monitoring?kind=outage')
    assert.equal(body.installations[0].id, installation)
    assert.equal((await change('resolve')).status, 200)
    const after = await alerts()
    assert.deepEqual([after.open, after.resolved[0].resolvedBy, after.next], [[], 'Olga Owner', null])
    assert.equal((await owner.get('/monitoring?kind=outage')).body.installations.length, 0)
  })
})

describe('the fleet', () => {
  test('is sorted by trouble and read page by page', async () => {
    const { company } = world.sister
    const client = await signedIn(app, await addPerson(app, company.id, 'owner', 'Sis'))
    const today = new Date().toISOString().slice(0, 10)
    const [fine, silent, high, low] = await Promise.all(
      ['b fine', 'c silent', 'd high', 'e low'].map(async (name) => {
        const made = await site(app.database, world.sister, 'UTC')
        await app.database.rows('update installations set name = $2 where id = $1', [made.installation, name])
        return made
      }),
    )
    const never = await site(app.database, world.sister, 'UTC')
    await report(fine!.panels, daysTo(today, 3), (_panel, day, hour) => (day < 2 && inSun(hour) ? 1 : null))
    await report(silent!.panels, daysTo('2026-03-10', 3), () => 1)
    for (const [{ installation }, severity] of [
      [high!, 'high'],
      [low!, 'low'],
    ] as const)
      await app.database.rows(
        `insert into alerts (installer_id, id, company_id, installation_id, type, severity, status, title, description, recommended_action, triggered_at)
         values ($1, $2, $3, $4, 'data_gap', $5, 'active', 'T', 'D', 'A', now())`,
        [company.installerId, `alrt_${severity}00000000`, company.id, installation, severity],
      )
    // As when alerts are looked for next, which also writes down how bad each one's are.
    await mendTrouble(app.server.deps.db, company.installerId)
    const expected = [high!, low!, silent!, never, fine!].map(({ installation }) => installation)
    const found: string[] = []
    for (let after = ''; ; ) {
      const { status, body } = await client.get(`/monitoring?limit=2${after}`)
      assert.equal(status, 200)
      const page = body as FleetResponse
      found.push(...page.installations.map(({ id }) => id))
      if (page.next === null) break
      after = `&after=${encodeURIComponent(page.next)}`
    }
    assert.deepEqual(found, expected)
    const { installations } = (await client.get('/monitoring?search=B%20FI')).body as FleetResponse
    assert.deepEqual(
      installations.map(({ id, silentDays, severity }) => [id, silentDays, severity]),
      [[fine!.installation, 0, null]],
    )
    assert.deepEqual(installations[0]!.spark.slice(-3), [null, 8, 8])
    const wanted = async (query: string) =>
      (await client.get(`/monitoring?${query}`)).body.installations.length
    assert.deepEqual(
      await Promise.all(['kind=data_gap', 'kind=outage', 'region=XX', 'region=YY', 'search=%25'].map(wanted)),
      [2, 0, 5, 0, 0],
    )
    for (const query of ['limit=0', 'limit=101', 'kind=fire', 'after=1', 'search=%00', 'more=1'])
      assert.equal((await client.get(`/monitoring?${query}`)).status, 400, query)
  })

  test('is the dealer’s own for a dealer', async () => {
    const ours = await site(app.database, world.installer, 'UTC')
    const theirs = await site(app.database, world.dealer, 'UTC')
    const { body } = await dealer.get('/monitoring')
    assert.deepEqual(
      body.installations.map(({ id }: { id: string }) => id),
      [theirs.installation],
    )
    assert.equal((await dealer.get(`/monitoring/${ours.installation}`)).status, 404)
    const read = (await owner.get(`/monitoring/${theirs.installation}`)).body as InstallationResponse
    assert.deepEqual([read.companyId, read.firstDay], [world.dealer.company.id, null])
  })

  test('is what they are on for those who see only their own', async () => {
    const { installer, dealer } = world
    const subcontractor = await addPerson(app, installer.company.id, 'subcontractor', 'Sam Sub')
    const setter = await addPerson(app, dealer.company.id, 'setter', 'Seda Setter')
    const builtBy = async (of: Actors, lead: object, people: object) => {
      const { projectId } = await project(of, lead, people)
      return watchedIn(app.database, of, projectId)
    }
    const mended = await builtBy(installer, {}, { subcontractorId: subcontractor.id })
    const both = await builtBy(dealer, { setterId: setter.id }, { subcontractorId: subcontractor.id })
    const others = await builtBy(dealer, {}, {})
    const unsold = await site(app.database, installer, 'UTC')

    const client = await signedIn(app, subcontractor)
    const listed = async (query = '', by = client) => {
      const { status, body } = await by.get(`/monitoring${query}`)
      assert.equal(status, 200)
      return body.installations.map(({ id }: { id: string }) => id).sort()
    }
    const own = [mended.installationId, both.installationId].sort()
    assert.deepEqual(await listed(), own)
    assert.deepEqual(await listed('?kind=outage&region=XX&search=e'), own)
    assert.deepEqual(await listed('?region=YY'), [])
    const first = (await client.get('/monitoring?limit=1')).body as FleetResponse
    assert.deepEqual(
      [first.installations[0]!.id, ...(await listed(`?after=${encodeURIComponent(first.next!)}`))].sort(),
      own,
    )
    assert.deepEqual((await client.get('/monitoring/summary')).body, {
      regions: ['XX'],
      installations: { count: 2, orMore: false },
      alerts: { count: 2, orMore: false },
    })
    for (const path of ['', '/alerts', '/energy?from=2026-03-01&to=2026-03-02&by=daily'])
      assert.equal((await client.get(`/monitoring/${mended.installationId}${path}`)).status, 200)
    for (const id of [others.installationId, unsold.installation])
      assert.equal((await client.get(`/monitoring/${id}`)).status, 404)

    const seller = await signedIn(app, setter)
    assert.deepEqual(await listed('', seller), [both.installationId])
    assert.equal((await seller.get('/monitoring/summary')).body.installations.count, 1)
    assert.equal((await seller.get(`/monitoring/${mended.installationId}`)).status, 404)

    const change = async (id: string, what: string) =>
      (await client.call('POST', `/alerts/${id}/${what}`)).status
    assert.equal(await change(mended.alertId, 'acknowledge'), 200)
    assert.equal(await change(others.alertId, 'acknowledge'), 404)
    assert.equal(await change(mended.alertId, 'resolve'), 403)
    const { open } = (await owner.get(`/monitoring/${mended.installationId}/alerts`)).body
    assert.equal(open[0].acknowledgedBy, 'Sam Sub')
  })

  test('is summed up', async () => {
    const { body } = await owner.get('/monitoring/summary')
    // What is kept: the tests write records of their own beside it.
    const [counted] = await app.database.rows<{ installations: number; alerts: number }>(
      `select (select coalesce(sum(installations), 0)::int from installation_counts where installer_id = $1) as installations,
         (select sum(alerts)::int from alert_counts where installer_id = $1 and status <> 'resolved') as alerts`,
      [world.installer.company.id],
    )
    assert.ok(counted!.alerts > 0)
    assert.deepEqual(
      [body.installations, body.alerts],
      [
        { count: counted!.installations, orMore: false },
        { count: counted!.alerts, orMore: false },
      ],
    )
  })
})
