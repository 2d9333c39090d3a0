import type { Db, Statement } from '../../platform/db.ts'
import type { Reach } from './context.ts'

/** A list that is asked for by the number of the page, newest first. */
export interface NumberedList {
  table: string
  /** For its statements, where the table's would be too long. */
  name?: string
  /** By which it is in order, downwards; no two records have the same. */
  order: readonly OrderColumn[]
  /** Which records of the table are in it at all. */
  listed: string
  /** What a page reads of a record `l`, and the JSON that is made of what it read, `r` of `page`. */
  columns: string
  json: string
  /** What else the JSON is made of: `found` once for the page, `joined` to each record. */
  found: string
  joined: string
  /** Where it is kept how many records there are, and how often that changed, by the columns of its filters. */
  counts: { table: string; column: string }
}

interface OrderColumn {
  name: string
  type: 'text' | 'timestamptz'
}

/** A page of so many records, after so many others. */
export interface PageOf {
  perPage: number
  before: number
}

export interface Listed {
  /** The records' JSON, joined by commas. */
  records: string
  total: number
}

export type NumberedLists = ReturnType<typeof createNumberedLists>

const keptLists = 200
const keptStarts = 200

/** Where pages begin, good for as long as the list has not changed: what is first after so many others. */
interface Known {
  changes: number
  starts: Map<number, readonly unknown[]>
}

interface Start {
  before: number
  key: readonly unknown[] | null
}

type Found = Listed & { changes: number } & Record<`key${number}`, unknown>

/**
 * Pages by number, each by one statement. A page is an index range from its first record on, which is counted down to
 * in the index alone, from the nearest page before it that is known. The statement also says how often the list has
 * changed: where that is not what it was, the page is asked for once more, from the beginning.
 */
export function createNumberedLists() {
  const lists = new Map<string, Known>()

  function remember(key: string, found: Found, before: number, order: readonly OrderColumn[]): void {
    const there = lists.get(key)
    const known = there?.changes === found.changes ? there : { changes: found.changes, starts: new Map() }
    lists.delete(key)
    lists.set(key, known)
    if (lists.size > keptLists) lists.delete(lists.keys().next().value!)
    if (found.key0 == null) return
    const { starts } = known
    starts.delete(before)
    starts.set(
      before,
      order.map((_, i) => found[`key${i}`]),
    )
    if (starts.size > keptStarts) starts.delete(starts.keys().next().value!)
  }

  return async function numberedPage(
    db: Db,
    list: NumberedList,
    { installerId, companyId }: Reach,
    filter: Record<string, string | undefined>,
    page: PageOf,
  ): Promise<Listed> {
    const conditions = Object.entries({ company_id: companyId ?? undefined, ...filter }).filter(
      ([, value]) => value !== undefined,
    )
    const filters = conditions.map(([column]) => column)
    const values = [installerId, page.perPage, ...conditions.map(([, value]) => value)]
    const key = [list.table, installerId, ...conditions.flat()].join(' ')
    const known = lists.get(key)
    const start = nearest(known, page.before)
    let found = await ask(db, list, filters, values, page, start)
    if (start.key && found.changes !== known?.changes) {
      found = await ask(db, list, filters, values, page, beginning)
    }
    remember(key, found, page.before, list.order)
    return { records: found.records, total: found.total }
  }
}

const beginning: Start = { before: 0, key: null }

function nearest(known: Known | undefined, before: number): Start {
  let start = beginning
  for (const [there, key] of known?.starts ?? []) {
    if (there <= before && there > start.before) start = { before: there, key }
  }
  return start
}

// So many entries of an index are passed quickly enough to be asked for among other short statements.
const sharedUpTo = 1_000

async function ask(
  db: Db,
  list: NumberedList,
  filters: readonly string[],
  values: readonly unknown[],
  { before }: PageOf,
  start: Start,
): Promise<Found> {
  const skipped = before - start.before
  const where = before === 0 ? 'first' : start.key ? 'known' : 'counted'
  const statement = pageStatement(list, filters, where, skipped <= sharedUpTo)
  const more = where === 'first' ? [] : [before, skipped, ...(start.key ?? [])]
  const [row] = await db.query<Found>(statement, [...values, ...more])
  return row!
}

const most = 100
const statements = new Map<string, Statement>()

/**
 * The inner limit is a constant, as a limit that is a parameter makes the planner expect a tenth of the table and sort
 * it. Past the end nothing is counted down to.
 */
function pageStatement(
  list: NumberedList,
  filters: readonly string[],
  where: 'first' | 'known' | 'counted',
  shared: boolean,
): Statement {
  const { table, order, listed, columns, json, found, joined, counts } = list
  const name = [`list-${list.name ?? table}`, ...filters, where, shared ? 'shared' : ''].join(' ')
  const there = statements.get(name)
  if (there) return there
  const filter = filters.map((column, i) => ` and l.${column} = $${i + 3}`).join('')
  const parameter = (n: number) => `$${filters.length + 3 + n}`
  const records = `${table} l where l.installer_id = $1${listed}${filter}`
  const key = order.map(({ name }) => `l.${name}`).join(', ')
  const inOrder = order.map(({ name }) => `l.${name} desc`).join(', ')
  const fromKnown = ` and (${key}) <= (${order.map(({ type }, i) => `${parameter(i + 2)}::${type}`).join(', ')})`
  const start = `, start as materialized (
        select ${key} from ${records}${where === 'known' ? fromKnown : ''} order by ${inOrder}
        offset ${parameter(1)}::bigint
        limit case when ${parameter(0)}::bigint < (select total from counted) then 1 else 0 end
      )`
  const fromStart = ` and (${key}) <= (${order.map(({ name }) => `(select ${name} from start)`).join(', ')})`
  const keys = order.map(({ name }, i) => `, (select ${name} from start) as key${i}`).join('')
  const further = where !== 'first'
  const statement: Statement = {
    ...(shared ? { shared: 'read' as const } : {}),
    name,
    text: `with counted as (
        select coalesce(sum(l.${counts.column}), 0)::int as total, coalesce(sum(l.changes), 0)::bigint as changes
        from ${counts.table} l where l.installer_id = $1${filter}
      )${further ? start : ''}, page as materialized (
        select * from (
          select ${columns} from ${records}${further ? fromStart : ''} order by ${inOrder} limit ${most}
        ) most limit $2
      )${found}
      select coalesce(string_agg(${json}, ','), '') as records, (select total from counted) as total,
        (select changes from counted) as changes${further ? keys : ''}
      from page r ${joined}`,
  }
  statements.set(name, statement)
  return statement
}
