import type { Database } from '../platform/db.ts'
import type { Directories } from './companies/directories.ts'
import { DomainError } from './domain-error.ts'

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
}

/** What every use case is given: nothing is ambient. */
export interface Context {
  db: Database
  directories: Directories
  actor: Actor
  now: Date
}

/** The company a reader is confined to; null for the installer, who sees the whole tenant. */
export function confinedTo(actor: Actor): string | null {
  return actor.companyKind === 'installer' ? null : actor.companyId
}

export function requireWriter(actor: Actor): void {
  if (!actor.canWrite)
    throw new DomainError('forbidden', 'This key may only read. Use a key with full access.')
}

export function requireInstaller(actor: Actor, what: string): void {
  if (actor.companyKind !== 'installer') {
    throw new DomainError('forbidden', `Only the installer's key may ${what}. This key belongs to a dealer.`)
  }
}
