import type { Database } from '../../platform/db.ts'
import type { Share } from '../../platform/fair-queue.ts'
import { type Fragment, type Param, sql } from '../../platform/sql/sql.ts'
import { type Agent, may } from './policy.ts'
import type { Directories } from './tenant/directories.ts'
import type { Role } from './tenant/member.ts'
import type { ProductLine } from './tenant/stage.ts'

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
  /** Of a key that was made for an agent; of a person, the agent whose proposal they approve. */
  agent?: Agent | null
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
  /** Whether the caller means to change a record as it has been since this time; absent where they do not say. */
  expects?: (updatedAt: Date) => boolean
}

/** Which of a tenant's records are there for a caller: null stands for all of them. */
export interface Scope {
  installerId: string
  companyId: string | null
  productLine: ProductLine | null
  /** For those who see only the records that they are on. */
  memberId?: string | null
}

/** A scope within one product line: all that the legacy API knows. */
export type LineScope = Scope & { productLine: ProductLine }

export function scopeOf({ actor, productLine }: Context): Scope {
  return {
    installerId: actor.installerId,
    companyId: confinedTo(actor),
    productLine: productLine ?? null,
    memberId: may(actor, 'records.readAll') ? null : actor.id,
  }
}

/** Whose part of what all companies share an actor's work is: dealers share their installer's, which makes them at will. */
export function shareOf({ installerId, companyId }: Actor): Share {
  return { group: installerId, owner: companyId }
}

/** The company a reader is confined to; null for the installer, who sees the whole tenant. */
export function confinedTo(actor: Actor): string | null {
  return actor.companyKind === 'installer' ? null : actor.companyId
}

/** Who is on a deal: what those who see only their own are confined to. */
export const isOnDeal = (member: Param<string | null | undefined> | Fragment): Fragment => sql`${member} in (
  lead.sales_rep_id, lead.setter_id, project.project_manager_id, project.site_surveyor_id, project.subcontractor_id)`
