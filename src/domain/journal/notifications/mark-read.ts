import type { Context } from '../../kernel/context.ts'
import { countUnread, markNotifications } from './queries.ts'

/** The person has read these of their notifications, or all; answers how many they have not. */
export async function markRead(ctx: Context, ids: readonly string[] | 'all'): Promise<number> {
  const { installerId, id } = ctx.actor
  if (!id) return 0
  await markNotifications(ctx.db, installerId, id, ctx.now, ids)
  return countUnread(ctx.db, installerId, id)
}
