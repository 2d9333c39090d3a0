/** What was made in an hour, a day, a week or a month. */
export interface Bucket {
  /** When it begins, by the zone's clock. */
  timestamp: string
  /** A decimal. */
  kwh: string
}

/** Sums, before they are put into words. */
export interface Summed {
  timezone: string
  buckets: Bucket[]
  total: bigint
  days: number
  panels: number
  panelDays: number
}

export interface Energy {
  buckets: Bucket[]
  totalKwh: string
  averageDailyKwh: string
  completenessPercent: number
}
