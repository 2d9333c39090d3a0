import { requireUnchanged, type Seen } from '../../kernel/changed-meanwhile.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { isComplete, recountEnergy } from '../energy/recount.ts'
import { type Installation, type InstallationRecord, installationRecord } from './installation.ts'
import { findReachedInstallation } from './queries.ts'
import { timezoneNamed, timezoneOf } from './region.ts'
import {
  type InstallationFields,
  installationFields,
  isChanged,
  writeInstallation,
} from './write-installation.ts'

/** Absent fields are kept. */
export type InstallationPatch = { [Field in keyof InstallationFields]?: string | undefined }

const tries = 3

/**
 * Changes what an installation is called and where it stands. Days are those of its time zone, so with another one they
 * are counted again: beforehand, while others go on writing, and again where readings came meanwhile.
 */
export async function updateInstallation(
  ctx: Context,
  id: string,
  patch: InstallationPatch,
  seen?: Seen,
): Promise<InstallationRecord> {
  const { actor, db } = ctx
  const timezone = patch.timezone === undefined ? undefined : timezoneNamed(patch.timezone)
  if (timezone === null) {
    throw new DomainError(
      'invalid',
      'timezone: there is no such time zone. Use an IANA name such as America/Denver.',
    )
  }
  const fields = { ...patch, timezone }
  for (let left = tries; ; left--) {
    const found = await findReachedInstallation(db, scopeOf(ctx), id)
    if (!found) throw notFound('installation')
    authorize(actor, 'installations.change')
    const wanted = patched(found, fields)
    if (!isChanged(found, wanted)) return installationRecord(found)
    const moves = wanted.timezone !== found.timezone
    const recount = moves ? await recountEnergy(db, actor.installerId, id, wanted.timezone) : null
    const changed = await db.transaction(async (tx) => {
      // Also the tenant's lock: what is read now stays so until it is written.
      const at = await takeTimes(tx, actor.installerId, ctx.now, 1)
      const before = await findReachedInstallation(tx, scopeOf(ctx), id)
      if (!before) throw notFound('installation')
      const after = patched(before, fields)
      if (!isChanged(before, after)) return before
      requireUnchanged(differences(before, after, installationFields), seen)
      const held =
        left === 0 && moves ? await recountEnergy(tx, actor.installerId, id, after.timezone) : recount
      if (held && !isComplete(held)) throw putAway()
      return writeInstallation(tx, actor, at, before, after, held)
    })
    if (changed) return installationRecord(changed)
  }
}

function putAway(): DomainError {
  return new DomainError(
    'invalid',
    'timezone: not all readings of this installation are kept any more, so its days cannot be counted by another clock.',
  )
}

function patched(installation: Installation, patch: InstallationPatch): Installation {
  const region = patch.region ?? installation.region
  return {
    ...installation,
    name: patch.name ?? installation.name,
    address: patch.address ?? installation.address,
    region,
    timezone: patch.timezone ?? timezoneMoved(installation, region),
  }
}

/** A time zone that is its region's follows the region. */
export function timezoneMoved({ region, timezone }: Installation, to: string): string {
  return region !== to && timezone === timezoneOf(region) ? (timezoneOf(to) ?? timezone) : timezone
}
