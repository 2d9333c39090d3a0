import type { Coverage } from './coverage.ts'
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

const perKwh = 1_000_000

/** Millionths of a kWh, rounded; exact for what has at most six decimals. */
export function microkwhOf(kwh: number): number {
  return Math.round(kwh * perKwh)
}

/** Millionths, as whole digits, in kWh: a decimal without a needless zero. */
export function kwhText(microkwh: string | number | bigint): string {
  const digits = String(microkwh).padStart(7, '0')
  const decimals = digits.slice(-6)
  const whole = digits.slice(0, -6)
  if (decimals === '000000') return whole
  return `${whole}.${decimals.replace(/0+$/, '')}`
}

/** What was made in an hour, a day, a week or a month. */
export interface Bucket {
  /** When it begins, by the zone's clock. */
  timestamp: string
  /** A decimal. */
  kwh: string
}

/** Sums, before they are put into words. */
export interface Summed {
  buckets: Bucket[]
  total: bigint
  /** That have readings. */
  days: number
  coverage: Coverage
}

export interface Energy {
  buckets: Bucket[]
  totalKwh: string
  averageDailyKwh: string
  completenessPercent: number
}
