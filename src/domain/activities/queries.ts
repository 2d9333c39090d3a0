import type { Db, Statement } from '../../platform/db.ts'
import type { Activity } from './activity.ts'

const listActivitiesStatement: Statement = {
  name: 'list-activities',
  text: `select a.id, a.type, a.body, a.internal, a.customer_facing as "customerFacing", a.reply_to as "replyTo",
      coalesce(m.name, a.author) as author, a.at as "createdAt", a.ordinal
    from activities a left join members m on m.installer_id = a.installer_id and m.id = a.member_id
    where a.installer_id = $1 and a.lead_id = $2 and (not a.internal or a.company_id = $3)
      and (a.at, a.ordinal) < ($4::timestamptz, $5::smallint)
    order by a.at desc, a.ordinal desc limit $6`,
}

export interface ActivityPosition {
  at: Date
  ordinal: number
}

export interface ActivityPage {
  activities: Activity[]
  next: ActivityPosition | null
}

/** A page of a lead's feed, newest first, as one company sees it. */
export async function listActivities(
  db: Db,
  installerId: string,
  leadId: string,
  companyId: string,
  before: ActivityPosition | null,
  limit: number,
): Promise<ActivityPage> {
  const rows = await db.query<Activity & { ordinal: number }>(listActivitiesStatement, [
    installerId,
    leadId,
    companyId,
    before?.at.toISOString() ?? 'infinity',
    before?.ordinal ?? 0,
    limit + 1,
  ])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    activities: page.map(({ ordinal, ...activity }) => activity),
    next: rows.length > limit && last ? { at: last.createdAt, ordinal: last.ordinal } : null,
  }
}
