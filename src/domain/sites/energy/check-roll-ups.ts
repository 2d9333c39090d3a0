import type { Database, Db } from '../../../platform/db.ts'
import { keepTrouble } from '../installations/trouble-queries.ts'
import {
  type CheckedInstallation,
  type CountedDay,
  findExtent,
  listInstallationsToCheck,
  listKeptDays,
  listPanelsToCheck,
  lockCheckedInstallation,
  replaceDays,
  type StoredDay,
  sampleInstallations,
} from './check-queries.ts'
import { kwhText } from './energy.ts'
import { type DayRange, dayText, placesIn, startOfDay } from './local-time.ts'
import { listReadings } from './queries.ts'

export interface RollUpCheck {
  installerId: string
  /** Some installations and their latest days only, by this seed; null: everything. */
  sample: string | null
  /** Sets days right whose readings are all there. */
  mend: boolean
}

/** What was found at one installation. */
export interface CheckedRollUps {
  installationId: string
  days: number
  wrong: WrongDay[]
}

export interface WrongDay {
  /** Of the panel or the installation. */
  id: string
  day: string
  /** What is kept and what the readings say; null where there is no such day. */
  kept: string | null
  counted: string | null
  mended: boolean
}

const installationsAtOnce = 100
const sampledInstallations = 20
const daysAtOnce = 31

/** Holds the days of a tenant's installations and their panels against the readings, one installation after the other. */
export async function* checkRollUps(db: Database, check: RollUpCheck): AsyncGenerator<CheckedRollUps> {
  const { installerId, sample } = check
  if (sample !== null) {
    for (const one of await sampleInstallations(db, {
      installerId,
      seed: sample,
      limit: sampledInstallations,
    }))
      yield await checkInstallation(db, check, one)
    return
  }
  for (let after = ''; ; ) {
    const some = await listInstallationsToCheck(db, { installerId, after, limit: installationsAtOnce })
    for (const one of some) yield await checkInstallation(db, check, one)
    if (some.length < installationsAtOnce) return
    after = some.at(-1)!.id
  }
}

async function checkInstallation(
  db: Database,
  check: RollUpCheck,
  one: CheckedInstallation,
): Promise<CheckedRollUps> {
  const checked: CheckedRollUps = { installationId: one.id, days: 0, wrong: [] }
  const range = await rangeOf(db, check.installerId, one)
  if (range === null) return checked
  const from = check.sample === null ? range.first : Math.max(range.first, range.last - daysAtOnce + 1)
  for (let first = from; first <= range.last; first += daysAtOnce) {
    const days = { first, last: Math.min(first + daysAtOnce - 1, range.last) }
    // One moment for all of it, or, to mend, nobody else writing.
    const found = await db.transaction(
      (tx) => checkDays(tx, check, one, days),
      check.mend ? 'read committed' : 'repeatable read',
    )
    checked.days += found.days
    checked.wrong.push(...found.wrong)
  }
  return checked
}

async function rangeOf(
  db: Db,
  installerId: string,
  { id, timezone }: CheckedInstallation,
): Promise<DayRange | null> {
  const { firstAt, lastAt, firstDay, lastDay } = await findExtent(db, { installerId, installationId: id })
  const placeOf = placesIn(timezone)
  const days = [
    ...[firstAt, lastAt].filter((at) => at !== null).map((at) => placeOf(at.getTime()).day),
    ...[firstDay, lastDay].filter((day) => day !== null),
  ]
  return days.length === 0 ? null : { first: Math.min(...days), last: Math.max(...days) }
}

