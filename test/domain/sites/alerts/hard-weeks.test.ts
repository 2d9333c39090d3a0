import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Alert, panelsOf } from '../../../../src/domain/sites/alerts/alert.ts'
import type { MeasuredInstallation } from '../../../../src/domain/sites/alerts/measured-installation.ts'
import { as, type Part, site, time } from './roof.ts'
import { look } from './watch.ts'

const days = 60
const said = ({ type, status, ...alert }: Alert) => [type, panelsOf(alert as Alert).join(), status]

/** What is raised at each of them, which are each other's neighbours, looked at every few hours. */
function watched(region: MeasuredInstallation[], fromDay: number, toDay: number): Alert[][] {
  const neighbourhood = region.map((one) => ({
    ...one,
    neighbours: region.filter((other) => other !== one).map(({ made }) => made),
  }))
  return neighbourhood.map((one) => {
    const alerts: Alert[] = []
    for (let hours = fromDay * 24; hours <= toDay * 24; hours += 3) look(one, alerts, time(0, hours))
    return alerts
  })
}
const roof = (count: number, part: Part) =>
  site(
    Array.from({ length: count }, () => part),
    days,
  )
/** The same for everybody who asks, and as good as random. */
const noise = (...seed: number[]) => {
  const x = Math.sin(seed.reduce((sum, n, i) => sum + n * (12.9898 + 65.233 * i), 1)) * 43758.5453
  return x - Math.floor(x)
}

describe('weeks that are hard on a whole region raise nothing', () => {
  const sizes = [1, 1, 2, 4, 6, 12, 12, 20]

  test('snow for ten days, which lies longer on some roofs', () => {
    const region = sizes.map((size, i) => roof(size, (day) => (day >= 20 && day < 30 + (i % 3) ? 0 : 1)))
    for (const [i, alerts] of watched(region, 18, 45).entries())
      assert.deepEqual(alerts.map(said), [], `${i}`)
  })

  test('snow through which a little gets, other on every roof and day', () => {
    const region = sizes.map((size, i) =>
      roof(size, (day, hour) => (day >= 20 && day < 31 ? 0.06 * noise(i, day, hour) : 1)),
    )
    for (const [i, alerts] of watched(region, 18, 45).entries())
      assert.deepEqual(alerts.map(said), [], `${i}`)
  })

  test('fog for a fortnight, thick in the valley and thin on the hill', () => {
    const region = sizes.map((size, i) =>
      roof(size, (day, hour) => {
        if (day < 20 || day >= 34) return 1
        const thick = i % 2 ? 0.04 : 0.25
        return thick * (0.5 + noise(i, day)) * (hour < 11 ? 0.3 : 1)
      }),
    )
    for (const [i, alerts] of watched(region, 18, 45).entries())
      assert.deepEqual(alerts.map(said), [], `${i}`)
  })

  test('a roof that went out under the snow is told once its neighbours are free of it', () => {
    const snow: Part = (day) => (day >= 20 && day < 27 ? 0 : 1)
    const out: Part = (day) => (day >= 20 ? 0 : 1)
    const found = watched([...sizes.map((size) => roof(size, snow)), roof(8, out)], 18, 36)
    assert.deepEqual(
      found.slice(0, -1).flatMap((alerts) => alerts.map(said)),
      [],
    )
    assert.deepEqual(found.at(-1)!.map(said), [['outage', '', 'active']])
  })
})

describe('two faulty sensors among twelve panels are named, and the ten others are well', () => {
  const from = (day: number, left: (day: number, hour: number) => number | null): Part => {
    return (now, hour) => (now >= day ? left(now, hour) : 1)
  }
  const whAsKwh = from(20, () => 1_000)
  const tenfold = from(20, () => 10)
  const threefold = from(24, () => 3)
  const silent = from(20, () => null)
  const dead = from(20, () => 0)
  const thousandth = from(20, () => 0.001)
  const cases: [name: string, one: Part, other: Part, types: string[]][] = [
    ['both send Wh as kWh', whAsKwh, whAsKwh, ['anomaly']],
    ['Wh as kWh, and tenfold', whAsKwh, tenfold, ['anomaly']],
    ['Wh as kWh, and threefold some days later', whAsKwh, threefold, ['anomaly']],
    ['Wh as kWh, and MWh as kWh', whAsKwh, thousandth, ['anomaly']],
    ['Wh as kWh, and one is dead', whAsKwh, dead, ['anomaly', 'outage']],
    ['Wh as kWh, and one is silent', whAsKwh, silent, ['anomaly', 'data_gap']],
  ]
  for (const [name, one, other, types] of cases)
    test(name, () => {
      const parts: Part[] = Array.from({ length: 12 }, () => as(1))
      parts[3] = one
      parts[8] = other
      // Not every day is the same.
      const sky = (day: number) => 0.35 + 0.65 * noise(day)
      const [alerts] = watched([site(parts, days, sky)], 18, 40) as [Alert[]]
      assert.deepEqual([...new Set(alerts.flatMap(panelsOf))].toSorted(), ['p3', 'p8'])
      assert.deepEqual([...new Set(alerts.map(({ type }) => type))].toSorted(), types)
      assert.ok(
        alerts.every(({ status }) => status === 'active'),
        JSON.stringify(alerts.map(said)),
      )
      assert.ok(alerts.length <= 2, JSON.stringify(alerts.map(said)))
    })
})
