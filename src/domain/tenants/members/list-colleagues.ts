import { type Context, confinedTo } from '../../kernel/context.ts'
import type { Member } from '../../kernel/tenant/member.ts'
import { requireCompanyOf } from '../../kernel/tenant/require-named.ts'

/** The members whom a program of the company may know, as they were added: its own, and an installer's dealers'. */
export async function listColleagues(
  { db, directories, actor }: Context,
  { companyId, after, limit }: { companyId: string | null; after: string; limit: number },
): Promise<{ members: Member[]; next: string | null }> {
  const directory = await directories.current(db, actor.installerId)
  const company = companyId === null ? confinedTo(actor) : requireCompanyOf(directory, actor, companyId)
  const found = [...directory.members.values()]
    .filter((member) => member.id > after && (company === null || member.companyId === company))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const members = found.slice(0, limit).map(shown)
  return { members, next: found.length > limit ? members.at(-1)!.id : null }
}

/** In an order of its own: it is answered as it is. */
function shown({ id, companyId, name, email, phone, role, active }: Member): Member {
  return { id, companyId, name, email, phone, role, active }
}
