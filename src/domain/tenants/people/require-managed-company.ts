import type { Db } from '../../../platform/db.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'

/** The company whose people the actor lets in: their own, or an installer's dealer where one is named. */
export async function requireManagedCompany(
  { directories, actor }: Context,
  db: Db,
  id = actor.companyId,
): Promise<Company> {
  const { companies } = await directories.current(db, actor.installerId)
  const confined = confinedTo(actor)
  if (!companies.has(id) || (confined !== null && confined !== id)) throw notFound('company')
  return requireCompany(db, id)
}
