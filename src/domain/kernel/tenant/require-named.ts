import { type Actor, confinedTo } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { emailKey } from '../email.ts'
import type { Directory } from './directory.ts'
import type { Member } from './member.ts'
import { type ProductLine, quotedName, type Stage, stageNames } from './stage.ts'

/** The company of this id, among those whose records the actor sees. */
export function requireCompanyOf(directory: Directory, actor: Actor, id: string): string {
  const confined = confinedTo(actor)
  if (!directory.companies.has(id) || (confined !== null && id !== confined)) throw notFound('company')
  return id
}

/** A member by id or email, among those that the actor sees; also one who has left, whose records are still there. */
export function requireMember(directory: Directory, actor: Actor, idOrEmail: string): Member {
  const confined = confinedTo(actor)
  const seen = (member: Member | undefined) => member && (confined === null || member.companyId === confined)
  const byId = directory.members.get(idOrEmail)
  if (byId && seen(byId)) return byId
  const email = emailKey(idOrEmail)
  const found = [...directory.members.values()].filter((member) => member.email === email && seen(member))
  if (found.length === 0) throw notFound('member')
  if (found.length > 1)
    throw new DomainError(
      'invalid',
      `salesRep: ${found.length} companies have a member with this email. Send the id of the one you mean: ${found
        .map(({ id }) => id)
        .slice(0, 10)
        .join(', ')}.`,
    )
  return found[0]!
}

/** The stage of this id, or those of this name: both ladders may have one. */
export function requireStages(
  directory: Directory,
  idOrName: string,
  line: ProductLine | undefined,
): Stage[] {
  const byId = directory.stages.get(idOrName)
  if (byId) return [byId]
  if (/^stg_/.test(idOrName)) throw notFound('stage')
  const name = idOrName.toLowerCase()
  const ladders = [...directory.stages.values()].filter(
    (stage) => !stage.retired && (!line || stage.productLine === line),
  )
  const found = ladders.filter((stage) => stage.name.toLowerCase() === name)
  if (found.length > 0) return found
  throw new DomainError(
    'invalid',
    `stage: no ladder has ${quotedName(idOrName)}. There are: ${stageNames(ladders)}.`,
  )
}
