import type { Database, Db } from '../../../platform/db.ts'
import { instant, integer, row } from '../../../platform/sql/row.ts'
import { type Params, pick, sql, when } from '../../../platform/sql/sql.ts'
import { maybeScalar, one } from '../../../platform/sql/statements.ts'
import type { LineScope } from '../../kernel/context.ts'
import { isCounted } from '../../kernel/tenant/clock-queries.ts'

/** A list that is asked for by the number of the page, newest change first. */
export interface CountedList {
  table: 'leads' | 'projects'
  scope: LineScope
}

export interface CountedPage<Rows> {
  /** Null where the page is past the end. */
  rows: Rows | null
  count: number
  remaining: number
  total: number
}

export interface FoundPage<Rows> {
  rows: Rows
  count: number
  /** When the first of them was changed. */
  first: Date | null
  /** Where the next page begins; null at the end. */
  next: Date | null
}

/** Reads the page that begins with the record changed at `start`. */
export type ReadPage<Rows> = (db: Db, start: Date) => Promise<FoundPage<Rows>>

export type CountedLists = ReturnType<typeof createCountedLists>

export const perPage = 100
const keptLists = 200
const keptStarts = 2_000
const endOfTime = new Date('9999-12-31T23:59:59.999Z')

/** What was found out about a list, good for as long as its newest change is the same. */
interface Known {
  newestMs: number
  total: number
  /** When the first record of a page was changed. */
  starts: Map<number, Date>
}

/**
 * Pages by number without counting down to them each time: how long a list is and where its pages
 * begin is remembered until something in it changes, for any change makes its record the newest.
 * Then its length is read from what is kept, and where a page begins is found out again, by the list's index.
 */
export function createCountedLists() {
  const lists = new Map<string, Known>()

  /** What is known of a list whose newest change is this one. */
  async function known(db: Db, list: CountedList, newest: Date | null): Promise<Known> {
    const { installerId, companyId, productLine } = list.scope
    const key = [list.table, installerId, companyId, productLine].join(' ')
    const listed = { table: list.table, installerId, companyId, productLine }
    const there = lists.get(key)
    lists.delete(key)
    if (there && there.newestMs === (newest?.getTime() ?? 0)) {
      lists.set(key, there)
      return there
    }
    const { at, total } = await countAll(db, listed)
    const found: Known = { newestMs: at?.getTime() ?? 0, total, starts: new Map() }
    lists.set(key, found)
    if (lists.size > keptLists) lists.delete(lists.keys().next().value!)
    return found
  }

  /** Where a page begins: counted from the nearest page before it that is known. */
  async function startOf(db: Db, list: CountedList, found: Known, page: number): Promise<Date | null> {
    const { starts } = found
    const first = new Date(found.newestMs)
    const there = starts.get(page)
    if (there) return there
    let from = 1
    for (const known of starts.keys()) if (known < page && known > from) from = known
    const { installerId, companyId, productLine } = list.scope
    const at = await seek(db, {
      table: list.table,
      installerId,
      companyId,
      productLine,
      from: starts.get(from) ?? first,
      skipped: (page - from) * perPage,
    })
    if (at) remember(starts, page, at)
    return at
  }

  /** By one statement where nothing has changed: its first record is the newest of the list, whatever was before. */
  async function firstPage<Rows>(
    db: Db,
    list: CountedList,
    read: ReadPage<Rows>,
  ): Promise<CountedPage<Rows>> {
    const { rows, count, first, next } = await read(db, endOfTime)
    if (next === null) return { rows: count > 0 ? rows : null, count, remaining: 0, total: count }
    const found = await known(db, list, first)
    remember(found.starts, 2, next)
    const total = Math.max(found.total, count + 1)
    return { rows, count, remaining: total - count, total }
  }

  async function pageFrom<Rows>(
    db: Db,
    list: CountedList,
    page: number,
    read: ReadPage<Rows>,
  ): Promise<CountedPage<Rows>> {
    if (page === 1) return firstPage(db, list, read)
    const { installerId, companyId, productLine } = list.scope
    const newest = await findNewest(db, { table: list.table, installerId, companyId, productLine })
    const found = await known(db, list, newest)
    const { total } = found
    const before = (page - 1) * perPage
    const start = before < total ? await startOf(db, list, found, page) : null
    if (start === null) return { rows: null, count: 0, remaining: 0, total }
    const { rows, count, next } = await read(db, start)
    if (next) remember(found.starts, page + 1, next)
    const upToHere = before + count
    const inAll = Math.max(total, upToHere)
    return { rows, count, remaining: inAll - upToHere, total: inAll }
  }

  return function countedPage<Rows>(
    db: Database,
    list: CountedList,
    page: number,
    read: ReadPage<Rows>,
  ): Promise<CountedPage<Rows>> {
    return db.reading(list.scope.installerId, 'clocked', (from) => pageFrom(from, list, page, read))
  }
}

function remember(starts: Map<number, Date>, page: number, at: Date): void {
  if (starts.size >= keptStarts) starts.delete(starts.keys().next().value!)
  starts.set(page, at)
}

type Listed = Pick<LineScope, 'installerId' | 'companyId' | 'productLine'> & Pick<CountedList, 'table'>

const isListed = (
  $: Params<Listed>,
) => sql`installer_id = ${$.installerId} and product_line = ${$.productLine}
    ${when($.companyId, sql`and company_id = ${$.companyId}`)}`
const listed = ($: Params<Listed>) =>
  sql`from ${pick($.table, { leads: sql`leads`, projects: sql`projects` })} where ${isListed($)}`

const findNewest = maybeScalar(
  { at: instant },
  ($: Params<Listed>) => sql`select max(updated_at) as at ${listed($)}`,
  { shared: 'read' },
)

const countAll = one(
  row<{ at: Date | null; total: number }>({ at: instant, total: integer }),
  ($: Params<Listed>) => sql`select (select max(updated_at) ${listed($)}) as at, case when ${isCounted($)}
      then (select coalesce(sum(${pick($.table, { leads: sql`leads`, projects: sql`projects` })}), 0)
        from ${pick($.table, { leads: sql`lead_counts`, projects: sql`project_counts` })} where ${isListed($)})
      else (select count(*) ${listed($)}) end::int as total`,
)

const seek = maybeScalar(
  { at: instant },
  ($: Params<Listed & { from: Date; skipped: number }>) => sql`
    select updated_at as at ${listed($)} and updated_at <= ${$.from}
    order by updated_at desc offset ${$.skipped} limit 1`,
)
