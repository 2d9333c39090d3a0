import type { Context } from '../../kernel/context.ts'
import { countUnread, listNotifications, markNotifications, type Notification } from './queries.ts'

interface NotificationPage {
  unread: number
  notifications: Notification[]
  /** Where the next page begins; null at the end. */
  next: Date | null
}

const pageSize = 20

/** What the person was told, newest first. */
export async function readNotifications(ctx: Context, before: Date | null): Promise<NotificationPage> {
  const { installerId, id: memberId } = ctx.actor
  if (!memberId) return { unread: 0, notifications: [], next: null }
  const [{ unread }, found] = await Promise.all([
    countUnread(ctx.db, { installerId, memberId }),
    listNotifications(ctx.db, { installerId, memberId, before, limit: pageSize + 1 }),
  ])
  const notifications = found.slice(0, pageSize)
  return { unread, notifications, next: found.length > pageSize ? notifications.at(-1)!.at : null }
}

/** The person has read these of their notifications, or all; answers how many they have not. */
export async function markRead(ctx: Context, ids: readonly string[] | 'all'): Promise<number> {
  const { installerId, id: memberId } = ctx.actor
  if (!memberId) return 0
  const { db, now } = ctx
  await markNotifications(db, { installerId, memberId, now, ids: ids === 'all' ? null : ids })
  return (await countUnread(db, { installerId, memberId })).unread
}
