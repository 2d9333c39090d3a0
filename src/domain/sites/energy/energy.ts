import type { Coverage } from './coverage.ts'

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
