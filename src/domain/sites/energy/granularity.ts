import type { Day } from './local-time.ts'

export const granularities = ['hourly', 'daily', 'weekly', 'monthly'] as const
export type Granularity = (typeof granularities)[number]

/** The first day of the day's bucket: itself, its Monday, or the first of its month. */
export function bucketOf(granularity: Exclude<Granularity, 'hourly'>, day: Day): Day {
  if (granularity === 'daily') return day
  // 1970-01-01 was a Thursday.
  if (granularity === 'weekly') return day - ((((day + 3) % 7) + 7) % 7)
  return day - new Date(day * 86_400_000).getUTCDate() + 1
}
