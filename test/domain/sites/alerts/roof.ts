import type {
  DayTotal,
  Hours,
  MeasuredInstallation,
  MeasuredPanel,
} from '../../../../src/domain/sites/alerts/measured-installation.ts'
import { together } from './fleet.ts'

/** 1 September 2026. */
const first = Date.UTC(2026, 8, 1) / 86_400_000
const curve = [0, 0, 0, 0, 0, 0, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.5, 0.4, 0.3, 0.2, 0.1, 0, 0, 0, 0, 0, 0]

/** What a panel makes of what it should, by day and hour; null: it does not report. */
export type Part = (day: number, hour: number) => number | null

/** An installation in UTC whose panels make the same every day, but for what is said of them. */
export function site(parts: Part[], days = 40, sky: (day: number) => number = () => 1): MeasuredInstallation {
  const panels = parts.map((part, i): MeasuredPanel => {
    const made = { days: new Map<number, DayTotal>(), hours: new Map<number, Hours>() }
    for (let day = 0; day < days; day++) {
      const hours = curve.map((kwh, hour) => {
        const left = part(day, hour)
        return left === null ? null : kwh * 0.4 * sky(day) * left
      })
      const known = hours.filter((kwh) => kwh !== null)
      if (known.length === 0) continue
      made.hours.set(first + day, hours)
      made.days.set(first + day, { kwh: known.reduce((a, b) => a + b, 0), readings: known.length })
    }
    return {
      id: `p${i}`,
      companyId: 'comp',
      name: `Panel ${i}`,
      capacityKw: 0.4,
      quarantined: new Map(),
      quarantinedAt: null,
      ...made,
    }
  })
  return {
    id: 's',
    companyId: 'comp',
    name: 'Roof',
    region: 'XX',
    address: '1 Market St',
    timezone: 'UTC',
    panels,
    made: together(panels),
    earlier: new Map(),
    silences: [],
    neighbours: [],
  }
}

export const as = (left: number): Part => {
  return () => left
}
export const during = (from: number, to: number, left: number | null): Part => {
  return (day) => (day >= from && day < to ? left : 1)
}
export const time = (day: number, hour = 0, minute = 0) =>
  new Date((first + day) * 86_400_000 + hour * 3_600_000 + minute * 60_000)
