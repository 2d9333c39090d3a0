import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, type Row, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne } from '../../../platform/sql/statements.ts'
import type { Activity, FeedReader } from './activity.ts'

type Entry = Activity & { ordinal: number }

const entry = row<Entry>({
  id: text,
  type: text,
  body: text,
  internal: boolean,
  customerFacing: boolean,
  replyTo: text,
  author: text,
  createdAt: instant,
  ordinal: integer,
})
const entrySelection = select(entry, 'a', { author: sql`coalesce(m.name, a.author)`, createdAt: sql`a.at` })
const source = sql`activities a left join members m on m.installer_id = a.installer_id and m.id = a.member_id`

/** Whose feed, and the company whose internal entries are read. */
interface Feed {
  installerId: string
  leadId: string
  internalOf: string | null
}

const isSeen = ($: Params<Feed>) =>
  sql`a.installer_id = ${$.installerId} and a.lead_id = ${$.leadId} and (not a.internal or a.company_id = ${$.internalOf})`

/** Entries that said something of a customer who was erased say nothing any more. */
const says = sql`a.body <> ''`

interface Page {
  beforeAt: Date | undefined
  beforeOrdinal: number | undefined
  limit: number
}

const isBefore = ($: Params<Page>) =>
  when($.beforeAt, sql`and (a.at, a.ordinal) < (${$.beforeAt}::timestamptz, ${$.beforeOrdinal}::smallint)`)

const entries = many(
  entry,
  ($: Params<Feed & Page>) => sql`
    select ${entrySelection} from ${source} where ${isSeen($)} and ${says} ${isBefore($)}
    order by a.at desc, a.ordinal desc limit ${$.limit}`,
)

export interface ActivityPosition {
  at: Date
  ordinal: number
}

export interface ActivityPage {
  activities: Activity[]
  next: ActivityPosition | null
}

/** One more than the page has, to know whether there is another. */
const pageBehind = (before: ActivityPosition | null, limit: number): Page => ({
  beforeAt: before?.at,
  beforeOrdinal: before?.ordinal,
  limit: limit + 1,
})

function positionAfter(found: readonly Entry[], limit: number): ActivityPosition | null {
  const last = found[limit - 1]
  return found.length > limit && last ? { at: last.createdAt, ordinal: last.ordinal } : null
}

/** A page of a lead's feed, newest first, as one company sees it. */
export async function listActivities(
  db: Db,
  feed: Feed,
  before: ActivityPosition | null,
  limit: number,
): Promise<ActivityPage> {
  const found = await entries(db, { ...feed, ...pageBehind(before, limit) })
  return {
    activities: found.slice(0, limit).map(({ ordinal, ...activity }) => activity),
    next: positionAfter(found, limit),
  }
}

/** An entry of a feed with what was answered to it. */
export type Thread = Activity & { memberId: string | null; replies: Reply[] }
export type Reply = Activity & { memberId: string | null }

const reply: Row<Reply & { ordinal: number }> = { columns: { ...entry.columns, memberId: text } }
const replySelection = sql`${entrySelection}, a.member_id as "memberId"`

const threads = many(
  reply,
  ($: Params<Feed & Page & Pick<FeedReader, 'about'>>) => sql`
    select ${replySelection} from ${source}
    where ${isSeen($)} and ${says} and a.reply_to is null ${isBefore($)}
      ${when($.about, sql`and (a.about is null or a.about = any(${$.about}::text[]))`)}
    order by a.at desc, a.ordinal desc limit ${$.limit}`,
)

const maxReplies = 1_000

// The first of the conditions is that of an index.
const repliesTo = many(
  reply,
  ($: Params<Feed & { ids: readonly string[] }>) => sql`
    select ${replySelection} from ${source}
    where a.reply_to is not null and a.reply_to = any(${$.ids}::text[]) and ${isSeen($)} and ${says}
    order by a.at, a.ordinal limit ${raw(maxReplies)}`,
)

/** A page of a lead's feed, newest first, replies under what they answer. */
export async function listThreads(
  db: Db,
  lead: Pick<Feed, 'installerId' | 'leadId'>,
  reader: FeedReader,
  before: ActivityPosition | null,
  limit: number,
): Promise<{ threads: Thread[]; next: ActivityPosition | null }> {
  const feed = { ...lead, ...reader }
  const found = await threads(db, { ...feed, ...pageBehind(before, limit) })
  const page = found.slice(0, limit)
  const replies = page.length > 0 ? await repliesTo(db, { ...feed, ids: page.map(({ id }) => id) }) : []
  return {
    threads: page.map(({ ordinal, ...thread }) => ({
      ...thread,
      replies: replies.flatMap(({ ordinal, ...reply }) => (reply.replyTo === thread.id ? [reply] : [])),
    })),
    next: positionAfter(found, limit),
  }
}

type Note = Pick<Activity, 'id' | 'replyTo' | 'internal'>

const note = row<Note>({ id: text, replyTo: text, internal: boolean })

/** A note of a lead's feed, as far as the reader sees it. */
export const findNote = maybeOne(
  note,
  ($: Params<Feed & { id: string }>) => sql`
    select ${select(note, 'a')} from activities a where ${isSeen($)} and a.id = ${$.id} and a.type = 'note'`,
)
