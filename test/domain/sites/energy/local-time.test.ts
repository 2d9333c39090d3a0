import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  dayText,
  localText,
  placesIn,
  sameHours,
  startOfDay,
  startOfSlot,
} from '../../../../src/domain/sites/energy/local-time.ts'
import { hourOf } from '../../../support/energy.ts'

const zones = [
  'America/Los_Angeles',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
  'America/Havana',
  'Asia/Beirut',
  'America/Caracas',
  'Antarctica/Troll',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Pacific/Chatham',
  'UTC',
  '+05:30',
]

const hoursOf = (zone: string, day: string): string[] => {
  const date = Temporal.PlainDate.from(day)
  const from = date.toZonedDateTime(zone).epochMilliseconds
  const until = date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
  const places = placesIn(zone)
  const starts = new Set<string>()
  for (let ms = from; ms < until; ms += 60_000) starts.add(localText(startOfSlot(zone, places(ms))))
  return [...starts]
}

test('days on which the clock changes have the hours that it shows', () => {
  const spring = hoursOf('America/Los_Angeles', '2026-03-08')
  assert.equal(spring.length, 23)
  assert.deepEqual(spring.slice(0, 3), [
    '2026-03-08T00:00:00-08:00',
    '2026-03-08T01:00:00-08:00',
    '2026-03-08T03:00:00-07:00',
  ])
  const autumn = hoursOf('Europe/Berlin', '2026-10-25')
  assert.equal(autumn.length, 25)
  assert.deepEqual(autumn.slice(2, 4), ['2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00'])
  assert.equal(hoursOf('Asia/Kolkata', '2026-10-25').length, 24)
  // By half an hour: the hour in which it happens is half as long, or half as long again.
  assert.deepEqual(hoursOf('Australia/Lord_Howe', '2026-10-04').slice(1, 4), [
    '2026-10-04T01:00:00+10:30',
    '2026-10-04T02:30:00+11:00',
    '2026-10-04T03:00:00+11:00',
  ])
  assert.deepEqual(hoursOf('Australia/Lord_Howe', '2026-04-05').slice(0, 3), [
    '2026-04-05T00:00:00+11:00',
    '2026-04-05T01:00:00+11:00',
    '2026-04-05T02:00:00+10:30',
  ])
  // Midnight left out.
  assert.equal(hoursOf('America/Sao_Paulo', '2018-11-04')[0], '2018-11-04T01:00:00-02:00')
  assert.equal(localText(startOfDay('America/Sao_Paulo', 17839)), '2018-11-04T01:00:00-02:00')
})

test('every instant since 2000 is in the day and hour that Temporal says', () => {
  const instants = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2030, 0, 1) })
  // Near a change of the clock, where it is easy to be wrong.
  const near = (zone: string) =>
    fc.tuple(instants, fc.integer({ min: -26 * 60, max: 26 * 60 })).map(([ms, minutes]) => {
      const next = Temporal.Instant.fromEpochMilliseconds(ms)
        .toZonedDateTimeISO(zone)
        .getTimeZoneTransition('next')
      return (next?.epochMilliseconds ?? ms) + minutes * 60_000
    })
  const sample = fc
    .constantFrom(...zones)
    .chain((zone) => fc.tuple(fc.constant(zone), fc.oneof(instants, near(zone))))
  fc.assert(
    fc.property(sample, ([zone, ms]) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
      const place = placesIn(zone)(ms)
      assert.equal(dayText(place.day), zoned.toPlainDate().toString())
      assert.equal(startOfDay(zone, place.day).ms, zoned.startOfDay().epochMilliseconds)
      const hour = hourOf(zoned)
      assert.equal(startOfSlot(zone, place).ms, hour.epochMilliseconds)
      assert.equal(localText(startOfSlot(zone, place)), hour.toString({ timeZoneName: 'never' }).slice(0, 25))
    }),
    { numRuns: 5_000 },
  )
})

test('hours of two clocks fit into each other where they are off by whole hours', () => {
  assert.ok(sameHours('America/Los_Angeles', 'Europe/Berlin'))
  assert.ok(sameHours('Asia/Kolkata', 'Asia/Kolkata'))
  assert.ok(!sameHours('Asia/Kolkata', 'Europe/Berlin'))
  assert.ok(!sameHours('Australia/Lord_Howe', 'Australia/Sydney'))
})
