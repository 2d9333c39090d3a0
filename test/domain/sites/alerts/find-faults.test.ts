import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '../../../../src/domain/sites/alerts/alert.ts'
import type { MeasuredInstallation } from '../../../../src/domain/sites/alerts/measured-installation.ts'
import { as, during, type Part, site, time } from './roof.ts'
import { look } from './watch.ts'

/** The alerts after looking every so many hours. */
function alertsOf(watched: MeasuredInstallation, fromDay: number, toDay: number, everyHours = 6): Alert[] {
  const alerts: Alert[] = []
  for (let hours = fromDay * 24; hours <= toDay * 24; hours += everyHours)
    look(watched, alerts, time(0, hours))
  return alerts
}
const said = ({ type, panelId, severity, status }: Alert) => [type, panelId, severity, status]
const healthy = [as(1), as(1), as(1), as(1)]

test('60 % of its siblings for three days raises an alert, for two does not', () => {
  assert.deepEqual(alertsOf(site([...healthy, during(20, 22, 0.6)]), 18, 30), [])
  const [alert, ...more] = alertsOf(site([...healthy, during(20, 23, 0.6)]), 18, 23)
  assert.deepEqual(more, [])
  assert.deepEqual(said(alert!), ['underperformance', 'p4', 'medium', 'active'])
  assert.equal(alert!.triggeredAt.toISOString(), time(23).toISOString())
  assert.equal(alert!.title, 'Panel 4: output 40% below normal')
  assert.match(alert!.description, /Since Sep 21, 2026,/)
  assert.match(alert!.recommendedAction, /dirt/)
})

test('60 % from its first day on raises an alert too, on the third', () => {
  const alerts = alertsOf(site([...healthy, as(0.6)]), 1, 39)
  assert.deepEqual(alerts.map(said), [['underperformance', 'p4', 'high', 'active']])
  assert.equal(alerts[0]!.triggeredAt.toISOString(), time(3).toISOString())
})

test('a panel that was always weaker is as usual, and is held against what is usual for it', () => {
  const shaded = (left: number): Part => {
    return (day) => (day >= 25 ? left : 0.76)
  }
  assert.deepEqual(alertsOf(site([...healthy, shaded(0.76)]), 1, 39), [])
  assert.deepEqual(alertsOf(site([...healthy, shaded(0.45)]), 1, 30).map(said), [
    ['underperformance', 'p4', 'medium', 'active'],
  ])
})

test('days on which siblings made little say nothing', () => {
  const dark = (day: number) => (day >= 20 ? 0.15 : 1)
  assert.deepEqual(alertsOf(site([...healthy, during(20, 40, 0.6)], 40, dark), 18, 39), [])
})

test('a loss of a fifth needs a week and is of low severity, which rises with time', () => {
  const watched = site([...healthy, during(20, 40, 0.8)])
  assert.deepEqual(alertsOf(watched, 18, 26), [])
  assert.deepEqual(alertsOf(watched, 18, 27).map(said), [['underperformance', 'p4', 'low', 'active']])
  assert.deepEqual(alertsOf(watched, 18, 36).map(said), [['underperformance', 'p4', 'medium', 'active']])
})

test('each opens once over 96 runs a day, resolves when cleared, and recurs as a new one', () => {
  const twice: Part = (day) => ((day >= 15 && day < 22) || (day >= 30 && day < 36) ? 0.5 : 1)
  const alerts = alertsOf(site([...healthy, twice]), 10, 39, 0.25)
  assert.deepEqual(alerts.map(said), [
    ['underperformance', 'p4', 'high', 'resolved'],
    ['underperformance', 'p4', 'high', 'resolved'],
  ])
  assert.deepEqual(
    alerts.map(({ triggeredAt, resolvedAt }) => [triggeredAt, resolvedAt]),
    [
      [time(18), time(24)],
      [time(33), time(38)],
    ],
  )
})

test('an outage is told within hours, not at night, and ends when the panel makes energy again', () => {
  const out: Part = (day, hour) => (day === 20 && hour >= 10 ? 0 : day === 21 ? 0 : 1)
  const alerts = alertsOf(site([...healthy, out]), 15, 30, 0.25)
  assert.deepEqual(alerts.map(said), [['outage', 'p4', 'medium', 'resolved']])
  assert.equal(alerts[0]!.triggeredAt.toISOString(), time(20, 14).toISOString())
  assert.match(alerts[0]!.description, /since Sep 21, 2026, 10 AM/)
  assert.equal(alerts[0]!.resolvedAt!.toISOString(), time(22, 8).toISOString())
})

