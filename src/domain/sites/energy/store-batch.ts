import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import type { Context } from '../../kernel/context.ts'
import { type Batch, choose, pick } from './batch.ts'
import { addInstallationDays, addPanelDays } from './day-sum-queries.ts'
import { createDaySums } from './day-sums.ts'
import { placesIn } from './local-time.ts'
import { createPartitionsFor, lacksPartition } from './partitions.ts'
import { type Checked, checkBatch, intervalsOf, longestMs, maxOf } from './plausible.ts'
import {
  countQuarantined,
  forgetReplaced,
  type Impossible,
  listBefore,
  quarantine,
} from './quarantine-queries.ts'
import {
  findReadings,
  insertReadings,
  isKnownReading,
  type LockedInstallation,
  lockInstallations,
  replaceReadings,
} from './reading-queries.ts'

/** What became of the values that were sent. */
export interface Stored {
  accepted: number
  /** How many of these gave another value to a time that had one. */
  updated: number
  quarantined: number
}

/** A batch that has to be looked at one by one, which is found only while it is written. */
class NeedsCare extends Error {}

/**
 * Writes readings and everything that sums them, at once. At first all are taken for new and for possible, as nearly
 * always they are: making sure beforehand would take as long as adding them. Where one is not, the transaction is undone,
 * and made again with care: held against what is there, one by one.
 */
export async function storeBatch(ctx: Context, batch: Batch): Promise<Stored> {
  let checked = batch.earlier.size > 0 ? null : checkBatch(batch)
  for (let left = 3; ; left--) {
    try {
      return await (checked ? storeAsNew(ctx, batch, checked) : storeWithCare(ctx, batch))
    } catch (error) {
      if (left === 0) throw error
      if (isKnownReading(error) || error instanceof NeedsCare) checked = null
      else if (lacksPartition(error)) await createPartitionsFor(ctx.db, batch.at)
      else throw error
    }
  }
}

const installationsOf = ({ panels }: Batch) => [
  ...new Set(panels.map(({ installationId }) => installationId)),
]

function storeAsNew(
  { db, actor: { installerId } }: Context,
  batch: Batch,
  checked: Checked,
): Promise<Stored> {
  return db.transaction(async (tx) => {
    // Whoever sends readings of the same installation meanwhile waits here, before what is there is read.
    const installations = await lockInstallations(tx, installerId, installationsOf(batch))
    await insertReadings(tx, installerId, batch)
    await addToDays(tx, installerId, batch, new Map(), installations, checked)
    return { accepted: batch.at.length, updated: 0, quarantined: 0 }
  })
}

function storeWithCare({ db, actor: { installerId }, now }: Context, batch: Batch): Promise<Stored> {
  return db.transaction(async (tx) => {
    const touched = installationsOf(batch)
    const installations = await lockInstallations(tx, installerId, touched)
    const before = await findReadings(tx, installerId, batch)
    const intervals = intervalsOf(batch, await listBefore(tx, installerId, batch))
    const { stored, counted, replacing, impossible } = sortOut(batch, before, intervals)
    await writeReadings(tx, installerId, choose(batch, counted), installations)
    const replaced = await forgetReplaced(tx, installerId, pick(batch, replacing))
    if (impossible.length > 0) await quarantine(tx, installerId, impossible, now)
    if (impossible.length > 0 || replaced > 0)
      await countQuarantined(tx, { installerId, installationIds: touched })
    return stored
  })
}

/** Writes values that count, whatever they are, in place of those that are there. */
export async function writeReadings(
  tx: Db,
  installerId: string,
  batch: Batch,
  installations: readonly LockedInstallation[],
): Promise<void> {
  if (batch.at.length === 0) return
  const before = await findReadings(tx, installerId, batch)
  const all = [...batch.at.keys()]
  const added = all.filter((i) => !before.has(i))
  const changed = all.filter((i) => before.has(i) && before.get(i) !== batch.microkwh[i])
  if (added.length > 0) await insertReadings(tx, installerId, pick(batch, added))
  if (changed.length > 0) await replaceReadings(tx, installerId, pick(batch, changed))
  await addToDays(tx, installerId, batch, before, installations, null)
}

