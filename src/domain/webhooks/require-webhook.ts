import type { Db } from '../../platform/db.ts'
import { isId } from '../../platform/ids.ts'
import { type Actor, type Context, confinedTo } from '../context.ts'
import { notFound } from '../domain-error.ts'
import { requireAdmin } from '../people/require-admin.ts'
import { type FoundWebhook, findWebhook } from './queries.ts'

type Find = typeof findWebhook

/** Keys see to webhooks, and of people those who decide for their company. */
export function requireKeeper(actor: Actor): void {
  if (actor.role !== undefined) requireAdmin(actor, 'see or change webhooks')
}

/** An endpoint of the caller's: of its company, or for the installer of any in the tenant. */
export async function requireWebhook(
  { actor }: Context,
  db: Db,
  id: string,
  find: Find = findWebhook,
): Promise<FoundWebhook> {
  requireKeeper(actor)
  const found = isId(id, 'we') ? await find(db, actor.installerId, confinedTo(actor), id) : null
  if (!found) throw notFound('webhook')
  return found
}
