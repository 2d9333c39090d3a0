import { type Actor, requireInstaller } from '../context.ts'
import { requireAdmin } from '../people/require-admin.ts'

export function requireCatalogueEditor(actor: Actor): void {
  requireAdmin(actor, 'change the catalogue')
  requireInstaller(actor, 'change the catalogue')
}
