import type { Db, Statement } from '../../../platform/db.ts'
import type { LineReach } from '../../kernel/context.ts'

/** A list that is asked for by the number of the page, newest change first. */
export interface CountedList {
  table: 'leads' | 'projects'
  reach: LineReach
}

export interface CountedPage<Row> {
  rows: Row[]
  remaining: number
  total: number
}

/** Reads the page that begins with the record changed at `start`. */
export type ReadPage<Row> = (start: Date) => Promise<{ rows: Row[]; next: Date | null }>

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
 * Then it is found out anew, by the list's index: 10 to 25 ms of the database for 100,000 records.
 */
export function createCountedLists() {
  const lists = new Map<string, Known>()

  async function known(db: Db, list: CountedList): Promise<Known> {
    const { installerId, companyId, productLine } = list.reach
    const key = [list.table, installerId, companyId, productLine].join(' ')
    const values = companyId === null ? [installerId, productLine] : [installerId, productLine, companyId]
    const there = lists.get(key)
    const [newest] = await db.query<{ at: Date | null }>(statements(list).newest, values)
    lists.delete(key)
    if (there && there.newestMs === (newest?.at?.getTime() ?? 0)) {
      lists.set(key, there)
      return there
    }
    const [row] = await db.query<{ at: Date | null; total: number }>(statements(list).count, values)
    const at = row!.at ?? new Date(0)
    const found: Known = { newestMs: at.getTime(), total: row!.total, starts: new Map() }
    lists.set(key, found)
    if (lists.size > keptLists) lists.delete(lists.keys().next().value!)
    return found
  }

  /** Where a page begins: counted from the nearest page before it that is known. */
  async function startOf(db: Db, list: CountedList, found: Known, page: number): Promise<Date | null> {
    const { starts } = found
    const first = new Date(found.newestMs)
    // What changed a moment ago is on the first page, whatever was the newest before.
    const there = page === 1 ? endOfTime : starts.get(page)
    if (there) return there
    let from = 1
    for (const known of starts.keys()) if (known < page && known > from) from = known
    const { installerId, companyId, productLine } = list.reach
    const values: unknown[] = [installerId, productLine, starts.get(from) ?? first, (page - from) * perPage]
    if (companyId !== null) values.push(companyId)
    const [row] = await db.query<{ at: Date }>(statements(list).seek, values)
    if (row) remember(starts, page, row.at)
    return row?.at ?? null
  }

  return async function countedPage<Row>(
    db: Db,
    list: CountedList,
    page: number,
    read: ReadPage<Row>,
  ): Promise<CountedPage<Row>> {
    const found = await known(db, list)
    const { total } = found
    const before = (page - 1) * perPage
    const start = before < total ? await startOf(db, list, found, page) : null
    if (start === null) return { rows: [], remaining: 0, total }
    const { rows, next } = await read(start)
    if (next) remember(found.starts, page + 1, next)
    const upToHere = before + rows.length
    const inAll = Math.max(total, upToHere)
    return { rows, remaining: inAll - upToHere, total: inAll }
  }
}

function remember(starts: Map<number, Date>, page: number, at: Date): void {
  if (starts.size >= keptStarts) starts.delete(starts.keys().next().value!)
  starts.set(page, at)
}

const built = new Map<string, { newest: Statement; count: Statement; seek: Statement }>()

function statements({ table, reach }: CountedList) {
  const name = `${table}${reach.companyId === null ? '' : '-company'}`
  const there = built.get(name)
  if (there) return there
  const list = (parameter: number) =>
    `from ${table} where installer_id = $1 and product_line = $2${reach.companyId === null ? '' : ` and company_id = $${parameter}`}`
  const made = {
    newest: {
      shared: 'read' as const,
      name: `newest-of-${name}`,
      text: `select max(updated_at) as at ${list(3)}`,
    },
    count: {
      name: `count-${name}`,
      text: `select max(updated_at) as at, count(*)::int as total ${list(3)}`,
    },
    seek: {
      name: `seek-${name}`,
      text: `select updated_at as at ${list(5)} and updated_at <= $3 order by updated_at desc offset $4 limit 1`,
    },
  }
  built.set(name, made)
  return made
}
