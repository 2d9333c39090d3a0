import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { type FoundWebhook, findWebhook } from './queries.ts'

type Find = typeof findWebhook

/** An endpoint of the caller's: of its company, or for the installer of any in the tenant. */
export async function requireWebhook(
  { actor }: Context,
  db: Db,
  id: string,
  find: Find = findWebhook,
): Promise<FoundWebhook> {
  authorize(actor, 'webhooks.read')
  const found = isId(id, 'we') ? await find(db, actor.installerId, confinedTo(actor), id) : null
  if (!found) throw notFound('webhook')
  return found
}
