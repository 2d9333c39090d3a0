import { emailKey } from '../email.ts'
import type { Company } from './company.ts'
import type { Member } from './member.ts'
import type { ProductLine, Stage } from './stage.ts'

/**
 * What a tenant's records are rendered from besides themselves: its companies, members and ladders.
 * `version` is the tenant clock's: a write made with an outdated directory is refused by its
 * statement and made again, so a cached directory can be trusted.
 */
export interface Directory {
  installerId: string
  version: number
  companies: ReadonlyMap<string, Company>
  members: ReadonlyMap<string, Member>
  /** Active members, by company and email. */
  membersByEmail: ReadonlyMap<string, Member>
  stages: ReadonlyMap<string, Stage>
  /** Whether anybody is told of the tenant's events, now or once they are enabled again. */
  webhooks: boolean
}

const ladders = new WeakMap<Directory, Map<ProductLine, readonly Stage[]>>()

/** The stages of a ladder that are in use, in order. */
export function ladderOf(directory: Directory, productLine: ProductLine): readonly Stage[] {
  const known = ladders.get(directory)?.get(productLine)
  if (known) return known
  const ladder = [...directory.stages.values()]
    .filter((stage) => stage.productLine === productLine && !stage.retired)
    .sort((a, b) => a.position - b.position)
  ladders.set(directory, new Map(ladders.get(directory)).set(productLine, ladder))
  return ladder
}

/** An active member of a company by email, whatever form it is written in. */
export function memberByEmail(directory: Directory, companyId: string, email: string): Member | null {
  return directory.membersByEmail.get(`${companyId} ${emailKey(email)}`) ?? null
}

/** An active member of a company by email, id, or a name that no other has, compared without case. */
export function memberNamed(directory: Directory, companyId: string, text: string): Member | null {
  const email = emailKey(text)
  const staff = [...directory.members.values()].filter((m) => m.companyId === companyId && m.active)
  const known = staff.find((m) => m.id === text || m.email === email)
  if (known) return known
  const wanted = text.toLowerCase()
  const named = staff.filter((m) => m.name.toLowerCase() === wanted)
  return named.length === 1 ? named[0]! : null
}

export function installerOf(directory: Directory): Company {
  return directory.companies.get(directory.installerId)!
}
