// Everything is sent through POST /monitoring/readings as it would arrive, the job looks at set times, and the answers
// are read through GET /monitoring/alerts. What no panel can make is quarantined by the ingest: kept in
// quarantined_readings (installer_id, panel_id, at, microkwh, limit_microkwh, received_at, ...) and in no total, so the
// rule sees a hole in the roll-ups and the reason for it in that table: this is an anomaly, and no data gap besides.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findAlerts } from '../../../src/domain/sites/alerts/find-alerts.ts'
import { startApp } from '../../support/app.ts'
import { learnSizes } from '../../support/energy.ts'
import { createWorld } from '../../support/factories.ts'
import { installation } from '../../support/panels.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const first = Date.UTC(2025, 8, 1)
/** The day on which things go wrong, counted from the first: what is usual is learnt from two weeks. */
const faulty = 19
const lastDay = faulty + 7
const looks = [-0.4, 0.6, 1, 1.6, 2, 2.6, 3.6, 4.6, 6.6].map((days) => (faulty + days) * dayMs)

type Type = 'outage' | 'underperformance' | 'data_gap' | 'anomaly'
type Severity = 'low' | 'medium' | 'high' | 'critical'
interface Alert {
  type: Type
  severity: Severity
  status: string
  installation_id: string
  panel_id: string | null
  members: string[]
  triggered_at: string
}
interface Panel {
  kw?: number
  everyMinutes?: number
  /** kWh that it sends for an interval, from what it truly made; null: it sends nothing. */
  sends?: (kwh: number, day: number, hour: number) => number | null
  /** How long after the end of an interval its reading arrives. */
  sentAfterMs?: (day: number, hour: number) => number
  /** Its first day. */
  since?: number
  /** Leaves the night out instead of sending zeros. */
  byDayOnly?: boolean
}
interface Scene {
  timezone?: string
  panels: Panel[]
  /** The part of a clear day's light that comes through. */
  sky?: (day: number, hour: number) => number
  region?: string
  firstDay?: number
}
const panels = (count: number, like: Panel = {}): Panel[] =>
  Array.from({ length: count }, () => ({ ...like }))
const from =
  (day: number, change: (kwh: number) => number | null): NonNullable<Panel['sends']> =>
  (kwh, d) =>
    d >= day ? change(kwh) : kwh
const onlyOn =
  (day: number, change: (kwh: number) => number | null): NonNullable<Panel['sends']> =>
  (kwh, d) =>
    d === day ? change(kwh) : kwh

/** kW of each kW of capacity: sun from 6 to 18 by the local clock. */
const light = (hour: number) =>
  hour <= 6 || hour >= 18 ? 0 : 0.75 * Math.sin(((hour - 6) / 12) * Math.PI) ** 1.2

