import {
  type Hours,
  historyDays,
  hoursOf,
  type LocalTime,
  type MeasuredInstallation,
  type MeasuredPanel,
  panelHourDays,
} from './measured-installation.ts'
import { lowWithout, median, medianWithout, placeOf, quantile, quantileOf, sorted } from './statistics.ts'

/** A panel makes something when it makes this part of what the good ones of its installation make. */
const producing = 0.05
// A high quantile of those that make anything, never the best: that may be a sensor that sends Wh as kWh.
const goodQuantile = 0.75
/** What is below is taken for noise, in kWh for each kW. */
const noiseOfDay = 0.02
const noiseOfHour = 0.005
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
  producing: readonly number[]
  /** The part of a clear day's light, as far as the panels tell; NaN where they do not. */
  light: number
  sunny: boolean
}

/** The days before today, oldest first. */
export function dailyYields({ panels }: MeasuredInstallation, { today }: LocalTime): DayYields[] {
  const needed = panels.map((panel) => completeness * usualReadings(panel, today))
  const days: DayYields[] = []
  for (let day = today - historyDays; day < today; day++) {
    const of = panels.map((panel, i) => {
      const total = panel.days.get(day)
      return total && total.readings > 0 && total.readings >= needed[i]!
        ? total.kwh / kwOf(panel)
        : Number.NaN
    })
    days.push({ day, of, producing: producingOf(of, noiseOfDay), light: Number.NaN, sunny: false })
  }
  const middles = days.map((day) => quantileOf(day.producing, 0.5))
  const clear = quantile(
    middles.slice(-clearWithinDays).filter((middle) => !Number.isNaN(middle)),
    0.9,
  )
  const least = Math.max(sunnyKwhPerKw, sunnyPart * clear)
  return days.map((day, i) => {
    const middle = middles[i]!
    const dark = Number.isNaN(middle) && day.of.some((made) => !Number.isNaN(made))
    return { ...day, light: dark ? 0 : middle / clear, sunny: middle >= least }
  })
}

/** What the panels made in each hour of one of the last days, each for each kW of its capacity. */
export interface HourlyYields {
  day: number
  /** Null where there is no reading, or one that stands for more than an hour. */
  of: readonly Hours[]
  /** By the hour those that make anything, sorted. */
  producing: readonly (readonly number[])[]
}

export function hourlyYields({ panels }: MeasuredInstallation, time: LocalTime): HourlyYields[] {
  const last = Array.from({ length: panelHourDays }, (_, i) => time.today - panelHourDays + 1 + i)
  const made = panels.map((panel) => {
    const hours = last.map((day) => hoursOf(panel, day, time))
    return hours.some(hasNeighbouringHours) ? hours : last.map((): Hours => [])
  })
  return last.map((day, n) => {
    const of = panels.map((panel, i) => {
      const kw = kwOf(panel)
      return made[i]![n]!.map((kwh) => (kwh === null ? null : kwh / kw))
    })
    const length = of.reduce((most, hours) => Math.max(most, hours.length), 0)
    const producing = Array.from({ length }, (_, hour) => {
      const made: number[] = []
      for (const hours of of) made.push(hours[hour] ?? 0)
      return producingOf(made, noiseOfHour)
    })
    return { day, of, producing }
  })
}

/** A logger that sends one total a day puts all of it into one hour, which says nothing of that hour. */
function hasNeighbouringHours(hours: Hours): boolean {
  return hours.some((kwh, hour) => kwh !== null && (hours[hour + 1] ?? null) !== null)
}

/** Of many panels' yields, those that count as making something, sorted. */
export function producingOf(yields: readonly number[], noise: number): readonly number[] {
  const some: number[] = []
  for (const made of yields) if (made >= noise) some.push(made)
  if (some.length === 0) return some
  const inOrder = sorted(some)
  const least = producing * inOrder[Math.floor((inOrder.length - 1) * goodQuantile)]!
  return inOrder[0]! >= least ? inOrder : inOrder.slice(inOrder.findIndex((made) => made >= least))
}

export interface Siblings {
  middle: number
  /** Of the weaker ones. */
  low: number
  count: number
}

/** What a panel's siblings make, and how many they are that make anything. */
export function siblingsOf(inOrder: readonly number[], own: number): Siblings {
  const place = placeOf(inOrder, own)
  return {
    middle: medianWithout(inOrder, place),
    low: lowWithout(inOrder, place),
    count: place < 0 ? inOrder.length : inOrder.length - 1,
  }
}

/** How many readings a day usually has. */
export function usualReadings({ days }: MeasuredPanel, today: number): number {
  const counts: number[] = []
  for (let day = today - usualWithinDays; day < today; day++) {
    const readings = days.get(day)?.readings ?? 0
    if (readings > 0) counts.push(readings)
  }
  return counts.length === 0 ? 1 : median(counts)
}
