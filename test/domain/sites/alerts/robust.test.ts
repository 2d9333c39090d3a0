import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Alert, panelsOf } from '../../../../src/domain/sites/alerts/alert.ts'
import type {
  DayTotal,
  Hours,
  MeasuredInstallation,
  MeasuredPanel,
} from '../../../../src/domain/sites/alerts/measured-installation.ts'
import { neighbourhoodOf, neighboursOf } from '../../../../src/domain/sites/alerts/neighbourhood.ts'
import { together } from './fleet.ts'
import { as, during, type Part, site, time } from './roof.ts'
import { look } from './watch.ts'

function alertsOf(watched: MeasuredInstallation, fromDay: number, toDay: number, everyHours = 3): Alert[] {
  const alerts: Alert[] = []
  for (let hours = fromDay * 24; hours <= toDay * 24; hours += everyHours)
    look(watched, alerts, time(0, hours))
  return alerts
}
const said = (alert: Alert) => [alert.type, panelsOf(alert).join(), alert.status]
const healthy = (count: number) => Array.from({ length: count }, () => as(1))
const from = (day: number, left: number | null): Part => during(day, 99, left)

/** The same with what one panel says changed, hour by hour. */
function saying(
  watched: MeasuredInstallation,
  index: number,
  says: (kwh: number | null, day: number, hour: number, hours: Hours) => number | null,
): MeasuredInstallation {
  const first = time(0).getTime() / 86_400_000
  const panels = watched.panels.map((panel, i): MeasuredPanel => {
    if (i !== index) return panel
    const days = new Map<number, DayTotal>()
    const all = new Map<number, Hours>()
    for (const [day, hours] of panel.hours) {
      const said = hours.map((kwh, hour) => says(kwh, day - first, hour, hours))
      const known = said.filter((kwh) => kwh !== null)
      if (known.length === 0) continue
      all.set(day, said)
      days.set(day, { kwh: known.reduce((a, b) => a + b, 0), readings: known.length })
    }
    return { ...panel, days, hours: all }
  })
  return { ...watched, panels, made: together(panels) }
}

test('a sensor that sends too much by far is an anomaly, and its neighbours are well', () => {
  for (const times of [3, 10, 1_000]) {
    const watched = site([...healthy(11), during(20, 30, times)])
    const alerts = alertsOf(watched, 18, 34)
    assert.deepEqual(alerts.map(said), [['anomaly', 'p11', 'resolved']], String(times))
    assert.match(alerts[0]!.title, /^Panel 11: implausible readings$/)
    assert.match(alerts[0]!.description, /Since Sep 21, 2026, .* far more than its siblings/)
  }
})

test('with two panels, or half of them at fault, it is still the faulty that are named, together', () => {
  assert.deepEqual(alertsOf(site([as(1), from(20, 1_000)]), 18, 26).map(said), [['anomaly', 'p1', 'active']])
  const [alert, ...more] = alertsOf(site([...healthy(2), from(20, 4), from(20, 4)]), 18, 26)
  assert.deepEqual(more, [])
  assert.deepEqual(said(alert!), ['anomaly', 'p2,p3', 'active'])
  assert.equal(alert!.panelId, null)
  assert.deepEqual(alertsOf(site([...healthy(2), from(20, 0.3), from(20, 0.3)]), 18, 26).map(said), [
    ['underperformance', 'p2,p3', 'active'],
  ])
})

test('a new panel that sends too much is told without a past of its own', () => {
  const added: Part = (day) => (day < 25 ? null : 1_000)
  assert.deepEqual(alertsOf(site([...healthy(5), added]), 24, 30).map(said), [['anomaly', 'p5', 'active']])
})

test('stuck at a figure, making energy at night, or a steady thousandth are anomalies and no outage', () => {
  const whole = site(healthy(8))
  const stuck = saying(whole, 3, (kwh, day) => (day >= 20 ? 0.1 : kwh))
  assert.deepEqual(alertsOf(stuck, 18, 25).map(said), [['anomaly', 'p3', 'active']])
  const alone = saying(site([as(1)]), 0, (kwh, day) => (day >= 20 ? 0.1 : kwh))
  assert.deepEqual(alertsOf(alone, 18, 25).map(said), [['anomaly', 'p0', 'active']])
  const shifted = saying(whole, 3, (kwh, day, hour, hours) => (day >= 20 ? hours[(hour + 14) % 24]! : kwh))
  assert.deepEqual(alertsOf(shifted, 18, 38).map(said), [['anomaly', 'p3', 'active']])
  const inMwh = saying(whole, 3, (kwh, day) => (day >= 20 ? kwh! / 1_000 : kwh))
  const alerts = alertsOf(inMwh, 18, 38)
  assert.deepEqual(alerts.map(said), [['anomaly', 'p3', 'active']])
  assert.match(alerts[0]!.recommendedAction, /unit/)
})

