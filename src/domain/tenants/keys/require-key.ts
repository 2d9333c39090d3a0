import { isId } from '../../../platform/ids.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import type { ApiKey } from './key.ts'
import { findKeyWithin } from './list-queries.ts'

/** A key among those that the actor's company decides about. */
export async function requireKey({ db, actor }: Context, id: string): Promise<ApiKey> {
  const reach = { installerId: actor.installerId, companyId: confinedTo(actor) }
  const key = isId(id, 'key') ? await findKeyWithin(db, { ...reach, id }) : null
  if (!key) throw notFound('key')
  return key
}
