import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateFleet } from './fleet.ts'
import { sentNightly } from './nightly.ts'
import { score, watch } from './watch.ts'

/** So that within two weeks each hour of the day has been looked at. */
const everyHours = 13

// By episode: an alert for nothing, of another type, or a second one for the same fault is wrong.
for (const [seed, begins] of [
  [1, '2026-08-28'],
  [4, '2026-11-05'],
  [6, '2027-02-20'],
] as const) {
  test(`1,000 panels over 60 days from ${begins}: precision and recall are at least 0.95`, (t) => {
    const fleet = simulateFleet({ seed, panels: 1_000, days: 60, begins })
    const alerts = watch(fleet, 1, 60, everyHours)
    const { precision, recall, episodes, recallBy, missed, wrong } = score(fleet, alerts)
    t.diagnostic(
      `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} of ${episodes}: ${[...recallBy]
        .map(([kind, [found, all]]) => `${kind} ${found}/${all}`)
        .join(', ')}`,
    )
    assert.ok(episodes >= 80, `only ${episodes} faults were put in`)
    assert.equal(recallBy.size, 7, 'every kind of fault is there')
    assert.ok(precision >= 0.95, JSON.stringify(wrong))
    assert.ok(recall >= 0.95, JSON.stringify(missed))
    for (const [kind, [found, all]] of recallBy) assert.ok(found / all >= 0.8, `${kind}: ${found} of ${all}`)
  })
}

test('a fleet without a fault raises nothing, whatever the weather', () => {
  const fleet = simulateFleet({ seed: 20, panels: 500, days: 60, faulty: 0 })
  assert.deepEqual(watch(fleet, 1, 60, everyHours), [])
})

test('a cloudy week raises nothing, with siblings and without', () => {
  const greyDays = new Set([30, 31, 32, 33, 34, 35, 36])
  for (const sizes of [[1], [2], [12]]) {
    const fleet = simulateFleet({ seed: 30, panels: 60, days: 45, faulty: 0, sizes, greyDays })
    assert.deepEqual(watch(fleet, 28, 45, 3), [])
  }
})

test('loggers that send once a night raise nothing, at whatever hour it is looked', () => {
  const fleet = simulateFleet({ seed: 40, panels: 100, days: 40, faulty: 0 })
  assert.deepEqual(watch(fleet, 1, 40, 1, sentNightly), [])
})

test('faults are found among loggers that send once a night too', (t) => {
  const fleet = simulateFleet({ seed: 4, panels: 1_000, days: 60 })
  const { precision, recall, missed, wrong } = score(fleet, watch(fleet, 1, 60, everyHours, sentNightly))
  t.diagnostic(`precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`)
  assert.ok(precision >= 0.95, JSON.stringify(wrong))
  assert.ok(recall >= 0.95, JSON.stringify(missed))
})
