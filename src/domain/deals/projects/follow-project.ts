import type { Db } from '../../../platform/db.ts'
import type { Actor } from '../../kernel/context.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { isComplete, recountEnergy } from '../../sites/energy/recount.ts'
import { findInstallation } from '../../sites/installations/queries.ts'
import { regionOf } from '../../sites/installations/region.ts'
import { timezoneMoved } from '../../sites/installations/update-installation.ts'
import { isChanged, writeInstallation } from '../../sites/installations/write-installation.ts'
import type { Deal } from '../changes/deal.ts'
import type { Lead } from '../leads/lead.ts'
import { oneLine } from '../leads/one-line-address.ts'

/** What an installation is called and where it stands, as its customer and their address have it. */
export function installationDetails({ customer, address }: Pick<Lead, 'customer' | 'address'>) {
  return {
    name: [customer.firstName, customer.lastName].filter(Boolean).join(' ') || 'Installation',
    address: oneLine(address),
    region: regionOf(address),
  }
}

const parts = ['name', 'address', 'region'] as const

/** Whether a change of a deal moves the installation that it became. Whom an erasure leaves nameless is taken off it there. */
export function movesInstallation(before: Deal, after: Deal): boolean {
  if (!after.project?.installationId || before.lead === after.lead || after.lead.erasedAt !== null)
    return false
  const [from, to] = [installationDetails(before.lead), installationDetails(after.lead)]
  return parts.some((part) => from[part] !== to[part])
}

/**
 * Lets an installation follow its project: each of its name, address and region that still is what the project said.
 * Under the tenant's lock, in the transaction that changes the deal.
 */
export async function followProject(
  tx: Db,
  actor: Actor,
  now: Date,
  before: Deal,
  after: Deal,
): Promise<void> {
  const { installerId } = actor
  const id = after.project!.installationId!
  const installation = await findInstallation(tx, { installerId, id })
  if (!installation) return
  const [from, to] = [installationDetails(before.lead), installationDetails(after.lead)]
  const follow = (part: (typeof parts)[number]) =>
    installation[part] === from[part] ? to[part] : installation[part]
  const region = follow('region')
  const moved = {
    ...installation,
    name: follow('name'),
    address: follow('address'),
    region,
    timezone: timezoneMoved(installation, region),
  }
  if (!isChanged(installation, moved)) return
  let recount = null
  if (moved.timezone !== installation.timezone) {
    recount = await recountEnergy(tx, installerId, id, moved.timezone)
    // Where not all readings are kept its days stay those of the clock they were counted by.
    if (!isComplete(recount)) moved.timezone = installation.timezone
  }
  const at = await takeTimes(tx, installerId, now, 1)
  await writeInstallation(tx, actor, at, installation, moved, recount)
}
