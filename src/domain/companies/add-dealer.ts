import { type Context, requireInstaller } from '../context.ts'
import { requireAdmin } from '../people/require-admin.ts'
import type { Company } from './company.ts'
import { createCompany } from './create-company.ts'

/** A person of an installer adds a company that sells for it. */
export async function addDealer(
  { db, now, actor }: Context,
  { name, timezone }: { name: string; timezone?: string | undefined },
): Promise<Company> {
  requireAdmin(actor, 'add dealers')
  requireInstaller(actor, 'add dealers')
  return createCompany(db, now, { name, timezone, installer: actor.installerId }, actor)
}
