import type { Db } from '../../platform/db.ts'
import { DomainError } from '../domain-error.ts'
import type { Company } from './company.ts'
import { findCompany } from './queries.ts'

/** A company by id or number, where whoever asks may see all of them. */
export async function requireCompany(db: Db, idOrNumber: string): Promise<Company> {
  const company = await findCompany(db, idOrNumber)
  if (!company) throw new DomainError('not_found', `There is no company ${idOrNumber}.`)
  return company
}