test('a sensor that is stuck does not hide that the whole installation is out', () => {
  const watched = saying(
    site([
      ...healthy(7).map((): Part => (day, hour) => (day > 25 || (day === 25 && hour > 9) ? 0 : 1)),
      as(1),
    ]),
    7,
    (kwh, day) => (day >= 22 ? 0.1 : kwh),
  )
  assert.deepEqual(alertsOf(watched, 20, 29).map(said), [
    ['anomaly', 'p7', 'active'],
    ['outage', '', 'active'],
  ])
})

test('the one healthy panel among many that are out is no anomaly', () => {
  const out: Part = (day, hour) => (day > 20 || (day === 20 && hour >= 12) ? 0 : 1)
  const alerts = alertsOf(site([...Array.from({ length: 7 }, () => out), as(1)]), 18, 30)
  assert.deepEqual(alerts.map(said), [['outage', 'p0,p1,p2,p3,p4,p5,p6', 'active']])
  assert.equal(alerts[0]!.severity, 'high')
})

test('what is in quarantine is an anomaly, no gap, and is over after a day that can be', () => {
  const sends = (left: Part, quarantined: [day: number, readings: number][]): MeasuredInstallation => {
    const whole = site([...healthy(5), left])
    const first = time(0).getTime() / 86_400_000
    const last = quarantined.at(-1)![0]
    return {
      ...whole,
      panels: whole.panels.map((panel, i) =>
        i === 5
          ? {
              ...panel,
              quarantined: new Map(quarantined.map(([day, readings]) => [first + day, readings])),
              quarantinedAt: time(last, 17),
            }
          : panel,
      ),
    }
  }
  const silent: Part = (day) => (day >= 20 && day < 24 ? null : 1)
  const days: [number, number][] = [20, 21, 22, 23].map((day) => [day, 12])
  const alerts: Alert[] = []
  // What came by then, as the job sees it.
  for (let hours = 18 * 24; hours <= 28 * 24; hours += 3) {
    const known = days.filter(([day]) => day * 24 + 18 <= hours)
    const seen = known.length === 0 ? site([...healthy(5), as(1)]) : sends(silent, known)
    look(seen, alerts, time(0, hours))
  }
  assert.deepEqual(alerts.map(said), [['anomaly', 'p5', 'resolved']])
  assert.match(alerts[0]!.description, /more than its capacity can produce/)
  // One that went wrong once is in quarantine, and no more is to be done.
  assert.deepEqual(alertsOf(sends(as(1), [[22, 1]]), 22, 24), [])
})

test('panels that go out together are one alert, what joins is told on it, and all must be well', () => {
  const watched = site([
    ...healthy(6),
    during(20, 28, 0),
    during(20, 30, 0),
    // Another cause, and another alert.
    during(24, 30, 0),
  ])
  const alerts: Alert[] = []
  const at = (day: number, hour = 0) => look(watched, alerts, time(day, hour))
  at(20, 13)
  assert.deepEqual(alerts.map(said), [['outage', 'p6,p7', 'active']])
  assert.match(alerts[0]!.title, /^2 panels: no production$/)
  assert.match(
    alerts[0]!.description,
    /^Panel 6 and Panel 7 of Roof have reported no output since Sep 21, 2026/,
  )
  for (let hour = 14; hour < 24 * 20; hour += 3) at(20, hour)
  assert.deepEqual(alerts.map(said), [
    ['outage', 'p6,p7', 'resolved'],
    ['outage', 'p8', 'resolved'],
  ])
  assert.equal(alerts[0]!.resolvedAt!.toISOString().slice(0, 10), time(30).toISOString().slice(0, 10))
})

