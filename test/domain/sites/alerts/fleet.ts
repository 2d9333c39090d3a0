import type { AlertType } from '../../../../src/domain/sites/alerts/alert.ts'
import type {
  DayTotal,
  Hours,
  MeasuredInstallation,
  MeasuredPanel,
} from '../../../../src/domain/sites/alerts/measured-installation.ts'
import { type Chance, chance, type DaySky, type Place, places, type Sun, sunAt, weather } from './weather.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export type Kind = 'dead' | 'weak' | 'soiling' | 'string out' | 'site out' | 'panel gap' | 'site gap'

/** A fault that was put in: what an alert should say, and no other alert should be. */
export interface Episode {
  kind: Kind
  type: AlertType
  siteId: string
  /** Null: the whole site. */
  panelId: string | null
  from: Date
  to: Date
}

/** What a fault leaves of a panel's output at a time; null: it does not report. */
type Effect = (ms: number) => number | null

export interface FleetOptions {
  seed: number
  panels: number
  days: number
  /** Day 0. */
  begins?: string
  sizes?: number[]
  greyDays?: ReadonlySet<number>
  /** The part of the panels that get a fault of their own, and of the sites. */
  faulty?: number
  place?: Place
}

export interface Fleet {
  sites: MeasuredInstallation[]
  episodes: Episode[]
  /** The start of a day, in UTC. */
  at(day: number, hour?: number): Date
}

const typeOf: Record<Kind, AlertType> = {
  dead: 'outage',
  weak: 'underperformance',
  soiling: 'underperformance',
  'string out': 'outage',
  'site out': 'outage',
  'panel gap': 'data_gap',
  'site gap': 'data_gap',
}

/** Many sites under a sky of their own, with the faults that were put in. */
export function simulateFleet(options: FleetOptions): Fleet {
  const { seed, panels, days, begins = '2026-08-28', faulty = 0.12 } = options
  const random = chance(seed)
  const sizes = options.sizes ?? [1, 1, 2, 3, 5, 8, 12, 16, 20, 24, 30, 40]
  const begin = Date.parse(`${begins}T00:00:00Z`)
  const at = (day: number, hour = 0) => new Date(begin + day * dayMs + hour * hourMs)
  const fleet: Fleet = { sites: [], episodes: [], at }
  for (let left = panels; left > 0; ) {
    const size = Math.min(left, random.pick(sizes))
    left -= size
    const siteId = `site${fleet.sites.length}`
    const effects = new Map<number, Effect>()
    const add = (kind: Kind, i: number | null, from: Date, forDays: number) => {
      const to = new Date(Math.min(from.getTime() + forDays * dayMs, at(days).getTime()))
      const effect = effectOf(kind, random, from.getTime(), to.getTime())
      for (const panel of i === null ? Array.from({ length: size }, (_, n) => n) : [i])
        effects.set(panel, effect)
      const panelId = i === null ? null : `${siteId}-${i}`
      fleet.episodes.push({ kind, type: typeOf[kind], siteId, panelId, from, to })
    }
    putIn(random, size, days, faulty, at, add)
    fleet.sites.push(simulateSite(random, siteId, size, { ...options, begin }, effects))
  }
  return fleet
}

function putIn(
  random: Chance,
  size: number,
  days: number,
  faulty: number,
  at: Fleet['at'],
  add: (kind: Kind, i: number | null, from: Date, forDays: number) => void,
): void {
  const start = (from: number, to: number) => at(random.whole(from, to), random.whole(0, 23))
  const last = days - 12
  const dice = random.next()
  if (dice < faulty * 0.75) add('site out', null, start(14, last), random.between(2, 6))
  else if (dice < faulty * 1.5) add('site gap', null, start(14, last), random.between(3.5, 8))
  if (size < 2 || dice < faulty * 1.5) return
  const spoilt = new Set<number>()
  if (size >= 12 && dice < faulty * 3) {
    const from = start(14, last)
    const forDays = random.between(2, 12)
    const first = random.whole(0, size - 8)
    for (let i = first; i < first + random.whole(4, 6); i++) {
      spoilt.add(i)
      add('string out', i, from, forDays)
    }
  }
  for (let i = 0; i < size; i++) {
    if (spoilt.has(i) || random.next() > faulty) continue
    // More than half of a small site at fault is another matter: nobody is left to compare with.
    if ((spoilt.size + 1) * 2 > size) break
    spoilt.add(i)
    const kind = random.pick<Kind>(['dead', 'weak', 'soiling', 'panel gap'])
    if (kind === 'soiling') add(kind, i, start(12, Math.min(20, last)), random.between(36, 48))
    else if (kind === 'weak') add(kind, i, start(14, last), random.between(9, 30))
    else add(kind, i, start(14, last), random.between(kind === 'dead' ? 2 : 3.5, 12))
  }
}

function effectOf(kind: Kind, random: Chance, from: number, to: number): Effect {
  const during = (what: (ms: number) => number | null): Effect => {
    return (ms) => (ms < from || ms >= to ? 1 : what(ms))
  }
  switch (kind) {
    case 'dead':
    case 'string out':
    case 'site out':
      return during(() => 0)
    case 'panel gap':
    case 'site gap':
      return during(() => null)
    case 'weak': {
      const left = random.between(0.4, 0.65)
      return during(() => left)
    }
    case 'soiling': {
      const lost = random.between(0.35, 0.5)
      const growsMs = random.between(25, 35) * dayMs
      return during((ms) => 1 - lost * Math.min(1, (ms - from) / growsMs))
    }
  }
}

interface SiteOptions extends FleetOptions {
  begin: number
}

