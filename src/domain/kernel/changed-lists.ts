import type { Database } from '../../platform/db.ts'
import { columnName, instant, integer, type Row, text } from '../../platform/sql/row.ts'
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

/** What a list of records that changed after a time reads. */
export interface ChangedDefinition<Filter extends string> {
  table: string
  /** When a record `l` changed last, by the tenant's clock: there is an index in the order of it and the id. */
  changed: string
  /** Whether its records have an installation, by which it can be narrowed. */
  ofInstallation: boolean
  /** By what else, besides the company. */
  filters: readonly Filter[]
  /** Which records `l` of the table are in it at all. */
  listed?: Fragment
  /** As in a list by number: what a page reads of a record `l`, the JSON of what it read, and what else that is made of. */
  columns: Fragment
  json: Fragment
  found?: Fragment
  joined?: Fragment
}

/** Behind this record, as it stood then. */
export interface ChangedPlace {
  at: Date
  id: string
}

export interface ChangedPage {
  /** The records' JSON, joined by commas. */
  records: string
  total: number
  /** Where it goes on; null where there is nothing more. A page that was narrowed may be empty before that. */
  next: ChangedPlace | null
}

interface Wanted {
  installerId: string
  companyId: string | null
  installationId: string | null | undefined
  since: Date
  afterAt: Date | null
  afterId: string | null
  /** Only as many as a page may have, or many, of which those that are wanted are taken. */
  look: 'page' | 'far'
  /** Of a first page that looks far, what was looked at is what is counted. */
  total: 'looked' | 'counted'
  perPage: number
}

interface Found {
  records: string
  total: number
  picked: number
  pickedAt: Date | null
  pickedId: string | null
  looked: number
  lookedAt: Date | null
  lookedId: string | null
}

const found: Row<Found> = {
  columns: {
    records: text,
    total: integer,
    picked: integer,
    pickedAt: instant,
    pickedId: text,
    looked: integer,
    lookedAt: instant,
    lookedId: text,
  },
}

const maxPerPage = 100
/** So many changes are looked through for one page, and counted. */
export const countedChanges = 10_000
const lookedAt = { page: maxPerPage + 1, far: countedChanges }

export type ChangedList<Filter extends string = string> = ReturnType<typeof changedList<Filter>>

/**
 * Declares a list of what changed after a time, what changed first first: a range of one index, from the time or the place
 * that is given. What else it is narrowed by is looked for among the changes in turn.
 */
export function changedList<Filter extends string>(
  define: ($: Params<{ installerId: string }>) => ChangedDefinition<Filter>,
) {
  const { table, changed, ofInstallation, filters, ...parts } = define({ installerId: param('installerId') })
  const { columns, json, listed = empty, found: foundOnce = empty, joined = empty } = parts
  const own = filters.map((name) => raw(columnName(name)))
  const kept = join([sql`l.id`, sql`${raw(changed)} as changed_at`, ...own.map((column) => sql`l.${column}`)])
  const isWanted = join(
    filters.map((name) => when(param(name), sql` and l.${raw(columnName(name))} = ${param(name)}`)),
    '',
  )
  const page = one(found, ($: Params<Wanted>) => {
    const changes = sql`select ${kept} from ${raw(table)} l
        where l.installer_id = ${$.installerId} ${listed} and ${raw(changed)} > ${$.since}::timestamptz
          ${when($.companyId, sql`and l.company_id = ${$.companyId}`)}
          ${ofInstallation ? when($.installationId, sql`and l.installation_id = ${$.installationId}`) : empty}`
    const inOrder = sql`order by ${raw(changed)}, l.id`
    const behind = when(
      $.afterId,
      sql`and (${raw(changed)}, l.id) > (${$.afterAt}::timestamptz, ${$.afterId}::text)`,
    )
    const last = (of: string, column: string) =>
      sql`(select ${raw(column)} from ${raw(of)} order by changed_at desc, id desc limit 1)`
    return sql`with looked as materialized (
        ${changes} ${behind} ${inOrder}
        limit ${pick($.look, { page: raw(lookedAt.page), far: raw(lookedAt.far) })}
      ), picked as materialized (
        select id, changed_at from looked l where true${isWanted} order by changed_at, id limit ${$.perPage}
      ), page as materialized (
        select ${columns} from picked k cross join lateral (
          select * from ${raw(table)} t where t.installer_id = ${$.installerId} and t.id = k.id offset 0
        ) l order by k.changed_at, k.id
      )${foundOnce}
      select coalesce(string_agg(${json}, ','), '') as records,
        ${pick($.total, {
          looked: sql`(select count(*)::int from looked l where true${isWanted})`,
          counted: sql`(select count(*)::int from (${changes} ${inOrder} limit ${raw(countedChanges)}) l where true${isWanted})`,
        })} as total,
        (select count(*)::int from picked) as picked, ${last('picked', 'changed_at')} as "pickedAt",
        ${last('picked', 'id')} as "pickedId", (select count(*)::int from looked) as looked,
        ${last('looked', 'changed_at')} as "lookedAt", ${last('looked', 'id')} as "lookedId"
      from page r ${joined}`
  })
  return { table, filters, page }
}

export interface ChangesWanted<Filter extends string> {
  filter: { readonly [F in Filter]?: string | undefined }
  installationId?: string | undefined
  since: Date
  after: ChangedPlace | null
  perPage: number
}

/** A page of what changed after a time. */
export function readChanges<Filter extends string>(
  db: Database,
  list: ChangedList<Filter>,
  { installerId, companyId }: Scope,
  { filter, installationId, since, after, perPage }: ChangesWanted<Filter>,
): Promise<ChangedPage> {
  const look = list.filters.some((name) => filter[name] !== undefined) ? 'far' : 'page'
  const wanted: Wanted = {
    installerId,
    companyId,
    installationId,
    since,
    afterAt: after?.at ?? null,
    afterId: after?.id ?? null,
    look,
    total: look === 'far' && after === null ? 'looked' : 'counted',
    perPage,
  }
  return db.reading(installerId, 'anything', async (from) => {
    const page = await list.page(from, { ...filter, ...wanted })
    return { records: page.records, total: page.total, next: nextOf(page, look, perPage) }
  })
}

function nextOf(page: Found, look: Wanted['look'], perPage: number): ChangedPlace | null {
  const isEnd = page.looked < lookedAt[look]
  if (page.picked === perPage && !(isEnd && page.pickedId === page.lookedId))
    return { at: page.pickedAt!, id: page.pickedId! }
  return isEnd ? null : { at: page.lookedAt!, id: page.lookedId! }
}
