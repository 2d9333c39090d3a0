import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { rollKey } from './end-key.ts'
import type { ApiKey } from './key.ts'
import { requireKey } from './require-key.ts'

/** A person replaces a key of their company, or an installer's one of its dealers'. */
export async function rollOwnKey(
  ctx: Context,
  id: string,
  graceHours: number,
): Promise<{ key: ApiKey; secret: string; oldValidUntil: Date }> {
  authorize(ctx.actor, 'keys.manage')
  const key = await requireKey(ctx, id)
  return rollKey(ctx.db, ctx.now, key.id, graceHours, ctx.actor)
}
