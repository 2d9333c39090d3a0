import type { Database } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { DomainError } from '../domain-error.ts'
import { createDefaultLadders } from '../ladders/create-default-ladders.ts'
import { type Company, defaultTimezone, isTimezone } from './company.ts'
import { bumpDirectory, findCompany, insertClock, insertCompany } from './queries.ts'

export interface NewCompany {
  name: string
  timezone?: string | undefined
  /** The installer that a dealer belongs to; absent for an installer. */
  installer?: string | undefined
}

/** Makes an installer with its clock and default ladders, or a dealer of one. */
export async function createCompany(db: Database, now: Date, input: NewCompany): Promise<Company> {
  const name = input.name.trim()
  if (!name || name.length > 200)
    throw new DomainError('invalid', 'A company needs a name of 1 to 200 characters.')
  if (input.timezone && !isTimezone(input.timezone)) {
    throw new DomainError(
      'invalid',
      `There is no time zone ${input.timezone}. Use an IANA name such as America/Denver.`,
    )
  }
  return db.transaction(async (tx) => {
    const id = newId('comp')
    if (input.installer === undefined) {
      const timezone = input.timezone ?? defaultTimezone
      const company = await insertCompany(tx, {
        id,
        installerId: id,
        kind: 'installer',
        name,
        timezone,
        createdAt: now,
      })
      await insertClock(tx, id, now)
      await createDefaultLadders(tx, id)
      return company
    }
    const installer = await findCompany(tx, input.installer)
    if (installer?.kind !== 'installer') {
      throw new DomainError('invalid', `There is no installer ${input.installer}.`)
    }
    await bumpDirectory(tx, installer.id)
    const timezone = input.timezone ?? installer.timezone
    return insertCompany(tx, {
      id,
      installerId: installer.id,
      kind: 'dealer',
      name,
      timezone,
      createdAt: now,
    })
  })
}
