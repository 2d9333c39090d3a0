import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import { countUpTo } from '../../kernel/counted.ts'

export interface Notification {
  id: string
  at: Date
  text: string
  /** What it is about: a project, else a lead. */
  leadId: string | null
  projectId: string | null
  read: boolean
}

interface Reader {
  installerId: string
  memberId: string
}

const notification = row<Notification>({
  id: text,
  at: instant,
  text,
  leadId: text,
  projectId: text,
  read: boolean,
})

/** A member's notifications, newest first. A change tells a member one thing, so the time tells them apart. */
export const listNotifications = many(
  notification,
  ($: Params<Reader & { before: Date | null; limit: number }>) => sql`
    select ${select(notification, '', { read: sql`read_at is not null` })} from notifications
    where installer_id = ${$.installerId} and member_id = ${$.memberId}
      and at < coalesce(${$.before}, 'infinity'::timestamptz)
    order by at desc limit ${$.limit}`,
  { shared: 'read' },
)

/** As far as is counted. */
export const countUnread = one(
  row<{ unread: number }>({ unread: integer }),
  ($: Params<Reader>) => sql`
    select ${countUpTo(sql`from notifications
      where installer_id = ${$.installerId} and member_id = ${$.memberId} and read_at is null`)} as unread`,
  { shared: 'read' },
)

/** All, where no ids are given. Those of these ids that are another's stay as they are. */
export const markNotifications = run(
  ($: Params<Reader & { now: Date; ids: readonly string[] | null }>) => sql`
    update notifications set read_at = ${$.now}
    where installer_id = ${$.installerId} and member_id = ${$.memberId} and read_at is null
      ${when($.ids, sql`and id = any(${$.ids}::text[])`)}`,
)

const insertRows = run(
  ($: Params<{ installerId: string; at: Date; rows: string }>) => sql`
    insert into notifications (installer_id, id, member_id, at, text, lead_id)
    select ${$.installerId}, n.id, n.member_id, ${$.at}, n.text, n.lead_id
    from json_to_recordset(${$.rows}) as n(id text, member_id text, text text, lead_id text)`,
)

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
  await insertRows(tx, { installerId, at, rows: JSON.stringify(rows) })
}
