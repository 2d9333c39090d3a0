import type { Actor } from '../context.ts'
import { DomainError } from '../domain-error.ts'

/** Prices are for those who sell. */
export function requireCatalogueReader({ role }: Actor): void {
  if (role === 'surveyor' || role === 'subcontractor')
    throw new DomainError('forbidden', 'The catalogue is for those who sell. Ask an admin for another role.')
}
