import type { Database } from '../../platform/db.ts'
import { rerender } from '../renderings/rerender.ts'
import type { Company } from './company.ts'
import { bumpDirectory, findCompany, updateCompany } from './queries.ts'
import { requireCompany } from './require-company.ts'

/** Renames a company, which shows in its projects as a change, or suspends or resumes it. */
export async function changeCompany(
  db: Database,
  now: Date,
  idOrNumber: string,
  patch: { name?: string; status?: Company['status'] },
): Promise<Company> {
  return db.transaction(async (tx) => {
    const found = await requireCompany(tx, idOrNumber)
    // The lock comes before the reading that counts, so that two changes do not undo each other.
    await bumpDirectory(tx, found.installerId)
    const company = (await findCompany(tx, found.id))!
    const changed = { ...company, ...patch }
    await updateCompany(tx, changed)
    if (changed.name !== company.name) {
      await rerender(tx, now, company.installerId, 'company', company.id)
    }
    return changed
  })
}
