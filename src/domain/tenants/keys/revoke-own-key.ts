import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { revokeKey } from './end-key.ts'
import type { ApiKey } from './key.ts'
import { requireKey } from './require-key.ts'

/** A person ends a key of their company, or an installer's one of its dealers'. */
export async function revokeOwnKey(ctx: Context, id: string): Promise<ApiKey> {
  authorize(ctx.actor, 'keys.manage')
  const key = await requireKey(ctx, id)
  return revokeKey(ctx.db, ctx.now, key.id, ctx.actor)
}
