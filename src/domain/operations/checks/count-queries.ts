import type { Db } from '../../../platform/db.ts'
import { sql, when } from '../../../platform/sql/sql.ts'
import { many } from '../../../platform/sql/statements.ts'
import { countDeliveries } from '../../delivery/webhooks/delivery-counts.ts'
import { listWrongDeliveries } from '../../delivery/webhooks/wrong-deliveries.ts'
import { keepTrouble, wrongTrouble } from '../../sites/installations/trouble-queries.ts'
import { listWrongClocked } from './clocked-counts.ts'
import { type Checked, checkOf, type KeptCount, type WrongCount, wrongCount } from './kept-count.ts'

const changes = true
const keptCounts: KeptCount[] = [
  {
    table: 'panel_counts',
    column: 'panels',
    records: 'panels',
    by: ['status'],
    listed: ' and deleted_at is null',
    changes,
  },
  {
    table: 'installation_counts',
    column: 'installations',
    records: 'installations',
    by: ['region'],
    listed: ' and deleted_at is null',
    changes,
  },
  { table: 'invoice_counts', column: 'invoices', records: 'invoices', by: ['status'], changes },
  { table: 'credit_counts', column: 'credits', records: 'credits', by: [], changes },
  { table: 'alert_counts', column: 'alerts', records: 'alerts', by: ['status', 'severity', 'type'], changes },
  {
    table: 'quarantine_counts',
    column: 'readings',
    records: 'quarantined_readings',
    by: ['installation_id'],
    listed: ` and state = 'waiting'`,
    changes,
  },
  {
    table: 'quarantine_totals',
    column: 'readings',
    records: 'quarantine_counts',
    by: [],
    sum: 'summed_readings',
    changes,
  },
]

const checkInstallations = many(wrongCount, ($: Checked) => {
  const mended = sql`, mended as (
      update installations i set panel_count = w.panels, panels_kw = w.kw, version = i.version + 1
      from wrong w where i.installer_id = ${$.installerId} and i.id = w.id
    )`
  return sql`with counted as (
      select installation_id, count(*)::int as panels, sum(capacity_kw) as kw from panels
      where installer_id = ${$.installerId} and deleted_at is null group by installation_id
    ), wrong as (
      select i.id, i.panel_count, i.panels_kw, coalesce(c.panels, 0) as panels, coalesce(c.kw, 0) as kw
      from installations i left join counted c on c.installation_id = i.id
      where i.installer_id = ${$.installerId}
        and (i.panel_count, i.panels_kw) <> (coalesce(c.panels, 0), coalesce(c.kw, 0))
    )${when($.mend, mended)}
    select 'panels of ' || id as what, panel_count || ' of ' || trim_scale(panels_kw) || ' kW' as kept,
      panels || ' of ' || trim_scale(kw) || ' kW' as counted from wrong order by id`
})

async function checkTrouble(db: Db, { installerId, mend }: { installerId: string; mend: boolean }) {
  const wrong: WrongCount[] = []
  for await (const some of wrongTrouble(db, installerId)) {
    // Held first and then read again: readings do not wait for the tenant's lock.
    if (mend)
      await keepTrouble(
        db,
        installerId,
        some.map(({ id }) => id),
      )
    for (const { id, kept, found } of some)
      wrong.push({ what: `worst alert and last day of ${id}`, kept, counted: found })
  }
  return wrong
}

const checkStorage = many(wrongCount, ($: Checked) => {
  const mended = sql`, mended as (
      insert into storage_usage (installer_id, company_id, bytes)
      select ${$.installerId}, company_id, counted from wrong
      on conflict (installer_id, company_id) do update set bytes = excluded.bytes
    )`
  return sql`with counted as (
      select company_id, sum(bytes) as n from (
        select company_id, size as bytes from files where installer_id = ${$.installerId} and revoked_at is null
        union all select company_id, stored_bytes from imports
          where installer_id = ${$.installerId} and store_key is not null
        union all select company_id, octet_length(png) from company_logos where installer_id = ${$.installerId}
      ) every group by company_id
    ), wrong as (
      select company_id, coalesce(kept.bytes, 0) as kept, coalesce(counted.n, 0) as counted
      from counted full join (
        select company_id, bytes from storage_usage where installer_id = ${$.installerId}
      ) kept using (company_id)
      where coalesce(kept.bytes, 0) <> coalesce(counted.n, 0)
    )${when($.mend, mended)}
    select 'bytes kept by ' || company_id as what, kept::text, counted::text from wrong order by company_id`
})

async function checkDeliveries(db: Db, { installerId, mend }: { installerId: string; mend: boolean }) {
  const wrong: WrongCount[] = []
  for (const { webhookId, kept, counted } of await listWrongDeliveries(db, installerId, (read) => read(db))) {
    if (mend) await countDeliveries(db, { installerId, webhookId })
    wrong.push({ what: `deliveries to ${webhookId}`, kept, counted })
  }
  return wrong
}

// Installations are held before what is kept of them, as by whoever sends readings.
const checks = [checkInstallations, checkTrouble, ...keptCounts.map(checkOf), checkStorage, checkDeliveries]

/** A tenant's kept counts that are not what there is; `mend` sets them right, for whoever holds the tenant's lock. */
export async function listWrongCounts(db: Db, installerId: string, mend: boolean): Promise<WrongCount[]> {
  const wrong: WrongCount[] = []
  for (const check of checks) wrong.push(...(await check(db, { installerId, mend })))
  wrong.push(...(await listWrongClocked(db, installerId, mend)))
  return wrong
}
