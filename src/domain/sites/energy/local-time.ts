/** A time span in which a zone's clock keeps one offset from UTC. */
interface Span {
  from: number
  until: number
  offsetMs: number
}

/** A day as the days since 1970-01-01, as the clock of some zone counts them. */
export type Day = number

/** Days, both inclusive. */
export interface DayRange {
  first: Day
  last: Day
}

/** Where a reading belongs: its local day, and the hour of that day, counted from 1 as the roll-ups' `hours` are. */
export interface Place {
  day: Day
  slot: number
}

export interface LocalInstant {
  ms: number
  offsetMs: number
}

const hourMs = 3_600_000
const dayMs = 86_400_000
// No clock is further from UTC than this.
const maxOffsetMs = 15 * hourMs
const knownFrom = Date.UTC(1999, 0, 1)
const knownUntil = Date.UTC(2101, 0, 1)

const known = new Map<string, Span[]>()

/** A hundred years of a zone's clock, looked up once: asking Temporal for each reading costs thirty times as much. */
function spansOf(zone: string): Span[] {
  const found = known.get(zone)
  if (found) return found
  const spans: Span[] = []
  let at = Temporal.Instant.fromEpochMilliseconds(knownFrom).toZonedDateTimeISO(zone)
  for (let from = Number.NEGATIVE_INFINITY; ; ) {
    const next = at.getTimeZoneTransition('next')
    const until = next && next.epochMilliseconds < knownUntil ? next.epochMilliseconds : null
    spans.push({ from, until: until ?? Number.POSITIVE_INFINITY, offsetMs: at.offsetNanoseconds / 1e6 })
    if (until === null) break
    from = until
    at = next!
  }
  known.set(zone, spans)
  return spans
}

function spanAt(spans: readonly Span[], ms: number): number {
  let low = 0
  let high = spans.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (spans[middle]!.from <= ms) low = middle
    else high = middle - 1
  }
  return low
}

/** How places of one zone are found, for many instants in turn. */
export function placesIn(zone: string): (ms: number) => Place {
  const spans = spansOf(zone)
  let span = spans[0]!
  return (ms) => {
    if (ms < span.from || ms >= span.until) span = spans[spanAt(spans, ms)]!
    const day = Math.floor((ms + span.offsetMs) / dayMs)
    const midnight = day * dayMs - span.offsetMs
    if (isPlain(span, midnight)) {
      return { day, slot: Math.floor((ms - midnight) / hourMs) + 1 }
    }
    return { day, slot: slotOf(hoursOfDay(zone, day), ms, span.offsetMs) }
  }
}

/** Whether the clock is not changed on this day, nor so near to it that it could show some of it twice. */
function isPlain({ from, until }: Span, midnight: number): boolean {
  return from <= midnight - dayMs && midnight + 2 * dayMs <= until
}

/** The hour that the clock shows: of two, the one it shows with this offset, if that one began with it. */
function slotOf(hours: readonly LocalInstant[], ms: number, offsetMs: number): number {
  const shown = Math.floor((ms + offsetMs) / hourMs)
  const full = hours.findIndex(
    (start) => start.offsetMs === offsetMs && start.ms + offsetMs === shown * hourMs,
  )
  if (full >= 0) return full + 1
  return hours.findIndex((start) => Math.floor((start.ms + start.offsetMs) / hourMs) === shown) + 1
}

const oddDays = new Map<string, LocalInstant[]>()

/**
 * The hours of a day on which the clock may change. An hour begins when the clock shows a full one, for the second time
 * too, or where that is left out, with what is shown of it. Where the clock is put back into the midst of an hour (Lord
 * Howe), what it shows of that for the second time belongs to the first, which lasts so much longer.
 */
function hoursOfDay(zone: string, day: Day): LocalInstant[] {
  const key = `${zone} ${day}`
  const known = oddDays.get(key)
  if (known) return known
  const hours: LocalInstant[] = []
  for (let local = day * dayMs; local < (day + 1) * dayMs; local += hourMs) {
    const parts = [...partsOf(spansOf(zone), local, hourMs)]
    hours.push(...parts.filter(({ ms, offsetMs }, i) => i === 0 || ms + offsetMs === local))
  }
  hours.sort((a, b) => a.ms - b.ms)
  oddDays.set(key, hours)
  return hours
}

/** The parts of a local time span, in order: the clock may show it in several, or in none. */
function* partsOf(spans: readonly Span[], local: number, lengthMs: number): Generator<LocalInstant> {
  for (let i = spanAt(spans, local - maxOffsetMs); i < spans.length; i++) {
    const { from, until, offsetMs } = spans[i]!
    if (from > local + lengthMs + maxOffsetMs) return
    const start = Math.max(from, local - offsetMs)
    if (start < Math.min(until, local + lengthMs - offsetMs)) yield { ms: start, offsetMs }
  }
}

/** When a day begins: at midnight, or where the clock leaves that out, at its first moment. */
export function startOfDay(zone: string, day: Day): LocalInstant {
  const spans = spansOf(zone)
  for (const part of partsOf(spans, day * dayMs, dayMs)) return part
  // A whole day left out, as in Samoa in 2011: it is over when it begins.
  return startOfDay(zone, day + 1)
}

/** When the hour begins that a place stands for. */
export function startOfSlot(zone: string, { day, slot }: Place): LocalInstant {
  const spans = spansOf(zone)
  const span = spans[spanAt(spans, day * dayMs)]!
  const { offsetMs } = span
  const midnight = day * dayMs - offsetMs
  if (isPlain(span, midnight)) return { ms: midnight + (slot - 1) * hourMs, offsetMs }
  return hoursOfDay(zone, day)[slot - 1] ?? startOfDay(zone, day)
}

const plainHours = 24

/** When each hour of a day begins, in the order of the roll-ups' `hours`: 23 or 25 where the clock is changed. */
export function slotsOf(zone: string, day: Day): LocalInstant[] {
  const spans = spansOf(zone)
  const span = spans[spanAt(spans, day * dayMs)]!
  if (!isPlain(span, day * dayMs - span.offsetMs)) return hoursOfDay(zone, day)
  return Array.from({ length: plainHours }, (_, i) => startOfSlot(zone, { day, slot: i + 1 }))
}

/** Whether every hour of the one clock lies within an hour of the other. */
export function sameHours(zone: string, other: string): boolean {
  if (zone === other) return true
  const minutes = new Set(
    [...spansOf(zone), ...spansOf(other)].map(({ offsetMs }) => modulo(offsetMs, hourMs)),
  )
  return minutes.size === 1
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

export function dayOf(text: string): Day {
  return Date.parse(`${text}T00:00:00Z`) / dayMs
}

export function dayText(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** The local time with its offset, such as 2026-03-08T00:00:00-08:00. */
export function localText({ ms, offsetMs }: LocalInstant): string {
  const sign = offsetMs < 0 ? '-' : '+'
  const minutes = Math.abs(offsetMs) / 60_000
  const two = (value: number) => String(value).padStart(2, '0')
  const offset = `${sign}${two(Math.floor(minutes / 60))}:${two(Math.floor(minutes % 60))}`
  return new Date(ms + offsetMs).toISOString().slice(0, 19) + offset
}