const scenes: Record<string, Scene> = {
  whAsKwh: { panels: [{ sends: from(faulty, (kwh) => kwh * 1000) }, ...panels(11)] },
  whAsKwhAlways: { panels: [{ sends: (kwh) => kwh * 1000 }, ...panels(11)] },
  tenfoldForADay: { panels: [{ sends: onlyOn(faulty, (kwh) => kwh * 10) }, ...panels(11)] },
  // Under a dim sky even the tenfold is something that a panel could make: nothing is quarantined.
  tenfoldUnderClouds: {
    panels: [{ sends: from(faulty, (kwh) => kwh * 10) }, ...panels(11)],
    sky: (day) => (day >= faulty ? 0.12 : 1),
  },
  stuck: { panels: [{ sends: from(faulty, () => 0.1) }, ...panels(7)] },
  twoOfFourTooMuch: {
    panels: [...panels(2, { sends: from(faulty, (kwh) => kwh * 1000) }), ...panels(2)],
  },
  twoOfFourTooLittle: { panels: [...panels(2, { sends: from(faulty, (kwh) => kwh * 0.3) }), ...panels(2)] },
  nights: { panels: [...panels(4), ...panels(4, { byDayOnly: true })] },
  oneDead: { panels: [{ sends: from(faulty, () => 0) }, ...panels(7)] },
  oneNegative: { panels: [{ sends: from(faulty, (kwh) => -kwh - 0.001) }, ...panels(7)] },
  gridOutage: { panels: panels(8, { sends: from(faulty, () => 0) }) },
  snow: { panels: panels(8), sky: (day) => (day >= faulty ? 0.02 : 1), region: 'XX-SNOW' },
  snowNextDoor: { panels: panels(1), sky: (day) => (day >= faulty ? 0.02 : 1), region: 'XX-SNOW' },
  fog: { panels: panels(8), sky: (day, hour) => (day >= faulty && hour < 13 ? 0.05 : 1), region: 'XX-FOG' },
  darkenedByDegrees: { panels: panels(8), sky: (day) => Math.max(0.1, 1 - day / 40) },
  nightlyUpload: {
    panels: panels(6, { sentAfterMs: (_, hour) => (26 - hour) * hourMs }),
  },
  nightlyUploadSkipped: {
    panels: panels(6, { sentAfterMs: (day, hour) => (26 - hour) * hourMs + (day === faulty ? dayMs : 0) }),
  },
  dailyTotals: { panels: panels(6, { everyMinutes: 1440, sentAfterMs: () => 2 * hourMs }) },
  dailyTotalSkipped: {
    panels: panels(6, {
      everyMinutes: 1440,
      sentAfterMs: (day) => 2 * hourMs + (day === faulty ? dayMs : 0),
    }),
  },
  silentForGood: { panels: panels(6, { sends: from(faulty, () => null) }) },
  mixed: {
    panels: [
      ...panels(3),
      ...panels(3, { kw: 0.25, everyMinutes: 15 }),
      { kw: 5, everyMinutes: 60 },
      { kw: 5, everyMinutes: 1440, sentAfterMs: () => 2 * hourMs },
    ],
  },
  mixedOneWh: {
    panels: [
      { kw: 0.25, everyMinutes: 15, sends: from(faulty, (kwh) => kwh * 1000) },
      ...panels(3),
      ...panels(3, { kw: 5, everyMinutes: 1440, sentAfterMs: () => 2 * hourMs }),
    ],
  },
  addedYesterday: { panels: [...panels(7), { since: faulty - 1 }] },
  addedYesterdayInWh: { panels: [...panels(7), { since: faulty - 1, sends: (kwh) => kwh * 1000 }] },
  alone: { panels: panels(1) },
  aloneInWh: { panels: panels(1, { sends: from(faulty, (kwh) => kwh * 1000) }) },
  aloneUnderClouds: { panels: panels(1), sky: (day) => (day % 3 === 0 ? 0.1 : 1) },
  // The clocks go back on day 55 in Europe and on day 62 in America; the looks are moved there.
  clocksBackBerlin: {
    timezone: 'Europe/Berlin',
    panels: [...panels(4), ...panels(4, { everyMinutes: 15 })],
    firstDay: 55 - faulty,
  },
  clocksBackNewYork: {
    timezone: 'America/New_York',
    panels: [...panels(4), ...panels(2, { everyMinutes: 1440, kw: 3, sentAfterMs: () => 2 * hourMs })],
    firstDay: 62 - faulty,
  },
}

const app = await startApp()
const { installer } = await createWorld(app.database.db)
const ids = new Map<string, { site: string; panels: string[] }>()
let alerts: Alert[] = []
/** Of the alerts of a scene, as they stood after each look. */
const history: Alert[][] = []
const rejected: { message: string }[] = []

interface Planned {
  sentAt: number
  panel_id: string
  timestamp: string
  kwh: number
}

const offsets = new Map<string, number>()

/** Clocks change at full hours. */
function offsetMs(timezone: string, ms: number): number {
  if (timezone === 'UTC') return 0
  const hour = `${timezone} ${Math.floor(ms / hourMs)}`
  const known = offsets.get(hour)
  if (known !== undefined) return known
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone)
  offsets.set(hour, offsetNanoseconds / 1e6)
  return offsetNanoseconds / 1e6
}