test('a panel that a tree puts out every afternoon is not out', () => {
  const tree: Part = (_, hour) => (hour >= 13 ? 0.01 : 1)
  const alerts = alertsOf(site([...healthy, tree]), 3, 39, 1)
  assert.deepEqual(
    alerts.filter(({ type }) => type === 'outage'),
    [],
  )
})

test('a whole installation that makes nothing is one critical alert, with one panel and with many', () => {
  for (const size of [1, 5]) {
    const out: Part = (day, hour) => (day > 25 || (day === 25 && hour >= 9) ? 0 : 1)
    const alerts = alertsOf(site(Array.from({ length: size }, () => out)), 10, 30, 1)
    assert.deepEqual(alerts.map(said), [['outage', null, 'critical', 'active']])
    assert.equal(alerts[0]!.triggeredAt.toISOString(), time(25, 13).toISOString())
  }
})

test('many panels out at once are one alert of high severity', () => {
  const alerts = alertsOf(site([...healthy, during(20, 40, 0), during(20, 40, 0)]), 15, 21)
  assert.deepEqual(alerts.map(said), [['outage', null, 'high', 'active']])
  assert.deepEqual(alerts[0]!.memberIds, ['p4', 'p5'])
})

test('a data gap is told after 26 hours, of the whole installation once, and ends with the next reading', () => {
  const silent: Part = (day, hour) => (day === 20 ? (hour < 12 ? 1 : null) : day > 20 && day < 26 ? null : 1)
  const one = alertsOf(site([...healthy, silent]), 15, 30, 1)
  assert.deepEqual(one.map(said), [['data_gap', 'p4', 'medium', 'resolved']])
  assert.equal(one[0]!.triggeredAt.toISOString(), time(21, 15).toISOString())
  assert.equal(one[0]!.resolvedAt!.toISOString(), time(26, 1).toISOString())
  const all = alertsOf(site([silent, silent, silent]), 15, 30, 1)
  assert.deepEqual(all.map(said), [['data_gap', null, 'high', 'resolved']])
})

test('silence shorter than a day and panels that never reported raise nothing', () => {
  const night: Part = (day, hour) => (day === 20 && hour > 2 ? null : 1)
  assert.deepEqual(alertsOf(site([...healthy, night]), 15, 30, 1), [])
  assert.deepEqual(alertsOf(site([...healthy, () => null]), 1, 30), [])
  assert.deepEqual(alertsOf(site([() => null]), 1, 30), [])
})

test('an alert stays open while nothing can be said, and ends when its panel is taken out of service', () => {
  const weakThenSilent: Part = (day) => (day >= 26 ? null : day >= 20 ? 0.5 : 1)
  const watched = site([...healthy, weakThenSilent])
  const alerts = alertsOf(watched, 18, 30)
  assert.deepEqual(alerts.map(said), [
    ['underperformance', 'p4', 'high', 'active'],
    ['data_gap', 'p4', 'medium', 'active'],
  ])
  look({ ...watched, panels: watched.panels.slice(0, 4) }, alerts, time(31))
  assert.deepEqual(
    alerts.map(({ status }) => status),
    ['resolved', 'resolved'],
  )
})

test('resolved by hand and not mended, it is told again only after as much new evidence', () => {
  const watched = site([...healthy, during(20, 40, 0.6)])
  const alerts = alertsOf(watched, 18, 23)
  Object.assign(alerts[0]!, { status: 'resolved', resolvedAt: time(23, 9) })
  for (let hour = 10; hour < 24 * 7; hour++) look(watched, alerts, time(23, hour))
  assert.deepEqual(
    alerts.map(({ triggeredAt }) => triggeredAt),
    [time(23), time(27)],
  )
})

test('one panel alone is held against its own season a year ago', () => {
  const fell =
    (to: number): Part =>
    (day) =>
      day >= 360 ? to : 1
  const weatherly = (day: number) => (day % 3 === 0 ? 1 : 0.4)
  assert.deepEqual(alertsOf(site([fell(0.9)], 390, weatherly), 382, 389), [])
  assert.deepEqual(alertsOf(site([fell(0.5)], 390, weatherly), 382, 389).map(said), [
    ['underperformance', null, 'high', 'active'],
  ])
})

test('nothing after the asked time is looked at', () => {
  const watched = site([...healthy, during(20, 40, 0)])
  assert.deepEqual(alertsOf(watched, 20, 20), [])
  const early: Alert[] = []
  look(watched, early, time(20, 10))
  assert.deepEqual(early, [])
})
