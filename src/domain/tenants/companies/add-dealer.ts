import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import { createCompany } from './create-company.ts'

/** A person of an installer adds a company that sells for it. */
export async function addDealer(
  { db, now, actor }: Context,
  { name, timezone }: { name: string; timezone?: string | undefined },
): Promise<Company> {
  authorize(actor, 'dealers.manage')
  return createCompany(db, now, { name, timezone, installer: actor.installerId }, actor)
}
