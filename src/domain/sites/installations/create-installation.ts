import { newId } from '../../../platform/ids.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { installerOf } from '../../kernel/tenant/directory.ts'
import {
  type Installation,
  type InstallationRecord,
  installationEvent,
  installationRecord,
} from './installation.ts'
import { kilowatts } from './panel.ts'
import { insertInstallation } from './queries.ts'
import { timezoneNamed, timezoneOf } from './region.ts'

export interface NewInstallation {
  name: string
  address: string
  region: string
  /** What its panels have together where absent. */
  capacityKw?: number | undefined
  /** That of its region, else of the company, where absent. */
  timezone?: string | undefined
}

/** Registers an installation of the actor's company. */
export async function createInstallation(ctx: Context, input: NewInstallation): Promise<InstallationRecord> {
  const { actor, db } = ctx
  const { installerId, companyId } = actor
  const stated = input.timezone === undefined ? null : timezoneNamed(input.timezone)
  if (input.timezone !== undefined && stated === null) {
    throw new DomainError(
      'invalid',
      'timezone: there is no such time zone. Use an IANA name such as America/Denver.',
    )
  }
  authorize(actor, 'installations.change')
  const timezone = stated ?? timezoneOf(input.region) ?? (await companyTimezone(ctx))
  return db.transaction(async (tx) => {
    const at = await takeTimes(tx, installerId, ctx.now, 1)
    const installation: Installation = {
      installerId,
      // Made under the tenant's lock: the order of ids is the order of registration.
      id: newId('inst'),
      companyId,
      projectId: null,
      name: input.name,
      address: input.address,
      region: input.region,
      timezone,
      capacityKw: input.capacityKw === undefined ? null : kilowatts(input.capacityKw),
      panelCount: 0,
      panelsKw: '0',
      version: 1,
      createdAt: at,
      updatedAt: at,
    }
    await insertInstallation(tx, installation)
    const record = installationRecord(installation)
    await recordEvents(tx, actor, at, [installationEvent('installation.created', installation)])
    return record
  })
}

async function companyTimezone({ directories, db, actor }: Context): Promise<string> {
  const directory = await directories.current(db, actor.installerId)
  return (directory.companies.get(actor.companyId) ?? installerOf(directory)).timezone
}
