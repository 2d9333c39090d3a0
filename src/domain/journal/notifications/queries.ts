import type { Db, Statement } from '../../../platform/db.ts'

export interface Notification {
  id: string
  at: Date
  text: string
  /** What it is about: a project, else a lead. */
  leadId: string | null
  projectId: string | null
  read: boolean
}

const listStatement: Statement = {
  shared: 'read',
  name: 'list-notifications',
  text: `select id, at, text, lead_id as "leadId", project_id as "projectId", read_at is not null as read
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

const insertStatement: Statement = {
  name: 'insert-notifications',
  text: `insert into notifications (installer_id, id, member_id, at, text, lead_id)
    select $1, n.id, n.member_id, $2, n.text, n.lead_id
    from json_to_recordset($3) as n(id text, member_id text, text text, lead_id text)`,
}

export interface NewNotification extends Pick<Notification, 'id' | 'text' | 'leadId'> {
  memberId: string
}

/** Writes what a change of several records tells people, at a time of the tenant's clock. */
export async function insertNotifications(
  tx: Db,
  installerId: string,
  at: Date,
  notifications: readonly NewNotification[],
): Promise<void> {
  const rows = notifications.map(({ id, memberId, text, leadId }) => ({
    id,
    member_id: memberId,
    text,
    lead_id: leadId,
  }))
  await tx.query(insertStatement, [installerId, at.toISOString(), JSON.stringify(rows)])
}