/** Times are moved back by the scene's first day, so that every scene goes wrong at the same looks. */
function planned(scene: Scene, panel: Panel, id: string): Planned[] {
  const { timezone = 'UTC', sky = () => 1, firstDay = 0 } = scene
  const { kw = 0.4, everyMinutes = 60, sends = (kwh) => kwh, sentAfterMs = () => 0, since = 0 } = panel
  const stepMs = everyMinutes * 60_000
  const made: Planned[] = []
  const start = first + firstDay * dayMs
  const zero = start - offsetMs(timezone, start)
  for (let at = zero + since * dayMs; at < zero + lastDay * dayMs; ) {
    const local = at + offsetMs(timezone, at)
    const day = Math.floor((local - start) / dayMs)
    const hour = (local % dayMs) / hourMs
    // A total of a day is a total of its own local day: 23 or 25 hours at the change of clocks.
    const next = everyMinutes === 1440 ? nextMidnight(timezone, at) : at + stepMs
    let kwh = 0
    for (let t = at; t < next; t += 300_000) {
      const h = ((t + offsetMs(timezone, t)) % dayMs) / hourMs
      kwh += kw * light(h) * sky(day, h) * (300_000 / hourMs)
    }
    const sent = sends(Math.round(kwh * 1e6) / 1e6, day, hour)
    if (sent !== null && !(panel.byDayOnly && kwh === 0)) {
      const sentAt = next + sentAfterMs(day, hour) - zero
      made.push({ sentAt, panel_id: id, timestamp: new Date(at).toISOString(), kwh: sent })
    }
    at = next
  }
  return made
}

function nextMidnight(timezone: string, ms: number): number {
  const here = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone)
  return here.startOfDay().add({ days: 1 }).epochMilliseconds
}

/** Scenes whose clock begins elsewhere belong to tenants of their own, looked at at their own times. */
const moved = (scene: Scene) => scene.firstDay !== undefined

async function play(names: string[], owner: typeof installer, zeroOf: (name: string) => number) {
  const waiting: Planned[] = []
  for (const name of names) {
    const scene = scenes[name]!
    const site = await installation(app, owner, {
      name,
      region: scene.region ?? `XX-${names.indexOf(name)}`,
      timezone: scene.timezone ?? 'UTC',
    })
    const made: string[] = []
    for (const [i, panel] of scene.panels.entries()) {
      const body = { name: `${name} ${i}`, capacity_kw: panel.kw ?? 0.4, installation_id: site }
      const answer = await app.call('POST', '/catalog/v1/panels', { key: owner.key, body })
      made.push(answer.body.id)
      waiting.push(...planned(scene, panel, answer.body.id))
    }
    ids.set(name, { site, panels: made })
  }
  waiting.sort((a, b) => a.sentAt - b.sentAt)
  let sent = 0
  for (const look of looks) {
    while (sent < waiting.length && waiting[sent]!.sentAt <= look) {
      const readings: Omit<Planned, 'sentAt'>[] = []
      while (readings.length < 2_000 && sent < waiting.length && waiting[sent]!.sentAt <= look) {
        const { sentAt: _, ...reading } = waiting[sent++]!
        readings.push(reading)
      }
      const send = () =>
        app.call('POST', '/catalog/v1/monitoring/readings', { key: owner.key, body: { readings } })
      let answer = await send()
      // A machine that is busy with other tests may say that it is; sending the same again changes nothing.
      for (let again = 0; again < 5 && answer.status === 503; again++) answer = await send()
      assert.equal(answer.status, 200, answer.text)
      rejected.push(...answer.body.rejected)
      if (sent === readings.length) await learnSizes(app.database)
    }
    if (look === looks[0]) await learnSizes(app.database)
    await findAlerts(app.database.db, owner.company.id, new Date(zeroOf(names[0]!) + look))
    history.push(await listed(owner.key))
  }
}

async function listed(key: string): Promise<Alert[]> {
  const found: Alert[] = []
  for (let page = 1; ; page++) {
    const { body } = await app.get(`/catalog/v1/monitoring/alerts?per_page=100&page=${page}`, key)
    found.push(...body.data)
    if (body.data.length < 100) return found
  }
}

before(async () => {
  const names = Object.keys(scenes)
  const usual = names.filter((name) => !moved(scenes[name]!))
  await play(usual, installer, () => first)
  alerts = await listed(installer.key)
  for (const name of names.filter((one) => moved(scenes[one]!))) {
    const { timezone = 'UTC', firstDay = 0 } = scenes[name]!
    const start = first + firstDay * dayMs
    // A tenant for each: looked at at another's times, its readings would have ended.
    const { installer: own } = await createWorld(app.database.db)
    await play([name], own, () => start - offsetMs(timezone, start))
    alerts.push(...(await listed(own.key)))
  }
})

