import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import { createCompany } from './create-company.ts'

export type Dealer = Company & {
  /** Who can sign in for it. */
  people: number
}

/** An installer's dealers by number, those after `afterNumber`. */
export async function listDealers(
  { db, directories, actor }: Context,
  { afterNumber, limit }: { afterNumber: number; limit: number },
): Promise<Dealer[]> {
  authorize(actor, 'dealers.manage')
  const { companies, members } = await directories.current(db, actor.installerId)
  const active = Map.groupBy(
    [...members.values()].filter((member) => member.active),
    ({ companyId }) => companyId,
  )
  return [...companies.values()]
    .filter(({ kind, number }) => kind === 'dealer' && number > afterNumber)
    .sort((a, b) => a.number - b.number)
    .slice(0, limit)
    .map((company) => ({ ...company, people: active.get(company.id)?.length ?? 0 }))
}

/** A person of an installer adds a company that sells for it. */
export async function addDealer(
  { db, now, actor }: Context,
  { name, timezone }: { name: string; timezone?: string | undefined },
): Promise<Company> {
  authorize(actor, 'dealers.manage')
  return createCompany(db, now, { name, timezone, installer: actor.installerId }, actor)
}
