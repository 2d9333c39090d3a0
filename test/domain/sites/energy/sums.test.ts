import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Granularity } from '../../../../src/domain/sites/energy/energy.ts'
import { readEnergy } from '../../../../src/domain/sites/energy/read-energy.ts'
import { takeReadings } from '../../../../src/domain/sites/energy/take-readings.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { checkRollUps, hourOf, type Sent, boundlessSite as site } from '../../../support/energy.ts'
import { createWorld } from '../../../support/factories.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { installer, dealer } = await createWorld(database.db)
const now = new Date('2026-12-31T12:00:00Z')

const zones = [
  'America/Los_Angeles',
  'America/Denver',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Pacific/Chatham',
]

/** The same from the bare list of what was sent, by Temporal. */
function expected(
  readings: Iterable<{ ms: number; micro: number }>,
  zone: string,
  granularity: Granularity,
  startDate: string,
  endDate: string,
) {
  const sums = new Map<string, number>()
  const days = new Set<string>()
  for (const { ms, micro } of readings) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
    const day = zoned.toPlainDate()
    if (day.toString() < startDate || day.toString() > endDate) continue
    days.add(day.toString())
    const start =
      granularity === 'hourly'
        ? hourOf(zoned)
        : (granularity === 'daily'
            ? day
            : granularity === 'weekly'
              ? day.subtract({ days: day.dayOfWeek - 1 })
              : day.with({ day: 1 })
          ).toZonedDateTime(zone)
    const key = start.toString({ timeZoneName: 'never', smallestUnit: 'second' })
    sums.set(key, (sums.get(key) ?? 0) + micro)
  }
  const total = [...sums.values()].reduce((a, b) => a + b, 0)
  return {
    buckets: [...sums]
      .sort(([a], [b]) => Date.parse(a) - Date.parse(b))
      .map(([timestamp, micro]) => ({ timestamp, kwh: micro / 1e6 })),
    total: total / 1e6,
    average: days.size === 0 ? 0 : Math.round(total / days.size) / 1e6,
  }
}

// Around days of 23, 24.5 and 25 hours and a year's end, and anywhere.
const around = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2025-12-31',
  '2018-11-04',
  '2016-02-29',
]
const instant = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...around), fc.integer({ min: -60 * 4, max: 60 * 4 }))
      .map(([day, quarters]) => Date.parse(`${day}T12:00:00Z`) + quarters * 900_000),
  },
  { weight: 1, arbitrary: fc.integer({ min: Date.UTC(2016, 0, 1), max: Date.UTC(2026, 11, 31) }) },
)
const reading = fc.record({
  panel: fc.nat(3),
  ms: instant,
  micro: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000_000 })),
})
const granularities = ['hourly', 'daily', 'weekly', 'monthly'] as const

for (const who of ['installer', 'dealer'] as const) {
  test(`random readings, ${who}: every granularity says what plain sums say`, async () => {
    const actor = who === 'installer' ? installer : dealer
    const companyZone = actor.company.timezone
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...zones), { minLength: 2, maxLength: 2 }),
        fc.array(fc.array(reading, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 3 }),
        fc.tuple(fc.constantFrom(...around), fc.integer({ min: 0, max: 365 })),
        async (clocks, calls, [startDate, length]) => {
          await database.db.execute(
            'delete from readings; delete from panel_days; delete from installation_days; delete from panels; delete from installations',
          )
          const sites = [
            await site(database, actor, clocks[0]!, 2),
            await site(database, actor, clocks[1]!, 2),
          ]
          const panels = sites.flatMap((one) => one.panels)
          const stands = new Map<string, { panel: number; ms: number; micro: number }>()
          for (const call of calls) {
            const sent = call.map(
              ({ panel, ms, micro }): Sent => ({
                panel_id: panels[panel]!,
                timestamp: new Date(ms).toISOString(),
                kwh: micro / 1e6,
              }),
            )
            const taken = await takeReadings(actor.as(now), sent)
            assert.deepEqual([taken.accepted, taken.rejected], [call.length, []])
            let updated = 0
            for (const one of call) {
              const key = `${one.panel} ${one.ms}`
              const before = stands.get(key)
              if (before && before.micro !== one.micro) updated++
              stands.set(key, one)
            }
            assert.equal(taken.updated, updated)
          }
          await checkRollUps(database)

          const endDate = Temporal.PlainDate.from(startDate).add({ days: length }).toString()
          const all = [...stands.values()]
          const questions: [object, string, typeof all][] = [
            [{ panelId: panels[0] }, clocks[0]!, all.filter(({ panel }) => panel === 0)],
            [
              { panelId: panels[3], installationId: sites[1]!.installation },
              clocks[1]!,
              all.filter(({ panel }) => panel === 3),
            ],
            [{ installationId: sites[0]!.installation }, clocks[0]!, all.filter(({ panel }) => panel < 2)],
            [{ installationId: sites[1]!.installation }, clocks[1]!, all.filter(({ panel }) => panel >= 2)],
            [{}, companyZone, all],
          ]
          for (const [of, zone, readings] of questions) {
            for (const granularity of granularities) {
              const found = await readEnergy(actor.as(now), { ...of, granularity, startDate, endDate })
              assert.deepEqual(
                {
                  buckets: found.buckets.map(({ timestamp, kwh }) => ({ timestamp, kwh: Number(kwh) })),
                  total: Number(found.totalKwh),
                  average: Number(found.averageDailyKwh),
                },
                expected(readings, zone, granularity, startDate, endDate),
                `${granularity} ${JSON.stringify(of)} ${zone} ${startDate} to ${endDate}`,
              )
              assert.ok(found.completenessPercent >= 0 && found.completenessPercent <= 100)
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })
}
