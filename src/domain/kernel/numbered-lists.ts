import type { Database, Db } from '../../platform/db.ts'
import { type Column, columnName, integer, type Row, text } from '../../platform/sql/row.ts'
import {
  empty,
  type Fragment,
  join,
  type Params,
  param,
  pick,
  raw,
  sql,
  when,
} from '../../platform/sql/sql.ts'
import { one } from '../../platform/sql/statements.ts'
import type { Scope } from './context.ts'
import { createStartedPages, type Key, type Start } from './page-starts.ts'

/** What a list that is asked for by the number of the page reads, newest first. */
interface ListDefinition<Filter extends string> {
  table: string
  /** By which it is in order, downwards; no two records have the same. */
  order: Readonly<Record<string, Column>>
  /** By what it can be narrowed, besides the company. */
  filters: readonly Filter[]
  /** Which records `l` of the table are in it at all. */
  listed?: Fragment
  /** What a page reads of a record `l`, and the JSON that is made of what it read, `r` of `page`. */
  columns: Fragment
  json: Fragment
  /**
   * What else the JSON is made of: `found` once for the page, `joined` to each record by a lateral that is not merged into the
   * page (`offset 0`), as records then stay in order.
   */
  found?: Fragment
  joined?: Fragment
  /**
   * Where it is kept how many records there are, and how often that changed, by the columns of its filters; `totals`: by none
   * of them, where these would be very many rows to add up.
   */
  counts: { table: string; column: string; totals?: Fragment }
}

export type NumberedList<Filter extends string = string> = ReturnType<typeof numberedList<Filter>>

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

/** With the columns of its order, of the first record of the page; null on the first page. */
type Found = Listed & { changes: number } & Record<string, unknown>

interface Wanted {
  installerId: string
  perPage: number
  /** From the beginning, counted down to from there, or from a place that is known. */
  from: 'first' | 'counted' | 'known'
  before: number
  skipped: number
  key: Key | null
}

/**
 * Pages by number, each by one statement. A page is an index range from its first record on, which is counted down to
 * in the index alone, from the nearest page before it that is known.
 */
export function createNumberedLists() {
  const startedPage = createStartedPages()

  async function pageFrom<Filter extends string>(
    db: Db,
    list: NumberedList<Filter>,
    { installerId, companyId }: Scope,
    filter: { readonly [F in Filter]?: string | undefined },
    page: PageOf,
  ): Promise<Listed> {
    const narrowed = { ...filter, installerId, companyId }
    const key = JSON.stringify([
      list.table,
      installerId,
      companyId,
      ...list.filters.map((name) => filter[name]),
    ])
    const { records, total } = await startedPage(key, page.before, async (start) => {
      const found = await ask(db, list, narrowed, page, start)
      const first = list.order.map((name) => found[name])
      return { ...found, first: first[0] == null ? null : first }
    })
    return { records, total }
  }

  return function numberedPage<Filter extends string>(
    db: Database,
    list: NumberedList<Filter>,
    scope: Scope,
    filter: { readonly [F in Filter]?: string | undefined },
    page: PageOf,
  ): Promise<Listed> {
    return db.reading(scope.installerId, 'anything', (from) => pageFrom(from, list, scope, filter, page))
  }
}

// So many entries of an index are passed quickly enough to be asked for among other short statements.
const sharedUpTo = 1_000

function ask(
  db: Db,
  list: NumberedList,
  narrowed: { installerId: string },
  { perPage, before }: PageOf,
  start: Start,
): Promise<Found> {
  const skipped = before - start.before
  const from = before === 0 ? 'first' : start.key ? 'known' : 'counted'
  const page = skipped <= sharedUpTo ? list.shortPage : list.longPage
  return page(db, { ...narrowed, perPage, from, before, skipped, key: start.key })
}

export const maxPerPage = 100

/**
 * Declares a list. The inner limit is a constant, as a limit that is a parameter makes the planner expect a tenth of the
 * table and sort it. Past the end nothing is counted down to.
 */
export function numberedList<Filter extends string>(
  define: ($: Params<{ installerId: string }>) => ListDefinition<Filter>,
) {
  const { table, order, filters, counts, ...parts } = define({ installerId: param('installerId') })
  const { columns, json, listed = empty, found = empty, joined = empty } = parts
  const names = Object.keys(order)
  const own = names.map((name) => raw(columnName(name)))
  const key = join(own.map((column) => sql`l.${column}`))
  const inOrder = join(own.map((column) => sql`l.${column} desc`))
  const type = (name: string) => raw(order[name]!.types[0]!)
  const filter = join(
    ['companyId', ...filters].map((name) =>
      when(param(name), sql` and l.${raw(columnName(name))} = ${param(name)}`),
    ),
    '',
  )
  const counted = filters.reduce(
    (table, name) => when(param(name), raw(counts.table), table),
    counts.totals ?? raw(counts.table),
  )

  const build = ($: Params<Wanted>) => {
    const records = sql`${raw(table)} l where l.installer_id = ${$.installerId} ${listed}${filter}`
    const known = join(names.map((name, i) => sql`${param(`key.${i}`)}::${type(name)}`))
    const startFrom = (place: Fragment) => sql`, start as materialized (
        select ${key} from ${records} ${place} order by ${inOrder} offset ${$.skipped}::bigint
        limit case when ${$.before}::bigint < (select total from counted) then 1 else 0 end
      )`
    const further = (first: Fragment, later: Fragment) =>
      pick($.from, { first, counted: later, known: later })
    const ofStart = (column: Fragment) => sql`(select ${column} from start)`
    const keys = further(
      join(names.map((name) => sql`null::${type(name)} as ${raw(`"${name}"`)}`)),
      join(names.map((name, i) => sql`${ofStart(own[i]!)} as ${raw(`"${name}"`)}`)),
    )
    return sql`with counted as (
        select coalesce(sum(l.${raw(counts.column)}), 0)::int as total, coalesce(sum(l.changes), 0)::bigint as changes
        from ${counted} l where l.installer_id = ${$.installerId}${filter}
      )${pick($.from, { first: empty, counted: startFrom(empty), known: startFrom(sql`and (${key}) <= (${known})`) })},
      page as materialized (
        select * from (
          select ${columns} from ${records} ${further(empty, sql`and (${key}) <= (${join(own.map(ofStart))})`)}
          order by ${inOrder} limit ${raw(maxPerPage)}
        ) most limit ${$.perPage}
      )${found}
      select coalesce(string_agg(${json}, ','), '') as records, (select total from counted) as total,
        (select changes from counted) as changes, ${keys}
      from page r ${joined}`
  }
  const page: Row<Found> = { columns: { records: text, total: integer, changes: integer, ...order } }
  return {
    table,
    filters,
    order: names,
    shortPage: one(page, build, { shared: 'read' }),
    longPage: one(page, build),
  }
}
