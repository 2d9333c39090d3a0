import { type Actor, runsCompany } from '../context.ts'
import type { Folder } from './file.ts'

/** What the installer keeps to itself is not there for dealers. */
export function seesFolder({ companyKind }: Actor, folder: Folder): boolean {
  return companyKind === 'installer' || folder !== 'internal'
}

/** Whether the actor may take a file away: who runs the installer's work, and who put it there. */
export function removesFile(actor: Actor, { addedBy }: { addedBy: string | null }): boolean {
  if (actor.companyKind !== 'installer') return false
  return runsCompany(actor) || (actor.id !== null && addedBy === actor.id)
}
