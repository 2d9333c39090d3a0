import type { Db } from '../../../platform/db.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { batchOf, type Panel, type Readings } from './batch.ts'
import { kwhText } from './energy.ts'
import { createPartitionsFor, lacksPartition } from './partitions.ts'
import {
  countQuarantined,
  deleteQuarantined,
  findQuarantined,
  forgetReplaced,
  type Quarantined,
} from './quarantine-queries.ts'
import { lockInstallations } from './reading-queries.ts'
import { writeReadings } from './store-batch.ts'

export const decisions = ['release', 'drop'] as const
export type QuarantineDecision = (typeof decisions)[number]

/** So many are decided by one call. */
export const maxDecided = 500

/**
 * A person says of quarantined readings that they are right, and they count, or that they are not, and they are gone.
 * Answers those that were decided: others may have been meanwhile. None at all is as if there were none.
 */
export async function decideQuarantined(
  ctx: Context,
  ids: readonly string[],
  decision: QuarantineDecision,
): Promise<Quarantined[]> {
  const { db, actor } = ctx
  authorize(actor, 'quarantine.read')
  const seen = await findQuarantined(db, scopeOf(ctx), ids)
  if (seen.length === 0) throw notFound('quarantined reading')
  authorize(actor, 'quarantine.decide')
  const work = () => db.transaction((tx) => decide(tx, ctx, ids, decision))
  try {
    return await work()
  } catch (error) {
    if (!lacksPartition(error)) throw error
    await createPartitionsFor(
      db,
      seen.map(({ at }) => at.getTime()),
    )
    return work()
  }
}

async function decide(
  tx: Db,
  ctx: Context,
  ids: readonly string[],
  decision: QuarantineDecision,
): Promise<Quarantined[]> {
  const { actor, now } = ctx
  const { installerId } = actor
  // Before the installations, as those do who change them.
  await lockTenant(tx, installerId)
  const seen = await findQuarantined(tx, scopeOf(ctx), ids)
  const touched = [...new Set(seen.map(({ installationId }) => installationId))]
  const installations = await lockInstallations(tx, installerId, touched)
  // Whoever sent readings until now may have replaced some.
  const found = await findQuarantined(tx, scopeOf(ctx), ids)
  if (found.length === 0) throw notFound('quarantined reading')
  if (decision === 'release') {
    const readings = asReadings(found)
    const places = [...readings.at.keys()]
    await writeReadings(tx, installerId, batchOf(readings, places, panelsOf(found)).batch, installations)
    await forgetReplaced(tx, installerId, readings)
  } else {
    await deleteQuarantined(tx, { installerId, ids: found.map(({ id }) => id) })
  }
  await countQuarantined(tx, { installerId, installationIds: touched })
  for (const [installationId, some] of Map.groupBy(found, (one) => one.installationId)) {
    const [first] = some as [Quarantined]
    await recordSetting(tx, actor, now, {
      type: `installation.readings_${decision === 'release' ? 'released' : 'dropped'}`,
      companyId: first.companyId,
      subjectId: installationId,
      name: first.installationName,
      changes: { readings: [null, some.slice(0, maxListed).map(textOf)] },
    })
  }
  return found
}

const maxListed = 20

function textOf({ panelName, at, microkwh }: Quarantined): string {
  return `${panelName}, ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC: ${kwhText(microkwh)} kWh`
}

function asReadings(found: readonly Quarantined[]): Readings {
  return {
    panelIds: found.map(({ panelId }) => panelId),
    at: found.map(({ at }) => at.getTime()),
    microkwh: found.map(({ microkwh }) => microkwh),
  }
}

function panelsOf(found: readonly Quarantined[]): Panel[] {
  const panels = new Map(
    found.map(({ panelId, installationId, capacityKw }) => [
      panelId,
      { id: panelId, installationId, capacityKw: Number(capacityKw) },
    ]),
  )
  return [...panels.values()]
}
