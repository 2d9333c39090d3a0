import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { type FoundWebhook, findWebhook } from './queries.ts'

/** An endpoint of the caller's: of its company, or for the installer of any in the tenant; with `lock` kept as it is. */
export async function requireWebhook(
  { actor }: Context,
  db: Db,
  id: string,
  lock = false,
): Promise<FoundWebhook> {
  authorize(actor, 'webhooks.read')
  const { installerId } = actor
  const found = isId(id, 'we')
    ? await findWebhook(db, { installerId, companyId: confinedTo(actor), id, lock })
    : null
  if (!found) throw notFound('webhook')
  return found
}
