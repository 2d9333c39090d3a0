import { type Day, slotsOf } from './local-time.ts'
import { type Place, placeOf } from './places.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const rad = Math.PI / 180
const hoursInDay = 24
/**
 * So far above the horizon, in degrees, the sun is on every panel that is not in deep shade. It also makes up for a
 * place that is known by its time zone only: a degree of it is some four minutes of the day.
 */
const surelyUp = 10

/** An hour of a day, as the roll-ups count them. */
export interface DayHour {
  /** As the clock shows it. */
  hour: number
  /** Whether the sun is up in the middle of it, and whether it is up so far that every panel works. */
  sun: 'none' | 'low' | 'high'
}

/** The height of the sun above the horizon, in degrees, right to half a degree. */
export function sunHeight({ latitude, longitude }: Place, ms: number): number {
  const year = Date.UTC(new Date(ms).getUTCFullYear(), 0, 1)
  const dayOfYear = (ms - year) / dayMs
  const declination = -23.44 * Math.cos((360 / 365.24) * (dayOfYear + 10) * rad)
  const turn = (360 / 365.24) * (dayOfYear - 81) * rad
  const equationMinutes = 9.87 * Math.sin(2 * turn) - 7.53 * Math.cos(turn) - 1.5 * Math.sin(turn)
  const solarHour = (ms % dayMs) / hourMs + longitude / 15 + equationMinutes / 60
  const height =
    Math.sin(latitude * rad) * Math.sin(declination * rad) +
    Math.cos(latitude * rad) * Math.cos(declination * rad) * Math.cos((solarHour - 12) * 15 * rad)
  return Math.asin(height) / rad
}

/** The hours of each day at an installation, by which its readings are held against the daylight. */
export function daysAt(region: string, timezone: string): (day: Day) => readonly DayHour[] {
  const place = placeOf(region, timezone)
  const known = new Map<Day, DayHour[]>()
  return (day) => {
    let hours = known.get(day)
    if (!hours) {
      hours = slotsOf(timezone, day).map(({ ms, offsetMs }) => {
        const height = sunHeight(place, ms + hourMs / 2)
        const hour = Math.floor((ms + offsetMs) / hourMs) % hoursInDay
        return { hour, sun: height >= surelyUp ? 'high' : height > 0 ? 'low' : 'none' }
      })
      known.set(day, hours)
    }
    return hours
  }
}