async function checkDays(
  tx: Db,
  { installerId, mend }: RollUpCheck,
  one: CheckedInstallation,
  range: DayRange,
): Promise<Pick<CheckedRollUps, 'days' | 'wrong'>> {
  const key = { installerId, installationId: one.id }
  if (mend) await lockCheckedInstallation(tx, key)
  const panels = await listPanelsToCheck(tx, key)
  const counted = await countDays(tx, installerId, one, panels, range)
  const kept = new Map<string, StoredDay>()
  const wanted = { firstDay: dayText(range.first), lastDay: dayText(range.last) }
  for (const day of await listKeptDays(tx, { ...key, panelIds: panels, ...wanted })) kept.set(keyOf(day), day)
  const keys = new Set([...counted.keys(), ...kept.keys()])
  const wrong = [...keys].filter((key) => !isSame(kept.get(key), counted.get(key)))
  const days = wrong.map((key) => ({ kept: kept.get(key), counted: counted.get(key) }))
  const mendable = mend ? days.filter(isMendable) : []
  await replaceDays(
    tx,
    installerId,
    mendable.map((day) => day.counted!),
  )
  if (mendable.length > 0) await keepTrouble(tx, installerId, [one.id])
  return { days: keys.size, wrong: days.map((day) => wrongDay(day, mendable.includes(day))) }
}

const keyOf = ({ id, day }: { id: string; day: number }) => `${id} ${day}`

/** The days as the readings have them, read panel by panel. */
export async function countDays(
  tx: Db,
  installerId: string,
  { id, timezone }: CheckedInstallation,
  panels: readonly string[],
  { first, last }: DayRange,
): Promise<Map<string, CountedDay>> {
  const counted = new Map<string, CountedDay>()
  const placeOf = placesIn(timezone)
  const until = new Date(startOfDay(timezone, last + 1).ms)
  const dayOf = (of: string, day: number, ofPanels: number | null): CountedDay => {
    const key = keyOf({ id: of, day })
    const there = counted.get(key)
    if (there) return there
    const made = { id: of, day, microkwh: 0, readings: 0, panels: ofPanels, hours: [], lastMs: 0 }
    counted.set(key, made)
    return made
  }
  for (const panel of panels) {
    const from = new Date(startOfDay(timezone, first).ms)
    for await (const { at, microkwh } of readingsOf(tx, installerId, panel, from, until)) {
      const { day, slot } = placeOf(at.getTime())
      const own = dayOf(panel, day, null)
      const all = dayOf(id, day, 0)
      if (own.readings === 0) all.panels!++
      add(own, slot, at, microkwh)
      add(all, slot, at, microkwh)
    }
  }
  return counted
}

const pageSize = 5_000

/** A panel's readings in order, page by page. */
export async function* readingsOf(tx: Db, installerId: string, panelId: string, from: Date, until: Date) {
  for (let start = from; ; ) {
    const rows = await listReadings(tx, { installerId, panelId, from: start, until, limit: pageSize })
    yield* rows
    if (rows.length < pageSize) return
    start = new Date(rows.at(-1)!.at.getTime() + 1)
  }
}

function add(day: CountedDay, slot: number, at: Date, microkwh: number): void {
  day.lastMs = Math.max(day.lastMs, at.getTime())
  while (day.hours.length < slot) day.hours.push(null)
  day.hours[slot - 1] = (day.hours[slot - 1] ?? 0) + microkwh
  day.microkwh += microkwh
  day.readings++
}

function isSame(kept: StoredDay | undefined, counted: CountedDay | undefined): boolean {
  if (!kept || !counted) return false
  return (
    kept.microkwh === counted.microkwh &&
    kept.readings === counted.readings &&
    kept.panels === counted.panels &&
    kept.hours.replace(/,+$/, '') === counted.hours.map((hour) => hour ?? '').join(',')
  )
}

interface Compared {
  kept: StoredDay | undefined
  counted: CountedDay | undefined
}

/** Where readings are missing, what they made is not taken back: they may have been put away. */
function isMendable({ kept, counted }: Compared): boolean {
  return counted !== undefined && counted.readings >= (kept?.readings ?? 0)
}

function wrongDay({ kept, counted }: Compared, mended: boolean): WrongDay {
  const { id, day } = (kept ?? counted)!
  const described = (one: StoredDay | CountedDay | undefined) =>
    one ? `${kwhText(one.microkwh)} kWh of ${one.readings} readings` : null
  return {
    id,
    day: dayText(day),
    kept: described(kept),
    counted: described(counted),
    mended,
  }
}
