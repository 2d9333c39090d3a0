import { isExactly } from '../../../platform/sql/is-exactly.ts'
import { instant, integer, row, textBytes } from '../../../platform/sql/row.ts'
import {
  each,
  empty,
  type Fragment,
  type Param,
  type Params,
  raw,
  sql,
  when,
} from '../../../platform/sql/sql.ts'
import { exists, one } from '../../../platform/sql/statements.ts'

export const maxEvents = 100

/** Whose feed: a dealer's where a company is given. */
interface Feed {
  installerId: string
  companyId: string | null
}

interface Wanted extends Feed {
  at: string
  ordinal: number
  /** All where there is none. */
  type: string | undefined
  moreTypes: readonly string[]
  limit: number
}

// What the index of a dealer's feed is made of; an installer's is the log without what only dealers see so.
const isSeen = ($: Params<Feed>) =>
  when(
    $.companyId,
    sql`m.company_id = ${$.companyId} and m.company_id <> m.installer_id and (m.for_dealer or m.to_dealers)`,
    sql`not m.for_dealer`,
  )

export interface FeedRow {
  /** Joined by commas; null where there is none. */
  rows: Buffer | null
  count: number
  at: Date | null
  ordinal: number | null
  /** The tenant's time: all that is not here yet comes after it. */
  end: Date
  /** Up to where events are no longer kept; null where all are. */
  gone: Date | null
}

/**
 * A page of the feed, from the oldest, as one row of joined text. Each type is an index range of its own, in the order of that
 * index alone, of which as much is read as the page takes: a rare one is never looked for among all. The inner limit is a constant, as in the lists of records.
 */
export const readEvents = one(
  row<FeedRow>({
    rows: textBytes,
    count: integer,
    at: instant,
    ordinal: integer,
    end: instant,
    gone: instant,
  }),
  ($: Params<Wanted>) => {
    const some = (
      ofType: Fragment,
      alongType: Fragment,
    ) => sql`(select m.event_at, m.event_ordinal, m.head, m.body, m.data_from
      from webhook_messages m
      where m.installer_id = ${$.installerId} and ${isSeen($)} and m.head is not null ${ofType}
        and (m.event_at, m.event_ordinal)
          > (greatest(${$.at}::timestamptz, coalesce(c.events_gone, '-infinity')), ${$.ordinal}::smallint)
      order by ${alongType} m.event_at, m.event_ordinal limit ${raw(maxEvents)})`
    const ofType = (type: Param<string | undefined>) =>
      some(sql`and ${isExactly('m.type', type)}`, sql`m.type,`)
    const ofTypes = sql`${ofType($.type)} ${each($.moreTypes, (type) => sql`union all ${ofType(type)}`, ' ')}`
    return sql`select page.rows, page.count, page.at, page.ordinal, c.now as "end", c.events_gone as gone
      from tenant_clocks c cross join lateral (
        select string_agg(e.head || right(e.body, - e.data_from), ',') as rows, count(*)::int as count,
          max(e.event_at) as at, (array_agg(e.event_ordinal))[count(*)] as ordinal
        from (
          select * from (${when($.type, ofTypes, some(empty, empty))}) most
          order by event_at, event_ordinal limit ${$.limit}
        ) e
      ) page
      where c.installer_id = ${$.installerId}`
  },
  { shared: 'read' },
)

/** Whether there is an event at a place, as the company sees it. */
export const hasEvent = exists(
  ($: Params<Feed & { at: Date; ordinal: number }>) => sql`
    select from webhook_messages m
    where m.installer_id = ${$.installerId} and m.event_at = ${$.at} and m.event_ordinal = ${$.ordinal}::smallint
      and m.head is not null and ${isSeen($)}`,
  { shared: 'read' },
)
