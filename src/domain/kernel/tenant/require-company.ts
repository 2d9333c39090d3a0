import type { Db } from '../../../platform/db.ts'
import { type Context, confinedTo } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import type { Company } from './company.ts'
import { findCompany, findCompanyNumbered } from './queries.ts'

/** A company by id or number, where whoever asks may see all of them. */
export async function requireCompany(db: Db, idOrNumber: string): Promise<Company> {
  const company = await findCompany(db, { idOrNumber })
  if (!company) throw new DomainError('not_found', `There is no company ${idOrNumber}.`)
  return company
}

// Company numbers are 32-bit; what has more digits is nobody's.
const numberForm = /^\d{1,9}$/

/** The id of the company with this number, among those whose records the caller may see. */
export async function requireCompanyNumbered({ db, actor }: Context, number: string): Promise<string> {
  const { installerId } = actor
  const id = numberForm.test(number)
    ? await findCompanyNumbered(db, { installerId, number: Number(number) })
    : null
  const confined = confinedTo(actor)
  if (id === null || (confined !== null && id !== confined)) throw notFound('company')
  return id
}

/** Makes sure that this is the caller's installer, by its id or number. */
export async function requireInstallerNamed(ctx: Context, idOrNumber: string): Promise<void> {
  const { db, actor } = ctx
  if (idOrNumber === actor.installerId) return
  const id = numberForm.test(idOrNumber)
    ? await findCompanyNumbered(db, { installerId: actor.installerId, number: Number(idOrNumber) })
    : null
  if (id !== actor.installerId) throw notFound('installer')
}
