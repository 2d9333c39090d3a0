import type { Database, Db } from '../../../platform/db.ts'
import { rerender } from '../../deals/renderings/rerender.ts'
import { commandLine } from '../../journal/audit/command-line.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { requireUnchanged, type Seen } from '../../kernel/changed-meanwhile.ts'
import type { Actor } from '../../kernel/context.ts'
import { differences } from '../../kernel/differences.ts'
import { bumpDirectory } from '../../kernel/tenant/clock-queries.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import { findCompany, updateCompanyRow } from '../../kernel/tenant/queries.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { checkCompany } from './check-company.ts'

export type CompanyPatch = Partial<Pick<Company, 'name' | 'timezone' | 'country' | 'status'>>

/** Changes what a company is called and where it works, or suspends or resumes it. A new name shows in its projects. */
export async function updateCompany(
  db: Database,
  now: Date,
  idOrNumber: string,
  patch: CompanyPatch,
  by?: Actor,
  seen?: Seen,
): Promise<Company> {
  checkCompany(patch)
  return db.transaction(async (tx) => {
    const found = await requireCompany(tx, idOrNumber)
    // The lock comes before the reading that counts, so that two changes do not undo each other.
    await bumpDirectory(tx, found.installerId)
    const company = (await findCompany(tx, { idOrNumber: found.id }))!
    const changed = { ...company, ...patch }
    if (patch.name !== undefined) changed.name = patch.name.trim()
    requireUnchanged(differences(company, changed, auditedFields), seen)
    await updateCompanyRow(tx, changed)
    if (changed.name !== company.name) {
      await rerender(tx, now, company.installerId, 'company', company.id)
    }
    await note(tx, now, company, changed, by ?? commandLine(company))
    return changed
  })
}

const auditedFields = ['name', 'timezone', 'country', 'status'] as const

async function note(tx: Db, now: Date, before: Company, after: Company, actor: Actor): Promise<void> {
  const changes = differences(before, after, auditedFields)
  if (Object.keys(changes).length === 0) return
  const moved = after.status === 'suspended' ? 'company.suspended' : 'company.resumed'
  await recordSetting(tx, actor, now, {
    type: changes['status'] ? moved : 'company.changed',
    companyId: after.id,
    subjectId: after.id,
    name: after.name,
    changes,
  })
}
