/** Chance that repeats itself: mulberry32. */
export function chance(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + (to - from) * next()
  return {
    next,
    between,
    whole: (from: number, to: number) => Math.floor(between(from, to + 1)),
    /** Around 1, hardly ever further off than three times the spread. */
    about1: (spread: number) => 1 + spread * (next() + next() + next() + next() - 2) * 1.73,
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!,
  }
}
export type Chance = ReturnType<typeof chance>

export interface Place {
  timezone: string
  latitude: number
  longitude: number
}

export const places: Place[] = [
  { timezone: 'America/Los_Angeles', latitude: 34, longitude: -118 },
  { timezone: 'America/New_York', latitude: 41, longitude: -74 },
  { timezone: 'Europe/Berlin', latitude: 52, longitude: 13 },
  { timezone: 'Australia/Sydney', latitude: -34, longitude: 151 },
]

const rad = Math.PI / 180
const dayMs = 86_400_000

export interface Sun {
  /** kW for each kW of capacity under a clear sky. */
  light: number
  /** How far it is from the south: -1 in the east, 1 in the west. */
  west: number
}

/** In the middle of an hour that begins then. */
export function sunAt(place: Place, startMs: number): Sun {
  const ms = startMs + 1_800_000
  const dayOfYear = Math.floor((ms - Date.UTC(new Date(ms).getUTCFullYear(), 0, 1)) / dayMs) + 1
  const declination = 23.45 * Math.sin(((360 * (284 + dayOfYear)) / 365) * rad)
  const noon = ((ms % dayMs) / 3_600_000 + place.longitude / 15 + 48) % 24
  const angle = (noon - 12) * 15 * rad
  const { latitude } = place
  const height =
    Math.sin(latitude * rad) * Math.sin(declination * rad) +
    Math.cos(latitude * rad) * Math.cos(declination * rad) * Math.cos(angle)
  return { light: height <= 0 ? 0 : 0.85 * height ** 1.15, west: Math.sin(angle) }
}

type Sky = 'clear' | 'partly' | 'overcast' | 'dark'
const light: Record<Sky, [number, number]> = {
  clear: [0.9, 1],
  partly: [0.45, 0.8],
  overcast: [0.12, 0.3],
  dark: [0.05, 0.1],
}
const skies: Sky[] = ['clear', 'clear', 'clear', 'partly', 'partly', 'overcast', 'overcast', 'dark']

export interface DaySky {
  sky: Sky
  /** What comes through, hour by hour. */
  hours: number[]
}

/** Days of weather that lasts: after a grey day another is likely. `greyDays` are certain. */
export function weather(random: Chance, days: number, greyDays: ReadonlySet<number>): DaySky[] {
  let sky: Sky = 'clear'
  return Array.from({ length: days }, (_, day) => {
    if (random.next() > 0.6) sky = random.pick(skies)
    const today = greyDays.has(day) ? random.pick<Sky>(['overcast', 'dark']) : sky
    const [from, to] = light[today]
    const whole = random.between(from, to)
    // On a mixed day clouds come and go, so that mornings and afternoons differ.
    const spread = today === 'partly' ? 0.35 : today === 'clear' ? 0.02 : 0.15
    const hours = Array.from({ length: 25 }, () => Math.min(1, Math.max(0.03, whole * random.about1(spread))))
    return { sky: today, hours }
  })
}
