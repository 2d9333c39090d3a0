import { historyDays, type LocalTime, type MeasuredPanel, type Site } from './site.ts'
import { median, medianWithout, quantile, quantileOf, sorted } from './statistics.ts'

/** A panel makes something when it makes this part of the best of its installation. */
const producing = 0.05
/** A day with fewer than this part of the usual readings tells nothing. */
const completeness = 0.9
/** A day says something when it brought this part of a clear day, and so much for each kW. */
const sunnyPart = 0.4
const sunnyKwhPerKw = 0.3
const clearWithinDays = 30
const usualWithinDays = 14
/** For panels whose capacity nobody stated. */
const assumedKw = 0.4

export function kwOf({ capacityKw }: MeasuredPanel): number {
  return capacityKw > 0 ? capacityKw : assumedKw
}

/** One complete day of all panels, each in kWh for each kW of its capacity. */
export interface DayYields {
  day: number
  /** NaN where the day is not complete. */
  of: readonly number[]
  /** Those that make anything, sorted. */
  producing: Float64Array
  sunny: boolean
}

/** The days before today, oldest first. */
export function dailyYields({ panels }: Site, { today }: LocalTime): DayYields[] {
  const needed = panels.map((panel) => completeness * usualReadings(panel, today))
  const days: DayYields[] = []
  for (let day = today - historyDays; day < today; day++) {
    const of = panels.map((panel, i) => {
      const total = panel.days.get(day)
      return total && total.readings > 0 && total.readings >= needed[i]!
        ? total.kwh / kwOf(panel)
        : Number.NaN
    })
    days.push({ day, of, producing: producingOf(of), sunny: false })
  }
  const middles = days.map((day) => quantileOf(day.producing, 0.5))
  const clear = quantile(
    middles.slice(-clearWithinDays).filter((middle) => !Number.isNaN(middle)),
    0.9,
  )
  const least = Math.max(sunnyKwhPerKw, sunnyPart * clear)
  return days.map((day, i) => ({ ...day, sunny: middles[i]! >= least }))
}

/** Of many panels' yields, those that count as making something, sorted. */
export function producingOf(yields: readonly number[]): Float64Array {
  let best = 0
  for (const made of yields) if (made > best) best = made
  return best === 0 ? nobody : sorted(yields.filter((made) => made >= producing * best))
}
const nobody = new Float64Array()

/** What a panel's siblings make, and how many they are that make anything. */
export function siblingsOf(inOrder: Float64Array, own: number): { middle: number; count: number } {
  const place = inOrder.indexOf(own)
  return { middle: medianWithout(inOrder, place), count: place < 0 ? inOrder.length : inOrder.length - 1 }
}

/** How many readings a day usually has. */
function usualReadings({ days }: MeasuredPanel, today: number): number {
  const counts: number[] = []
  for (let day = today - usualWithinDays; day < today; day++) {
    const readings = days.get(day)?.readings ?? 0
    if (readings > 0) counts.push(readings)
  }
  return counts.length === 0 ? 1 : median(counts)
}
