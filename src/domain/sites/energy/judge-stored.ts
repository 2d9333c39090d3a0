import type { Database, Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { keepTrouble } from '../installations/trouble-queries.ts'
import { type CountedDay, lockCheckedInstallation, replaceDays } from './check-queries.ts'
import { countDays, readingsOf } from './check-roll-ups.ts'
import {
  clearCoverage,
  clearPanelDay,
  countUnjudged,
  deleteReadings,
  listUnjudged,
  type UnjudgedDay,
} from './judge-queries.ts'
import { type DayRange, dayText, placesIn, startOfDay } from './local-time.ts'
import { longestMs, maxOf } from './plausible.ts'
import { countQuarantined, type Impossible, quarantine } from './quarantine-queries.ts'

interface JudgedInstallation {
  id: string
  timezone: string
}

/**
 * Judges readings that were stored before any were: what their panel cannot have made goes into quarantine and out of
 * every total. By the same measure as what is sent now, but for panels that are gone, of which nobody could decide
 * anything. Answers how many; a day that was judged is not judged again.
 */
export async function judgeStored(
  db: Database,
  installerId: string,
  installation: JudgedInstallation,
  range: DayRange,
  now: Date,
): Promise<number> {
  const key = { installerId, installationId: installation.id }
  const wanted = { ...key, firstDay: dayText(range.first), lastDay: dayText(range.last) }
  if ((await countUnjudged(db, wanted)).days === 0) return 0
  return db.transaction(async (tx) => {
    await lockCheckedInstallation(tx, key)
    const days = await listUnjudged(tx, wanted)
    const impossible = await findImpossible(tx, installerId, installation, range, days)
    if (impossible.length > 0) {
      await deleteReadings(tx, installerId, impossible)
      await quarantine(tx, installerId, impossible, now)
    }
    await countAgain(tx, installerId, installation, range, days, impossible)
    if (impossible.length > 0) await countQuarantined(tx, { installerId, installationIds: [installation.id] })
    return impossible.length
  })
}

const dayKey = (panelId: string, day: number) => `${panelId} ${day}`

async function findImpossible(
  tx: Db,
  installerId: string,
  { timezone }: JudgedInstallation,
  { first, last }: DayRange,
  days: readonly UnjudgedDay[],
): Promise<Impossible[]> {
  const placeOf = placesIn(timezone)
  const unjudged = new Set(days.map(({ panelId, day }) => dayKey(panelId, day)))
  const panels = new Map(days.map((one) => [one.panelId, one]))
  const from = new Date(startOfDay(timezone, first).ms - longestMs)
  const until = new Date(startOfDay(timezone, last + 1).ms)
  const found: Impossible[] = []
  for (const { panelId, installationId, capacityKw } of panels.values()) {
    const panel = { id: panelId, installationId, capacityKw: Number(capacityKw) }
    let before: number | null = null
    for await (const { at, microkwh } of readingsOf(tx, installerId, panelId, from, until)) {
      const ms = at.getTime()
      const intervalMs = before === null ? longestMs : Math.min(ms - before, longestMs)
      before = ms
      const mostMicrokwh = maxOf(panel, intervalMs)
      if (microkwh <= mostMicrokwh || !unjudged.has(dayKey(panelId, placeOf(ms).day))) continue
      found.push({ id: newId('qrd'), panelId, at: ms, microkwh, mostMicrokwh, intervalMs })
    }
  }
  return found
}

/** Sets the days right that lost something, and notes of all of them that they were judged. */
async function countAgain(
  tx: Db,
  installerId: string,
  installation: JudgedInstallation,
  range: DayRange,
  days: readonly UnjudgedDay[],
  impossible: readonly Impossible[],
): Promise<void> {
  const placeOf = placesIn(installation.timezone)
  const lost = new Map<string, number>()
  for (const { panelId, at } of impossible) {
    const key = dayKey(panelId, placeOf(at).day)
    lost.set(key, (lost.get(key) ?? 0) + 1)
  }
  const lostDays = new Set(impossible.map(({ at }) => placeOf(at).day))
  const panels = days[0]?.everyPanelId ?? []
  const counted = await countDays(tx, installerId, installation, panels, range)
  // Where old readings were put away, what is left of them says nothing about the day.
  const isWhole = ({ panelId, day, readings }: UnjudgedDay) => {
    const key = dayKey(panelId, day)
    return (counted.get(key)?.readings ?? 0) + (lost.get(key) ?? 0) === readings
  }
  const whole = days.filter(isWhole)
  const emptied = whole.filter(({ panelId, day }) => !counted.has(dayKey(panelId, day)))
  for (const { panelId, day } of emptied) await clearPanelDay(tx, installerId, panelId, day)
  await replaceDays(tx, installerId, [
    ...whole.flatMap(({ panelId, day }) => counted.get(dayKey(panelId, day)) ?? []),
    ...[...lostDays].flatMap(
      (day) => counted.get(dayKey(installation.id, day)) ?? emptyDay(installation.id, day),
    ),
  ])
  if (lostDays.size === 0) return
  await clearCoverage(tx, { installerId, installationId: installation.id })
  await keepTrouble(tx, installerId, [installation.id])
}

const emptyDay = (id: string, day: number): CountedDay => ({
  id,
  day,
  microkwh: 0,
  readings: 0,
  panels: 0,
  hours: [],
  lastMs: 0,
})
