import type { Database } from '../platform/db.ts'
import type { Share } from '../platform/fair-line.ts'
import type { Directories } from './companies/directories.ts'
import { DomainError } from './domain-error.ts'
import type { ProductLine } from './ladders/stage.ts'
import type { Role } from './members/member.ts'

export type Interface = 'company' | 'legacy' | 'catalog'

/** Who acts: a company key, a person, or the system itself. */
export interface Actor {
  kind: 'key' | 'member' | 'job'
  id: string | null
  /** As an activity shows it. */
  name: string
  installerId: string
  companyId: string
  companyKind: 'installer' | 'dealer'
  canWrite: boolean
  /** Of a person; keys and the system may do what their company may. */
  role?: Role
  /** Where a person acts from, and with what, as the audit log shows it. */
  address?: string | null
  device?: string | null
}

/** What every use case is given: nothing is ambient. */
export interface Context {
  db: Database
  directories: Directories
  actor: Actor
  now: Date
  /** For callers that know one product line only: records of the other are not there. */
  productLine?: ProductLine
}

/** Which of a tenant's records are there for a caller: null stands for all of them. */
export interface Reach {
  installerId: string
  companyId: string | null
  productLine: ProductLine | null
  /** For those who see only the records that they are on. */
  memberId?: string | null
}

/** A reach within one product line: all that the legacy API knows. */
export type LineReach = Reach & { productLine: ProductLine }

export function reachOf({ actor, productLine }: Context): Reach {
  return {
    installerId: actor.installerId,
    companyId: confinedTo(actor),
    productLine: productLine ?? null,
    memberId: seesOwnOnly(actor) ? actor.id : null,
  }
}

/** Whose part of what all companies share an actor's work is: dealers share their installer's, which makes them at will. */
export function shareOf({ installerId, companyId }: Actor): Share {
  return { group: installerId, owner: companyId }
}

/** Whether the actor sees only the records that they are on: as rep, setter, manager of the project, and so on. */
export function seesOwnOnly({ role }: Actor): boolean {
  return role === 'rep' || role === 'setter' || role === 'surveyor' || role === 'subcontractor'
}

/** Whether the actor runs the company's work: keys do, and those of its people whose role it is. */
export function runsCompany(actor: Actor): boolean {
  return !seesOwnOnly(actor)
}

/** Whether the actor reads what the company keeps to itself. */
export function readsInternal({ role }: Actor): boolean {
  return role === undefined || role === 'owner' || role === 'admin'
}

export function requireRunner(actor: Actor, what: string): void {
  if (!runsCompany(actor))
    throw new DomainError('forbidden', `Only owners, admins and managers may ${what}. Ask one of them.`)
}

/** The company a reader is confined to; null for the installer, who sees the whole tenant. */
export function confinedTo(actor: Actor): string | null {
  return actor.companyKind === 'installer' ? null : actor.companyId
}

export function requireWriter(actor: Actor): void {
  if (!actor.canWrite)
    throw new DomainError('forbidden', 'This key may only read. Use a key with full access.')
}

/** What only the installer may do was asked by a dealer. */
export class InstallerOnly extends DomainError {
  constructor(message: string) {
    super('forbidden', message)
  }
}

export function requireInstaller(actor: Actor, what: string): void {
  if (actor.companyKind === 'installer') return
  throw new InstallerOnly(
    actor.kind === 'member'
      ? `Only the installer may ${what}. Your company is a dealer.`
      : `Only the installer's key may ${what}. This key belongs to a dealer.`,
  )
}
