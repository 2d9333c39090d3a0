import type { Random } from './random.ts'

/** Today and the days before it, where the company works. */
export interface Calendar {
  /**
   * An instant `ageDays` ago: in working hours of that day, or for 0 within the last hours. Never
   * before `after`, so that what follows from something comes after it.
   */
  at(ageDays: number, random: Random, after?: number): number
  /** The day `days` from today, as YYYY-MM-DD. */
  day(days: number): string
}

const minuteMs = 60_000
const [opensMinute, closesMinute] = [8 * 60, 18 * 60]
// Yesterday's work ends at six, so five hours back from any time of today is still after it.
const lastMinutes = 290

export function createCalendar(now: Date, timezone: string): Calendar {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
  return {
    at(ageDays, random, after = Number.NEGATIVE_INFINITY) {
      const minute = random.whole(opensMinute, closesMinute)
      const gap = random.whole(3, 25)
      const ms = random.whole(0, 59_999)
      const instant =
        ageDays <= 0
          ? now.getTime() - lastMinutes * minuteMs + (minute - opensMinute) * 0.4 * minuteMs + ms
          : today.subtract({ days: ageDays }).toZonedDateTime({ timeZone: timezone }).add({ minutes: minute })
              .epochMilliseconds + ms
      const earliest = after + gap * minuteMs
      return Math.floor(Math.min(Math.max(instant, earliest), Math.max(now.getTime() - minuteMs, after + 2)))
    },
    day: (days) => today.add({ days }).toString(),
  }
}
