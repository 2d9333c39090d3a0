import type { Db } from '../../../platform/db.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import type { Actor } from '../../kernel/context.ts'
import { type Recount, replaceCounted } from '../energy/recount.ts'
import { type Installation, installationEvent } from './installation.ts'
import { updateInstallationRow } from './queries.ts'

export type InstallationFields = Pick<Installation, 'name' | 'address' | 'region' | 'timezone'>

export const installationFields = [
  'name',
  'address',
  'region',
  'timezone',
] as const satisfies (keyof InstallationFields)[]

export function isChanged(before: Installation, after: Installation): boolean {
  return installationFields.some((field) => before[field] !== after[field])
}

/**
 * Writes an installation that is held by the tenant's lock, and tells of it. Answers it as it now is; null, having
 * written nothing, where its days are to be counted by another clock and what was counted is not what there is now.
 */
export async function writeInstallation(
  tx: Db,
  actor: Actor,
  at: Date,
  before: Installation,
  after: Installation,
  recount: Recount | null,
): Promise<Installation | null> {
  if (before.timezone !== after.timezone) {
    if (recount?.timezone !== after.timezone) return null
    if (!(await replaceCounted(tx, before.installerId, before.id, recount))) return null
  }
  const changed = { ...after, version: before.version + 1, updatedAt: at }
  await updateInstallationRow(tx, before, changed)
  await recordEvents(tx, actor, at, [installationEvent('installation.updated', changed, before)])
  return changed
}
