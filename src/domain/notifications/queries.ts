import type { Db, Statement } from '../../platform/db.ts'

export interface Notification {
  id: string
  at: Date
  text: string
  projectId: string | null
  read: boolean
}

const listStatement: Statement = {
  shared: 'read',
  name: 'list-notifications',
  text: `select id, at, text, project_id as "projectId", read_at is not null as read
    from notifications where installer_id = $1 and member_id = $2 and at < $3::timestamptz
    order by at desc limit $4`,
}

/** A member's notifications, newest first. A change tells a member one thing, so the time tells them apart. */
export function listNotifications(
  db: Db,
  installerId: string,
  memberId: string,
  before: Date | null,
  limit: number,
): Promise<Notification[]> {
  return db.query<Notification>(listStatement, [
    installerId,
    memberId,
    before?.toISOString() ?? 'infinity',
    limit,
  ])
}

const unreadStatement: Statement = {
  shared: 'read',
  name: 'count-unread-notifications',
  text: `select count(*)::int as unread from notifications
    where installer_id = $1 and member_id = $2 and read_at is null`,
}

export async function countUnread(db: Db, installerId: string, memberId: string): Promise<number> {
  const [row] = await db.query<{ unread: number }>(unreadStatement, [installerId, memberId])
  return row!.unread
}

const markStatement = (name: string, condition: string): Statement => ({
  name: `mark-notifications-${name}`,
  text: `update notifications set read_at = $3
    where installer_id = $1 and member_id = $2 and read_at is null${condition}`,
})
const markAllStatement = markStatement('all', '')
const markSomeStatement = markStatement('some', ' and id = any($4)')

/** Those of these ids that are another's stay as they are. */
export async function markNotifications(
  db: Db,
  installerId: string,
  memberId: string,
  now: Date,
  ids: readonly string[] | 'all',
): Promise<void> {
  const values = [installerId, memberId, now.toISOString()]
  if (ids === 'all') await db.query(markAllStatement, values)
  else await db.query(markSomeStatement, [...values, ids])
}
