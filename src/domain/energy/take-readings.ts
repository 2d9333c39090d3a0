import { type Context, reachOf, requireWriter } from '../context.ts'
import { createDaySums } from './day-sums.ts'
import { placesIn } from './local-time.ts'
import { lacksPartition, makePartitionsFor } from './partitions.ts'
import { type Reading, readReading, unknownPanel } from './reading.ts'
import {
  addInstallationDays,
  addPanelDays,
  findInstallationsOf,
  findReadings,
  insertReadings,
  isKnownReading,
  lockInstallations,
  replaceReadings,
} from './write-queries.ts'

export interface Rejected {
  index: number
  message: string
}

export interface Taken {
  /** Readings that stand as they were sent, or stood until a later one of the same call. */
  accepted: number
  /** How many of these gave another value to a time that had one. */
  updated: number
  rejected: Rejected[]
}

/** So many readings are taken by one transaction: enough to be quick, few enough to hold its locks briefly. */
export const batchSize = 1_000

/** All that one call sent about one panel and one time. */
interface Sent extends Reading {
  /** The first value; the last one stands. */
  first: number
  /** How often one differed from the one before. */
  changes: number
}

/**
 * Takes readings in the order in which they were sent: of one panel and time the last one stands. What is wrong with
 * one is said, and the others are taken. Sending the same again changes nothing.
 */
export async function takeReadings(ctx: Context, sent: readonly unknown[]): Promise<Taken> {
  requireWriter(ctx.actor)
  const taken: Taken = { accepted: 0, updated: 0, rejected: [] }
  for (let from = 0; from < sent.length; from += batchSize) {
    const batch = await takeBatch(ctx, sent.slice(from, from + batchSize))
    taken.accepted += batch.accepted
    taken.updated += batch.updated
    for (const { index, message } of batch.rejected) taken.rejected.push({ index: from + index, message })
  }
  return taken
}

async function takeBatch(ctx: Context, values: readonly unknown[]): Promise<Taken> {
  const rejected: Rejected[] = []
  const good: { index: number; reading: Reading }[] = []
  const panelIds = new Set<string>()
  for (const [index, value] of values.entries()) {
    const reading = readReading(value, ctx.now)
    if (typeof reading === 'string') {
      rejected.push({ index, message: reading })
    } else {
      good.push({ index, reading })
      panelIds.add(reading.panelId)
    }
  }
  if (good.length === 0) return { accepted: 0, updated: 0, rejected }

  const installations = await findInstallationsOf(ctx.db, reachOf(ctx), [...panelIds])
  const byPanel = new Map<string, Map<number, Sent>>()
  let accepted = 0
  for (const { index, reading } of good) {
    if (!installations.has(reading.panelId)) {
      rejected.push({ index, message: unknownPanel })
      continue
    }
    accepted++
    addTo(byPanel, reading)
  }
  rejected.sort((a, b) => a.index - b.index)
  if (accepted === 0) return { accepted, updated: 0, rejected }
  const updated = await store(ctx, inOrder(byPanel), installations)
  return { accepted, updated, rejected }
}

function addTo(byPanel: Map<string, Map<number, Sent>>, { panelId, at, microkwh }: Reading): void {
  let times = byPanel.get(panelId)
  if (!times) {
    times = new Map()
    byPanel.set(panelId, times)
  }
  const before = times.get(at)
  if (!before) {
    times.set(at, { panelId, at, microkwh, first: microkwh, changes: 0 })
    return
  }
  if (before.microkwh !== microkwh) before.changes++
  before.microkwh = microkwh
}

/** By panel and time, as the index has them. */
function inOrder(byPanel: Map<string, Map<number, Sent>>): Sent[] {
  return [...byPanel.keys()]
    .sort()
    .flatMap((panelId) => [...byPanel.get(panelId)!.values()].sort((a, b) => a.at - b.at))
}

/**
 * Writes readings and everything that sums them, at once; answers how many values were changed. At first all are taken
 * for new, as nearly always they are: making sure beforehand would take as long as adding them. Where one is not, the
 * transaction is undone, and made again with the old values.
 */
async function store(
  ctx: Context,
  readings: readonly Sent[],
  installations: ReadonlyMap<string, string>,
): Promise<number> {
  let allNew = true
  for (let left = 3; ; left--) {
    try {
      return await storeAtOnce(ctx, readings, installations, allNew)
    } catch (error) {
      if (left === 0) throw error
      if (isKnownReading(error)) allNew = false
      else if (lacksPartition(error)) await makePartitionsFor(ctx.db, readings)
      else throw error
    }
  }
}

function storeAtOnce(
  { db, actor: { installerId } }: Context,
  readings: readonly Sent[],
  installations: ReadonlyMap<string, string>,
  allNew: boolean,
): Promise<number> {
  const installationOf = (panelId: string) => installations.get(panelId)!
  const touched = [...new Set(readings.map(({ panelId }) => installationOf(panelId)))].sort()
  return db.transaction(async (tx) => {
    // Whoever sends readings of the same installation meanwhile waits here, before old values are read.
    const zones = await lockInstallations(tx, installerId, touched)
    const places = new Map(touched.map((id) => [id, placesIn(zones.get(id)!)]))

    const before = allNew ? new Map<number, number>() : await findReadings(tx, installerId, readings)
    const added = allNew ? readings : readings.filter((_, index) => !before.has(index))
    const changed = allNew
      ? []
      : readings.filter(({ microkwh }, index) => (before.get(index) ?? microkwh) !== microkwh)
    if (added.length > 0) await insertReadings(tx, installerId, added)
    if (changed.length > 0) await replaceReadings(tx, installerId, changed)

    const panelDays = createDaySums()
    const installationDays = createDaySums()
    let updated = 0
    for (const [index, { panelId, at, microkwh, first, changes }] of readings.entries()) {
      const value = before.get(index)
      updated += changes + (value !== undefined && value !== first ? 1 : 0)
      if (value === microkwh) continue
      const installationId = installationOf(panelId)
      const place = places.get(installationId)!(at)
      const difference = microkwh - (value ?? 0)
      const isNew = value === undefined ? 1 : 0
      panelDays.add(panelId, place, difference, isNew)
      installationDays.add(installationId, place, difference, isNew)
    }
    const made = await addPanelDays(tx, installerId, panelDays.all())
    const panels = new Map<string, number>()
    for (const { id, day } of made) {
      const key = `${installationOf(id)} ${day}`
      panels.set(key, (panels.get(key) ?? 0) + 1)
    }
    await addInstallationDays(
      tx,
      installerId,
      installationDays.all().map((sum) => ({ ...sum, panels: panels.get(`${sum.id} ${sum.day}`) ?? 0 })),
    )
    return updated
  })
}
