import type { Db, Statement } from '../../../platform/db.ts'

/** A count that is kept is not what there is. */
export interface WrongCount {
  what: string
  kept: string
  counted: string
}

interface KeptCount {
  table: string
  column: string
  /** What it counts, and by which columns. */
  records: string
  by: readonly string[]
  /** Which of them. */
  listed?: string
}

const keptCounts: KeptCount[] = [
  {
    table: 'panel_counts',
    column: 'panels',
    records: 'panels',
    by: ['status'],
    listed: ' and deleted_at is null',
  },
  { table: 'installation_counts', column: 'installations', records: 'installations', by: ['region'] },
  { table: 'invoice_counts', column: 'invoices', records: 'invoices', by: ['status'] },
  { table: 'credit_counts', column: 'credits', records: 'credits', by: [] },
  { table: 'alert_counts', column: 'alerts', records: 'alerts', by: ['status', 'severity', 'type'] },
  {
    table: 'quarantine_counts',
    column: 'readings',
    records: 'quarantined_readings',
    by: ['installation_id'],
    listed: ` and state = 'waiting'`,
  },
]

function countStatement({ table, column, records, by, listed = '' }: KeptCount, mend: boolean): Statement {
  const key = ['company_id', ...by].join(', ')
  const mended = `, mended as (
      insert into ${table} as c (installer_id, ${key}, ${column}, changes) select $1, ${key}, counted, 1 from wrong
      on conflict (installer_id, ${key}) do update set ${column} = excluded.${column}, changes = c.changes + 1
    )`
  return {
    name: `${mend ? 'mend' : 'check'}-${table}`,
    text: `with counted as (
      select ${key}, count(*)::int as n from ${records} where installer_id = $1${listed} group by ${key}
    ), kept as (
      select ${key}, ${column} as n from ${table} where installer_id = $1
    ), wrong as (
      select ${key}, coalesce(kept.n, 0) as kept, coalesce(counted.n, 0) as counted
      from counted full join kept using (${key}) where coalesce(kept.n, 0) <> coalesce(counted.n, 0)
    )${mend ? mended : ''}
    select concat_ws(' ', '${table} of', ${key}) as what, kept::text, counted::text from wrong order by ${key}`,
  }
}

const ofInstallations = `with counted as (
      select installation_id, count(*)::int as panels, sum(capacity_kw) as kw from panels
      where installer_id = $1 and deleted_at is null group by installation_id
    ), wrong as (
      select i.id, i.panel_count, i.panels_kw, coalesce(c.panels, 0) as panels, coalesce(c.kw, 0) as kw
      from installations i left join counted c on c.installation_id = i.id
      where i.installer_id = $1 and (i.panel_count, i.panels_kw) <> (coalesce(c.panels, 0), coalesce(c.kw, 0))
    )`
const mendedInstallations = `, mended as (
      update installations i set panel_count = w.panels, panels_kw = w.kw, version = i.version + 1
      from wrong w where i.installer_id = $1 and i.id = w.id
    )`

const installationsStatement = (mend: boolean): Statement => ({
  name: `${mend ? 'mend' : 'check'}-panels-of-installations`,
  text: `${ofInstallations}${mend ? mendedInstallations : ''}
    select 'panels of ' || id as what, panel_count || ' of ' || trim_scale(panels_kw) || ' kW' as kept,
      panels || ' of ' || trim_scale(kw) || ' kW' as counted from wrong order by id`,
})

const storageStatement = (mend: boolean): Statement => ({
  name: `${mend ? 'mend' : 'check'}-storage-usage`,
  text: `with counted as (
      select company_id, sum(bytes) as n from (
        select company_id, size as bytes from files where installer_id = $1 and revoked_at is null
        union all select company_id, stored_bytes from imports where installer_id = $1 and store_key is not null
        union all select company_id, octet_length(png) from company_logos where installer_id = $1
      ) every group by company_id
    ), wrong as (
      select company_id, coalesce(kept.bytes, 0) as kept, coalesce(counted.n, 0) as counted
      from counted full join (select company_id, bytes from storage_usage where installer_id = $1) kept using (company_id)
      where coalesce(kept.bytes, 0) <> coalesce(counted.n, 0)
    )${
      mend
        ? `, mended as (
      insert into storage_usage (installer_id, company_id, bytes) select $1, company_id, counted from wrong
      on conflict (installer_id, company_id) do update set bytes = excluded.bytes
    )`
        : ''
    }
    select 'bytes kept by ' || company_id as what, kept::text, counted::text from wrong order by company_id`,
})

const statements = (mend: boolean) => [
  ...keptCounts.map((count) => countStatement(count, mend)),
  installationsStatement(mend),
  storageStatement(mend),
]
const checks = statements(false)
const mends = statements(true)

/** A tenant's kept counts that are not what there is; `mend` sets them right, for whoever holds the tenant's lock. */
export async function listWrongCounts(db: Db, installerId: string, mend: boolean): Promise<WrongCount[]> {
  const wrong: WrongCount[] = []
  for (const statement of mend ? mends : checks)
    wrong.push(...(await db.query<WrongCount>(statement, [installerId])))
  return wrong
}
