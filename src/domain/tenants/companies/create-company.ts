import type { Database } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { commandLine } from '../../journal/audit/command-line.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Actor } from '../../kernel/context.ts'
import { defaultTimezone } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { bumpDirectory, insertClock } from '../../kernel/tenant/clock-queries.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import { findCompany, insertCompany } from '../../kernel/tenant/queries.ts'
import { createDefaultLadders } from '../ladders/create-default-ladders.ts'
import { checkCompany } from './check-company.ts'

export interface NewCompany {
  name: string
  timezone?: string | undefined
  /** The installer that a dealer belongs to; absent for an installer. */
  installer?: string | undefined
}

/** Makes an installer with its clock and default ladders, or a dealer of one. */
export async function createCompany(
  db: Database,
  now: Date,
  input: NewCompany,
  by?: Actor,
): Promise<Company> {
  checkCompany(input)
  const name = input.name.trim()
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
      await insertClock(tx, { installerId: id, now })
      await createDefaultLadders(tx, id)
      return company
    }
    const installer = await findCompany(tx, { idOrNumber: input.installer })
    if (installer?.kind !== 'installer') {
      throw new DomainError('invalid', `There is no installer ${input.installer}.`)
    }
    await bumpDirectory(tx, installer.id)
    const timezone = input.timezone ?? installer.timezone
    const dealer = await insertCompany(tx, {
      id,
      installerId: installer.id,
      kind: 'dealer',
      name,
      timezone,
      createdAt: now,
    })
    await recordSetting(tx, by ?? commandLine(installer), now, {
      type: 'company.created',
      companyId: dealer.id,
      subjectId: dealer.id,
      name,
      changes: { name: [null, name], timezone: [null, timezone] },
    })
    return dealer
  })
}
