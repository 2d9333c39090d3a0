import type { Db, Statement } from '../../../platform/db.ts'
import type { Activity, FeedReader } from './activity.ts'

/** Entries that said something of a customer who was erased say nothing any more. */
const says = `a.body <> ''`

const listActivitiesStatement: Statement = {
  name: 'list-activities',
  text: `select a.id, a.type, a.body, a.internal, a.customer_facing as "customerFacing", a.reply_to as "replyTo",
      coalesce(m.name, a.author) as author, a.at as "createdAt", a.ordinal
    from activities a left join members m on m.installer_id = a.installer_id and m.id = a.member_id
    where a.installer_id = $1 and a.lead_id = $2 and (not a.internal or a.company_id = $3) and ${says}
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

/** An entry of a feed with what was answered to it. */
export type Thread = Activity & { memberId: string | null; replies: Reply[] }
export type Reply = Activity & { memberId: string | null }

const threadColumns = `a.id, a.type, a.body, a.internal, a.customer_facing as "customerFacing", a.reply_to as "replyTo",
  coalesce(m.name, a.author) as author, a.member_id as "memberId", a.at as "createdAt", a.ordinal`
const threadSource = `activities a left join members m on m.installer_id = a.installer_id and m.id = a.member_id`
const seen = `a.installer_id = $1 and a.lead_id = $2 and (not a.internal or a.company_id = $3) and ${says}`

/**
 * For those who may not read everything: `folders` are those whose files they see. Before entries said what they tell
 * of, a file's stood at their end, what was agreed in a sentence of changes, and the customer's notes came with their
 * lead's event.
 */
const seenInPart = (
  folders: string,
) => `(a.about is null or a.about = any(${folders}::text[]) or a.about = 'before' and case a.type
    when 'fileAdded' then substring(a.body from ' to (\\w+)$') = any(${folders}::text[])
    when 'leadUpdated' then a.body not like 'Project changed:%'
      and (a.body not like 'Removed % from %' or substring(a.body from ' from (\\w+)$') = any(${folders}::text[]))
    when 'note' then not exists (select from events e where e.installer_id = $1 and e.at = a.at
      and (e.type = 'lead.created' or e.type = 'lead.updated' and e.changes ? 'notes'))
    else true end)`

const threads = (name: string, more: string): Statement => ({
  name: `list-threads${name}`,
  text: `select ${threadColumns} from ${threadSource}
    where ${seen} and a.reply_to is null and (a.at, a.ordinal) < ($4::timestamptz, $5::smallint)${more}
    order by a.at desc, a.ordinal desc limit $6`,
})
const listThreadsStatement = threads('', '')
const listThreadsInPartStatement = threads('-in-part', ` and ${seenInPart('$7')}`)

const mostReplies = 1_000
const listRepliesStatement: Statement = {
  name: 'list-replies',
  text: `select ${threadColumns} from ${threadSource}
    where ${seen} and a.reply_to = any($4::text[]) order by a.at, a.ordinal limit ${mostReplies}`,
}

/** A page of a lead's feed, newest first, replies under what they answer. */
export async function listThreads(
  db: Db,
  installerId: string,
  leadId: string,
  { internalOf, about }: FeedReader,
  before: ActivityPosition | null,
  limit: number,
): Promise<{ threads: Thread[]; next: ActivityPosition | null }> {
  type Row = Reply & { ordinal: number }
  const values = [installerId, leadId, internalOf]
  const asked = [...values, before?.at.toISOString() ?? 'infinity', before?.ordinal ?? 0, limit + 1]
  const rows = about
    ? await db.query<Row>(listThreadsInPartStatement, [...asked, about])
    : await db.query<Row>(listThreadsStatement, asked)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const replies = await db.query<Row>(listRepliesStatement, [...values, page.map(({ id }) => id)])
  return {
    threads: page.map(({ ordinal, ...entry }) => ({
      ...entry,
      replies: replies.flatMap(({ ordinal, ...reply }) => (reply.replyTo === entry.id ? [reply] : [])),
    })),
    next: rows.length > limit && last ? { at: last.createdAt, ordinal: last.ordinal } : null,
  }
}

const findNoteStatement: Statement = {
  name: 'find-note',
  text: `select a.id, a.reply_to as "replyTo", a.internal from activities a
    where a.installer_id = $1 and a.id = $4 and a.type = 'note' and a.lead_id = $2 and (not a.internal or a.company_id = $3)`,
}

/** A note of a lead's feed, as far as the reader sees it. */
export async function findNote(
  db: Db,
  installerId: string,
  leadId: string,
  reader: string | null,
  id: string,
): Promise<Pick<Activity, 'id' | 'replyTo' | 'internal'> | null> {
  const [row] = await db.query<Pick<Activity, 'id' | 'replyTo' | 'internal'>>(findNoteStatement, [
    installerId,
    leadId,
    reader,
    id,
  ])
  return row ?? null
}
