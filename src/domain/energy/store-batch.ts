import type { Context } from '../context.ts'
import { type Batch, pick } from './batch.ts'
import { createDaySums } from './day-sums.ts'
import { placesIn } from './local-time.ts'
import { lacksPartition, makePartitionsFor } from './partitions.ts'
import {
  addInstallationDays,
  addPanelDays,
  findReadings,
  insertReadings,
  isKnownReading,
  type LockedInstallation,
  lockInstallations,
  replaceReadings,
} from './write-queries.ts'

/**
 * Writes readings and everything that sums them, at once; answers how many values were changed. At first all are taken
 * for new, as nearly always they are: making sure beforehand would take as long as adding them. Where one is not, the
 * transaction is undone, and made again with the old values.
 */
export async function storeBatch(ctx: Context, batch: Batch): Promise<number> {
  let allNew = true
  for (let left = 3; ; left--) {
    try {
      return await storeAtOnce(ctx, batch, allNew)
    } catch (error) {
      if (left === 0) throw error
      if (isKnownReading(error)) allNew = false
      else if (lacksPartition(error)) await makePartitionsFor(ctx.db, batch.at)
      else throw error
    }
  }
}

function storeAtOnce(
  { db, actor: { installerId } }: Context,
  batch: Batch,
  allNew: boolean,
): Promise<number> {
  const touched = new Set(batch.panels.map(({ installationId }) => installationId))
  return db.transaction(async (tx) => {
    // Whoever sends readings of the same installation meanwhile waits here, before old values are read.
    const installations = await lockInstallations(tx, installerId, [...touched])
    const before: ReadonlyMap<number, number> = allNew
      ? new Map()
      : await findReadings(tx, installerId, batch)
    if (allNew) {
      await insertReadings(tx, installerId, batch)
    } else {
      const all = [...batch.at.keys()]
      const added = all.filter((i) => !before.has(i))
      const changed = all.filter((i) => before.has(i) && before.get(i) !== batch.microkwh[i])
      if (added.length > 0) await insertReadings(tx, installerId, pick(batch, added))
      if (changed.length > 0) await replaceReadings(tx, installerId, pick(batch, changed))
    }

    const sums = sumsOf(batch, before, installations)
    const made = await addPanelDays(tx, installerId, batch.panels, sums.panelDays.all())
    for (const { of, day } of made) sums.installationDays.addPanel(sums.installationOf[of]!, day)
    await addInstallationDays(tx, installerId, installations, sums.installationDays.all())
    let updated = batch.changes
    for (const [i, value] of before) if (value !== batch.first[i]) updated++
    return updated
  })
}

/** What is to be added to the days of panels and installations, where these values stood before. */
function sumsOf(
  { panel, panels, at, microkwh }: Batch,
  before: ReadonlyMap<number, number>,
  installations: readonly LockedInstallation[],
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
    const difference = microkwh[i]! - (value ?? 0)
    const isNew = value === undefined ? 1 : 0
    panelDays.add(panel[i]!, place, difference, isNew)
    installationDays.add(installation, place, difference, isNew)
  }
  return { panelDays, installationDays, installationOf }
}