test('a panel that is found later, of the same hour, joins the alert that is open', () => {
  const late = site([...healthy(6), from(20, 0), from(20, 0)])
  const alerts: Alert[] = []
  // At first the second has not sent its readings.
  look(
    saying(late, 7, (kwh, day) => (day >= 20 ? null : kwh)),
    alerts,
    time(20, 15),
  )
  assert.deepEqual(alerts.map(said), [['outage', 'p6', 'active']])
  const [{ id }] = alerts as [Alert]
  look(late, alerts, time(20, 16))
  assert.deepEqual(alerts.map(said), [['outage', 'p6,p7', 'active']])
  assert.deepEqual([alerts[0]!.id, alerts[0]!.version], [id, 2])
})

test('a whole site’s silence is noted, and becomes worse by the day, but never as bad as an outage', () => {
  const silent: Part = (day, hour) => (day > 20 || (day === 20 && hour > 12) ? null : 1)
  const watched = site([silent, silent, silent])
  const severities = [22, 26, 38].map((day) => alertsOf(watched, 18, day).map(({ severity }) => severity))
  assert.deepEqual(severities, [['medium'], ['high'], ['high']])
})

const made = (watched: MeasuredInstallation) => watched.made

test('snow on every roof of the neighbourhood raises nothing, on one of them it is an outage', () => {
  // From a dark morning on nothing at all, for a week.
  const snow: Part = (day) => (day >= 20 && day < 27 ? 0 : 1)
  const under = site(healthy(8).map(() => snow))
  const snowy = [1, 2, 3].map(() => made(site([snow, snow])))
  const sunny = [1, 2, 3].map(() => made(site(healthy(2))))
  assert.deepEqual(alertsOf({ ...under, neighbours: snowy }, 18, 30), [])
  assert.deepEqual(
    alertsOf({ ...under, neighbours: [...snowy.slice(1), made(site([as(1_000)]))] }, 18, 30),
    [],
  )
  assert.deepEqual(alertsOf({ ...under, neighbours: sunny }, 18, 30).map(said), [['outage', '', 'resolved']])
  // Neighbours cannot excuse what fell from full sun to nothing within an hour.
  const cut: Part = (day, hour) => (day > 20 || (day === 20 && hour >= 11) ? 0 : 1)
  const dark = [1, 2].map(() => made(site([cut, cut])))
  assert.deepEqual(alertsOf({ ...site([cut, cut, cut]), neighbours: dark }, 18, 23).map(said), [
    ['outage', '', 'active'],
  ])
})

test('snow that melts from one panel after the other raises nothing; what stays out for days is told', () => {
  const until =
    (day: number): Part =>
    (now) =>
      now >= 20 && now < day ? 0 : 1
  const under = site([until(23), until(23), until(23), until(24), until(25), until(25)])
  const neighbours = [made(site([until(23)])), made(site([until(24)]))]
  assert.deepEqual(alertsOf({ ...under, neighbours }, 18, 32), [])
  const broken = site([until(23), until(23), until(23), until(24), until(25), until(40)])
  assert.deepEqual(alertsOf({ ...broken, neighbours }, 18, 32).map(said), [['outage', 'p5', 'active']])
})

test('a season that is dull for all its neighbours is not the site’s fault', () => {
  const dull: Part = (day) => (day >= 360 ? 0.5 : 1)
  const watched = site([dull], 390)
  assert.equal(alertsOf(watched, 382, 386, 24).length, 1)
  const neighbours = [1, 2, 3].map(() => made(site([dull], 390)))
  assert.deepEqual(alertsOf({ ...watched, neighbours }, 382, 386, 24), [])
})

test('neighbours are those of the same postal area, where there are some', () => {
  const place = (id: string, address: string, region = 'US-CA') => ({
    ...{ id, address, region },
    timezone: 'America/Los_Angeles',
  })
  const tahoe = place('t', '9 Ski Run Blvd, South Lake Tahoe, CA 96150')
  const near = [place('a', '1 Pine St, Tahoma, CA 96142'), place('b', '2 Pine St, Tahoma, CA 96142, USA')]
  const far = [place('c', '1 Market St, San Diego, CA 92101'), place('d', 'no code')]
  assert.deepEqual(neighboursOf(tahoe, neighbourhoodOf([tahoe, ...near, ...far])), ['a', 'b'])
  assert.deepEqual(neighboursOf(tahoe, neighbourhoodOf([tahoe, near[0]!, ...far])), ['a', 'c', 'd'])
  assert.deepEqual(neighboursOf(tahoe, neighbourhoodOf([place('x', near[0]!.address, 'US-NV')])), [])
})
