import type { Database } from '../../platform/db.ts'
import { type Column, columnName, integer, row, text } from '../../platform/sql/row.ts'
import { empty, type Fragment, join, type Params, param, raw, sql, when } from '../../platform/sql/sql.ts'
import { one } from '../../platform/sql/statements.ts'
import type { Scope } from './context.ts'
import type { Listed, PageOf } from './numbered-lists.ts'

interface Definition<Filter extends string> {
  table: string
  /** By which it is in order, downwards; no two records have the same. */
  order: Readonly<Record<string, Column>>
  filters: readonly Filter[]
  listed?: Fragment
  columns: Fragment
  json: Fragment
  found?: Fragment
  joined?: Fragment
}

interface Wanted extends PageOf {
  installerId: string
  companyId: string | null
  installationId: string
}

export type InstallationsList<Filter extends string = string> = ReturnType<typeof installationsList<Filter>>

/**
 * Declares a list of what belongs to one installation, by the number of the page, newest first. An installation has few of
 * anything: they are found by it, put in order and counted.
 */
export function installationsList<Filter extends string>(
  define: ($: Params<{ installerId: string }>) => Definition<Filter>,
) {
  const { table, order, filters, ...parts } = define({ installerId: param('installerId') })
  const { columns, json, listed = empty, found = empty, joined = empty } = parts
  const inOrder = join(Object.keys(order).map((name) => raw(`l.${columnName(name)} desc`)))
  const isWanted = join(
    filters.map((name) => when(param(name), sql` and l.${raw(columnName(name))} = ${param(name)}`)),
    '',
  )
  return one(row<Listed>({ records: text, total: integer }), ($: Params<Wanted>) => {
    const records = sql`${raw(table)} l
        where l.installer_id = ${$.installerId} and l.installation_id = ${$.installationId} ${listed}
          ${when($.companyId, sql`and l.company_id = ${$.companyId}`)}${isWanted}`
    return sql`with page as materialized (
        select ${columns} from ${records} order by ${inOrder} offset ${$.before}::bigint limit ${$.perPage}
      )${found}
      select coalesce(string_agg(${json}, ','), '') as records, (select count(*)::int from ${records}) as total
      from page r ${joined}`
  })
}

/** A page of an installation's records. */
export function readOfInstallation<Filter extends string>(
  db: Database,
  list: InstallationsList<Filter>,
  { installerId, companyId }: Scope,
  installationId: string,
  filter: { readonly [F in Filter]?: string | undefined },
  { perPage, before }: PageOf,
): Promise<Listed> {
  return db.reading(installerId, 'anything', (from) =>
    list(from, { ...filter, installerId, companyId, installationId, perPage, before }),
  )
}
