import { type Actor, requireInstaller } from '../context.ts'
import { requireAdmin } from '../people/require-admin.ts'

export function requireLadderEditor(actor: Actor): void {
  requireAdmin(actor, 'change the ladders')
  requireInstaller(actor, 'change the ladders')
}
