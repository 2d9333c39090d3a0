import type { Context } from '../../kernel/context.ts'
import { countUnread, markNotifications } from './queries.ts'

/** The person has read these of their notifications, or all; answers how many they have not. */
export async function markRead(ctx: Context, ids: readonly string[] | 'all'): Promise<number> {
  const { installerId, id: memberId } = ctx.actor
  if (!memberId) return 0
  const { db, now } = ctx
  await markNotifications(db, { installerId, memberId, now, ids: ids === 'all' ? null : ids })
  return (await countUnread(db, { installerId, memberId })).unread
}
