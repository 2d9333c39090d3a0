import type { Db } from '../../../platform/db.ts'
import { type Context, confinedTo } from '../context.ts'
import { notFound } from '../domain-error.ts'
import type { Member } from './member.ts'

/** A member of the actor's company, or of a dealer of theirs. */
export async function requirePerson({ directories, actor }: Context, db: Db, id: string): Promise<Member> {
  const { members } = await directories.current(db, actor.installerId)
  const member = members.get(id)
  const confined = confinedTo(actor)
  if (!member || (confined !== null && confined !== member.companyId)) throw notFound('person')
  return member
}