/** What was ever raised in a scene: type and the number of each panel that it is about, or `site`. */
function raised(name: string): string[] {
  const { site, panels: own } = ids.get(name)!
  return alerts
    .filter((alert) => alert.installation_id === site)
    .flatMap(({ type, members }) =>
      members.length === 0 ? [`${type} site`] : members.map((id) => `${type} ${own.indexOf(id)}`),
    )
    .sort()
}
const ofScene = (name: string) => alerts.filter((alert) => alert.installation_id === ids.get(name)!.site)
const rank: Severity[] = ['low', 'medium', 'high', 'critical']

describe('one faulty sensor makes nobody else faulty', () => {
  test('Wh sent as kWh is an anomaly of that panel, and one alert', () => {
    assert.deepEqual(raised('whAsKwh'), ['anomaly 0'])
    assert.deepEqual(raised('whAsKwhAlways'), ['anomaly 0'])
    assert.deepEqual(raised('mixedOneWh'), ['anomaly 0'])
    assert.deepEqual(raised('addedYesterdayInWh'), ['anomaly 7'])
  })
  test('tenfold for a day', () => {
    assert.deepEqual(raised('tenfoldForADay'), ['anomaly 0'])
  })
  test('too much for its neighbours, though a panel could make it', () => {
    assert.deepEqual(raised('tenfoldUnderClouds'), ['anomaly 0'])
  })
  test('stuck at one figure by day and night', () => {
    assert.deepEqual(raised('stuck'), ['anomaly 0'])
  })
  test('two of four: neither side is taken for the measure because it is half', () => {
    assert.deepEqual(raised('twoOfFourTooMuch'), ['anomaly 0', 'anomaly 1'])
    assert.deepEqual(raised('twoOfFourTooLittle'), ['underperformance 0', 'underperformance 1'])
    // What began together has one cause and is one alert.
    for (const name of ['twoOfFourTooMuch', 'twoOfFourTooLittle']) {
      assert.equal(ofScene(name).length, 1)
      assert.equal(ofScene(name)[0]!.panel_id, null)
    }
  })
  test('a single panel is held against what it can make', () => {
    assert.deepEqual(raised('aloneInWh'), ['anomaly 0'])
  })
})

describe('what is really out is still told', () => {
  test('one dead panel, by its type and not by a gap', () => {
    assert.deepEqual(raised('oneDead'), ['outage 0'])
    const [alert] = ofScene('oneDead')
    assert.ok(Date.parse(alert!.triggered_at) <= first + (faulty + 2) * dayMs, 'told within two days')
  })
  test('negative values are refused one by one, and the panel is missed', () => {
    assert.ok(rejected.length > 0)
    assert.ok(rejected.every(({ message }) => message.startsWith('kwh ')))
    assert.deepEqual(raised('oneNegative'), ['data_gap 0'])
  })
  test('a whole site without grid is one alert, critical', () => {
    assert.deepEqual(raised('gridOutage'), ['outage site'])
    assert.equal(ofScene('gridOutage')[0]!.severity, 'critical')
  })
  test('a site that falls silent for good is one data gap, and no outage', () => {
    assert.deepEqual(raised('silentForGood'), ['data_gap site'])
  })
})

describe('weather and habits raise nothing', () => {
  for (const name of [
    ...[
      'nights',
      'snow',
      'snowNextDoor',
      'fog',
      'darkenedByDegrees',
      'nightlyUpload',
      'dailyTotals',
      'mixed',
    ],
    ...['addedYesterday', 'alone', 'aloneUnderClouds', 'clocksBackBerlin', 'clocksBackNewYork'],
  ])
    test(name, () => assert.deepEqual(raised(name), []))
})

describe('a skipped nightly upload', () => {
  for (const name of ['nightlyUploadSkipped', 'dailyTotalSkipped'])
    test(`${name}: at most a data gap of the site, less severe than an outage, gone once it caught up`, () => {
      assert.ok(
        raised(name).every((one) => one === 'data_gap site'),
        raised(name).join(),
      )
      assert.ok(raised(name).length <= 1, raised(name).join())
      const ever = history.flat().filter((alert) => alert.installation_id === ids.get(name)!.site)
      for (const { severity } of ever) assert.ok(rank.indexOf(severity) <= rank.indexOf('medium'), severity)
      assert.ok(ofScene(name).every(({ status }) => status === 'resolved'))
    })
  test('an outage of the same age is worse', () => {
    const worst = (name: string) => Math.max(...ofScene(name).map(({ severity }) => rank.indexOf(severity)))
    assert.ok(worst('gridOutage') > worst('nightlyUploadSkipped'))
  })
})
