import pg from 'pg'
import { createPartitionsFor } from '../../src/domain/sites/energy/partitions.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import type { SeededTenant } from './seed.ts'
import { createTenant } from './tenants.ts'

export interface SeededSite {
  id: string
  panels: string[]
}

export interface SeededEnergy {
  tenant: SeededTenant
  sites: SeededSite[]
}

const sizes = { sites: 100, panelsEach: 100 }
/** The year that is read; what is sent while measuring is of years before. */
export const seededYear = 2025
export const sentYears = { floor: 2021, ours: 2023, afterwards: 2024 }

/**
 * A tenant of 10,000 panels with a year of hourly data, as the roll-ups have it: they are what is read. It is added to
 * the copy that the run may change, and only where a row needs it.
 */
export async function seedEnergy(url: string, note: (message: string) => void): Promise<SeededEnergy> {
  const db = openDatabase(url, () => {})
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    note('a tenant of 10,000 panels and a year of what they made')
    const { directory, key } = await createTenant(db, new Date(), 'Installer of ten thousand panels')
    const { installerId } = directory
    const sites = Array.from({ length: sizes.sites }, () => ({
      id: newId('inst'),
      panels: Array.from({ length: sizes.panelsEach }, () => newId('pnl')),
    }))
    const siteIds = sites.map(({ id }) => id)
    const panelIds = sites.flatMap(({ panels }) => panels)
    await createPartitionsFor(db, months(sentYears.floor, sentYears.afterwards))
    await client.query(`set synchronous_commit = off`)
    await client.query(
      `insert into installations (installer_id, id, company_id, name, address, region, timezone, panel_count, panels_kw, created_at)
       select $1, id, $1, 'Site', '1 Market St', 'US-CA', 'America/Los_Angeles', $3::int, $3::int, now()
       from unnest($2::text[]) id`,
      [installerId, siteIds, sizes.panelsEach],
    )
    await client.query(
      `insert into panels (installer_id, id, company_id, installation_id, name, capacity_kw, status, created_at)
       select $1, p.id, $1, p.site, 'Panel', 1, 'active', now() from unnest($2::text[], $3::text[]) p (id, site)`,
      [installerId, panelIds, sites.flatMap(({ id, panels }) => panels.map(() => id))],
    )
    await client.query(
      `insert into panel_counts (installer_id, company_id, status, panels) values ($1, $1, 'active', $2)`,
      [installerId, sizes.sites * sizes.panelsEach],
    )
    await insertDays(client, 'installation_days', 'installation_id', installerId, siteIds)
    await insertDays(client, 'panel_days', 'panel_id', installerId, panelIds)
    await insertCoverage(client, installerId, siteIds)
    await client.query('vacuum analyze installations, panels, installation_days, panel_days, coverage_months')
    await client.query('checkpoint')
    return { tenant: { installerId, number: 0, key }, sites }
  } finally {
    await client.end()
    await db.close()
  }
}

/** As it is kept once a month has been looked at. */
async function insertCoverage(client: pg.Client, installerId: string, siteIds: string[]): Promise<void> {
  await client.query(
    `insert into coverage_months (installer_id, installation_id, month, version, expected, covered, expected_hours, covered_hours)
     select $1, id, month, 1, array_fill(1000::real, array[30]), array_fill(990::real, array[30]), 30000, 29700
     from generate_series(make_date($3, 1, 1), make_date($3, 12, 1), interval '1 month') month
     cross join unnest($2::text[]) id`,
    [installerId, siteIds, seededYear],
  )
}

function months(first: number, last: number): number[] {
  return Array.from({ length: (last - first + 1) * 12 }, (_, i) => Date.UTC(first, i, 15))
}

/**
 * A row a day, with 13 hours of sun; all of one day, then all of the next, as they come. Pages are filled a little more
 * than they would be with new rows, as they are when the rows have grown for a day: else the next ones would fit in and
 * be spread over the whole year.
 */
async function insertDays(
  client: pg.Client,
  table: 'panel_days' | 'installation_days',
  column: string,
  installerId: string,
  ids: string[],
): Promise<void> {
  const panels = table === 'installation_days'
  await client.query(`alter table ${table} drop constraint ${table}_pkey, set (fillfactor = 55)`)
  await client.query(
    `insert into ${table} (installer_id, ${column}, day, microkwh, readings, ${panels ? 'panels, ' : ''}hours)
     select $1, id, day, 13 * 250000, 24, ${panels ? `${sizes.panelsEach}, ` : ''}
       array_fill(0::bigint, array[6]) || array_fill(250000::bigint, array[13]) || array_fill(0::bigint, array[5])
     from generate_series(make_date($3, 1, 1), make_date($3, 12, 31), interval '1 day') day
     cross join unnest($2::text[]) id`,
    [installerId, ids, seededYear],
  )
  await client.query(
    `alter table ${table} add primary key (installer_id, ${column}, day), set (fillfactor = 50)`,
  )
}