function simulateSite(
  random: Chance,
  id: string,
  size: number,
  { days, begin, greyDays = new Set(), place: given }: SiteOptions,
  effects: ReadonlyMap<number, Effect>,
): MeasuredInstallation {
  const place = given ?? random.pick(places)
  const skies = weather(random, days, greyDays)
  const logging = {
    /** Readings an hour; 0: one a day, in the evening. */
    anHour: random.pick([4, 4, 1, 1, 0]),
    atNight: random.next() < 0.5,
    outages: loggerOutages(random, days, begin),
  }
  const twoRoofs = size >= 6 && random.next() < 0.3
  const first = begin / dayMs
  const calendar = Array.from({ length: days }, (_, i) => localDay(first + i, place.timezone))
  const suns = calendar.map(({ startMs, length }) =>
    Array.from({ length }, (_, hour) => sunAt(place, startMs + hour * hourMs)),
  )
  const panels = Array.from({ length: size }, (_, i): MeasuredPanel => {
    const facing = twoRoofs ? (i % 2 === 0 ? -1 : 1) : 0
    const panel = newPanel(random, facing)
    const made = { days: new Map<number, DayTotal>(), hours: new Map<number, Hours>() }
    calendar.forEach(({ day, startMs, length }, n) => {
      const age = n / days
      // Clouds, dew and dirt are not quite the same over every panel.
      const luck = random.about1(0.04)
      const output = (hour: number): MadeHour => {
        const ms = startMs + hour * hourMs
        const effect = effects.has(i) ? effects.get(i)!(ms) : 1
        const heard = effect !== null && !logging.outages.some(([from, to]) => ms >= from && ms < to)
        return { kwh: (effect ?? 1) * luck * panel.output(suns[n]![hour]!, skies[n]!, hour, age), heard }
      }
      const hours = Array.from({ length }, (_, hour) => output(hour))
      report(made, day, hours, logging, random)
    })
    const none = { quarantined: new Map(), quarantinedAt: null }
    return { id: `${id}-${i}`, companyId: 'comp', name: `Panel ${i}`, capacityKw: panel.kw, ...made, ...none }
  })
  return {
    id,
    companyId: 'comp',
    name: `MeasuredInstallation ${id}`,
    region: id,
    address: '1 Market St',
    timezone: place.timezone,
    panels,
    made: together(panels),
    earlier: new Map(),
    silences: [],
    neighbours: [],
  }
}

/** A panel of its own: a little better or worse than stated, some in shade whenever the sun shines. */
function newPanel(random: Chance, facing: number) {
  const kw = random.pick([0.35, 0.4, 0.4, 0.42])
  const quality = random.about1(0.03)
  const shade = random.next() < 0.08 ? random.between(0.08, 0.24) : 0
  const tree = random.next() < 0.03 ? random.between(14, 16) : 25
  const drift = random.between(-0.15, 0.15)
  const output = (sun: Sun, { hours }: DaySky, hour: number, age: number) => {
    const through = hours[hour]!
    const beam = Math.max(0, (through - 0.25) / 0.75)
    const lost = shade * beam * (1 + drift * age) + (hour >= tree ? 0.6 * beam : 0)
    const clear = sun.light * (1 + facing * beam * 0.3 * sun.west)
    return kw * quality * clear * through * (1 - lost) * random.about1(0.04)
  }
  return { kw, output }
}

function loggerOutages(random: Chance, days: number, begin: number): [number, number][] {
  return Array.from({ length: random.whole(0, 4) }, (): [number, number] => {
    const from = begin + random.between(0, days) * dayMs
    return [from, from + random.between(1, 11) * hourMs]
  })
}

interface MadeHour {
  kwh: number
  heard: boolean
}

function report(
  made: { days: Map<number, DayTotal>; hours: Map<number, Hours> },
  day: number,
  output: MadeHour[],
  { anHour, atNight }: { anHour: number; atNight: boolean },
  random: Chance,
): void {
  if (anHour === 0) {
    // A meter counts on while nobody hears it.
    const kwh = output.reduce((sum, hour) => sum + hour.kwh, 0)
    if (!output[19]!.heard) return
    made.days.set(day, { kwh, readings: 1 })
    made.hours.set(
      day,
      output.map((_, hour) => (hour === 19 ? kwh : null)),
    )
    return
  }
  // A reading is lost now and then; of four in an hour the others are there.
  const hours = output.map(({ kwh, heard }, hour) =>
    heard && (atNight || (hour >= 6 && hour < 20)) && random.next() >= 0.004 ? kwh : null,
  )
  const known = hours.filter((kwh) => kwh !== null)
  if (known.length === 0) return
  made.hours.set(day, hours)
  made.days.set(day, { kwh: known.reduce((a, b) => a + b, 0), readings: known.length * anHour })
}

export function together(panels: readonly MeasuredPanel[]): MeasuredInstallation['made'] {
  const days = new Map<number, DayTotal>()
  const hours = new Map<number, (number | null)[]>()
  for (const panel of panels) {
    for (const [day, { kwh, readings }] of panel.days) {
      const sum = days.get(day) ?? { kwh: 0, readings: 0 }
      days.set(day, { kwh: sum.kwh + kwh, readings: sum.readings + readings })
    }
    for (const [day, own] of panel.hours) {
      const sum = hours.get(day) ?? own.map(() => null)
      hours.set(
        day,
        own.map((kwh, i) => (kwh === null ? (sum[i] ?? null) : (sum[i] ?? 0) + kwh)),
      )
    }
  }
  return { days, hours }
}

function localDay(day: number, timezone: string): { day: number; startMs: number; length: number } {
  const date = Temporal.PlainDate.from(new Date(day * dayMs).toISOString().slice(0, 10))
  const startMs = date.toZonedDateTime(timezone).epochMilliseconds
  const endMs = date.add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds
  return { day, startMs, length: (endMs - startMs) / hourMs }
}