/**
 * Which of the values sent for each time counts: the last one that is possible, or the one that is there already. The
 * last one of all is kept aside where it is not possible.
 */
function sortOut(batch: Batch, before: ReadonlyMap<number, number>, intervals: readonly number[]) {
  const stored: Stored = { accepted: 0, updated: 0, quarantined: 0 }
  const counted = new Map<number, number>()
  const replacing: number[] = []
  const impossible: Impossible[] = []
  for (let i = 0; i < batch.at.length; i++) {
    const maxMicrokwh = maxOf(batch.panels[batch.panel[i]!]!, intervals[i]!)
    const standing = before.get(i)
    let stands = standing
    let last = { microkwh: 0, possible: true }
    for (const microkwh of [...(batch.earlier.get(i) ?? []), batch.microkwh[i]!]) {
      last = { microkwh, possible: microkwh <= maxMicrokwh || microkwh === stands }
      if (!last.possible) {
        stored.quarantined++
        continue
      }
      stored.accepted++
      if (stands !== undefined && stands !== microkwh) stored.updated++
      stands = microkwh
    }
    if (stands !== undefined && stands !== standing) counted.set(i, stands)
    if (last.possible) {
      replacing.push(i)
      continue
    }
    const { panelIds, at } = batch
    const times = { intervalMs: intervals[i]!, mostMicrokwh: maxMicrokwh }
    impossible.push({
      id: newId('qrd'),
      panelId: panelIds[i]!,
      at: at[i]!,
      microkwh: last.microkwh,
      ...times,
    })
  }
  return { stored, counted, replacing, impossible }
}

/** Adds what readings bring to the days of their panels and installations, where these values stood before. */
async function addToDays(
  tx: Db,
  installerId: string,
  batch: Batch,
  before: ReadonlyMap<number, number>,
  installations: readonly LockedInstallation[],
  checked: Checked | null,
): Promise<void> {
  const sums = sumsOf(batch, before, installations, checked)
  const guard = checked && {
    from: new Date(Math.min(...batch.at) - longestMs),
    until: new Date(Math.max(...batch.at)),
  }
  const made = await addPanelDays(tx, installerId, batch.panels, sums.panelDays.all(), guard)
  if (made === null) throw new NeedsCare()
  for (const { sum, followed, lastMs } of made) {
    if (checked && !isPossible(checked, sum.of, sum.latest, followed, lastMs)) throw new NeedsCare()
    sums.installationDays.addPanel(sums.installationOf[sum.of]!, sum.day)
  }
  await addInstallationDays(tx, installerId, installations, sums.installationDays.all())
}

/** Whether a day's first reading is possible, by what there was on the day before. */
function isPossible(
  { begins }: Checked,
  panel: number,
  latest: number,
  followed: boolean,
  lastMs: number | null,
): boolean {
  return followed ? lastMs !== null && lastMs <= latest : begins[panel] === 1
}

function sumsOf(
  { panel, panels, at, microkwh }: Batch,
  before: ReadonlyMap<number, number>,
  installations: readonly LockedInstallation[],
  checked: Checked | null,
) {
  const panelDays = createDaySums()
  const installationDays = createDaySums()
  const placeOf = new Map(installations.map(({ id }, i) => [id, i]))
  const installationOf = panels.map(({ installationId }) => placeOf.get(installationId)!)
  const clocks = installations.map(({ timezone }) => placesIn(timezone))
  for (let i = 0; i < at.length; i++) {
    const value = before.get(i)
    if (value === microkwh[i]) continue
    const installation = installationOf[panel[i]!]!
    const place = clocks[installation]!(at[i]!)
    const reading = {
      at: at[i]!,
      microkwh: microkwh[i]! - (value ?? 0),
      isNew: value === undefined,
      latest: checked?.latest[i] ?? at[i]!,
    }
    panelDays.add(panel[i]!, place, reading)
    installationDays.add(installation, place, reading)
  }
  return { panelDays, installationDays, installationOf }
}
