import type { Actor } from '../context.ts'
import { requireAdmin } from '../people/require-admin.ts'

/** Of people, owners and admins; the command line is nobody in particular. */
export function requireImporter(actor: Actor): void {
  if (actor.kind !== 'job') requireAdmin(actor, 'import files')
}
