import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { createKey, type NewKey } from './create-key.ts'
import type { ApiKey } from './key.ts'

/** A person makes a key for their company, or an installer's for one of its dealers. */
export async function makeKey(
  { db, directories, now, actor }: Context,
  input: Omit<NewKey, 'company'> & { company?: string | undefined },
): Promise<{ key: ApiKey; secret: string }> {
  authorize(actor, 'keys.manage')
  const company = input.company ?? actor.companyId
  const { companies } = await directories.current(db, actor.installerId)
  const confined = confinedTo(actor)
  if (!companies.has(company) || (confined !== null && confined !== company)) throw notFound('company')
  return createKey(db, now, { ...input, company }, actor)
}
