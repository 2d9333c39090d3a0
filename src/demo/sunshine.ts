import { createRandom } from './random.ts'

const hourMs = 3_600_000
const radians = Math.PI / 180

/** How much of the full sun reaches a roof in an hour that begins at an instant; 0 at night. */
function clearSky(latitude: number, longitude: number, atMs: number): number {
  const days = (atMs - Date.UTC(2000, 0, 1)) / 86_400_000
  const declination = 23.45 * Math.sin(2 * Math.PI * ((days - 80) / 365.2422))
  const solarHour = (((atMs / hourMs + 0.5 + longitude / 15) % 24) + 24) % 24
  const height =
    Math.sin(latitude * radians) * Math.sin(declination * radians) +
    Math.cos(latitude * radians) * Math.cos(declination * radians) * Math.cos((solarHour - 12) * 15 * radians)
  return height <= 0 ? 0 : height ** 1.15
}

/** What the clouds leave of each day: fine days come in runs, and so do dull ones. */
function weather(seed: string, days: number, cloudiness: number): number[] {
  const random = createRandom(seed)
  let dull = false
  return Array.from({ length: days }, () => {
    if (random.chance(dull ? 0.45 : cloudiness)) dull = !dull
    return dull ? random.whole(18, 60) / 100 : random.whole(84, 100) / 100
  })
}

export interface SolarLocation {
  /** Seeds its weather. */
  name: string
  latitude: number
  longitude: number
  /** The share of days on which fine weather turns. */
  cloudiness: number
}

/** A share of what it should make, from one day before today to another; null: nothing is heard of it. */
export interface Fault {
  panel: number
  fromDaysAgo: number
  toDaysAgo: number
  share: number | null
}

/**
 * What an installation's panels made hour by hour, up to the last full hour: by panel, millionths of a kWh for each
 * hour since `fromMs`, null where there is no reading: inverters sleep at night.
 */
export function produce(
  installation: SolarLocation,
  capacitiesKw: readonly number[],
  faults: readonly Fault[],
  fromMs: number,
  nowMs: number,
): (number | null)[][] {
  const hours = Math.floor((nowMs - fromMs) / hourMs)
  const days = weather(installation.name, Math.ceil(hours / 24) + 1, installation.cloudiness)
  const random = createRandom(`${installation.name}/panels`)
  const sun = Array.from({ length: hours }, (_, hour) => {
    const clear = clearSky(installation.latitude, installation.longitude, fromMs + hour * hourMs)
    // A passing cloud is over all panels at once.
    return clear * days[Math.floor(hour / 24)]! * (random.whole(930, 1000) / 1000)
  })
  return capacitiesKw.map((capacityKw, panel) => {
    const tolerance = random.whole(965, 1000) / 1000
    const own = faults.filter((fault) => fault.panel === panel)
    return sun.map((share, hour) => {
      const daysAgo = (nowMs - (fromMs + hour * hourMs)) / 86_400_000
      const fault = own.find(({ fromDaysAgo, toDaysAgo }) => daysAgo <= fromDaysAgo && daysAgo > toDaysAgo)
      if (share === 0 || fault?.share === null) return null
      const noise = random.whole(990, 1010) / 1000
      return Math.round(1e6 * capacityKw * 0.86 * share * tolerance * noise * (fault?.share ?? 1))
    })
  })
}
