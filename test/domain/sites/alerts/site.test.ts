import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localTime } from '../../../../src/domain/sites/alerts/measured-installation.ts'

const hourMs = 3_600_000

// Far to the east and west, with clocks that change at midnight, and with a day that never was.
for (const [timezone, from] of [
  ['Pacific/Kiritimati', '2026-01-01'],
  ['Pacific/Pago_Pago', '2026-01-01'],
  ['America/Havana', '2026-03-05'],
  ['America/Havana', '2026-10-29'],
  ['Australia/Lord_Howe', '2026-04-02'],
  ['Pacific/Apia', '2011-12-27'],
] as const) {
  test(`the days of ${timezone} from ${from} are those of its calendar`, () => {
    const begin = Date.parse(`${from}T00:00:00Z`)
    const { startOf, dayOf } = localTime(timezone, new Date(begin))
    for (let ms = begin; ms < begin + 144 * hourMs; ms += hourMs / 2) {
      const there = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone)
      const day = dayOf(new Date(ms))
      assert.equal(new Date(day * 24 * hourMs).toISOString().slice(0, 10), there.toPlainDate().toString())
      assert.equal(startOf(day).getTime(), there.startOfDay().epochMilliseconds)
      assert.equal(localTime(timezone, new Date(ms)).today, day)
    }
  })
}
