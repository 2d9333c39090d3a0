import pg from 'pg'
import { installerOf } from '../../src/domain/kernel/tenant/directory.ts'
import { countAgain } from '../../src/domain/operations/checks/count-again.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { migrateQueue } from '../../src/platform/queue.ts'
import { createRandom } from '../random.ts'
import { addDeal, insertRows, noRows, type Rows } from './insert-rows.ts'
import { fillLargeTenant } from './large-tenants.ts'
import { sampleDeal } from './sample-deals.ts'
import { createTenant, type Tenant } from './tenants.ts'

export const sizes = {
  installers: 50,
  leadsEach: 4_000,
  /** Every second lead is sold. */
  projectsEach: 2_000,
  million: { leads: 1_000_000, projects: 60_000 },
  tenThousand: { leads: 10_000, projects: 0 },
  hundredThousand: { leads: 100_000, projects: 0 },
}

export interface SeededTenant {
  installerId: string
  number: number
  key: string
}

export interface Seeded {
  installers: SeededTenant[]
  million: SeededTenant
  tenThousand: SeededTenant
  hundredThousand: SeededTenant
}

const start = Date.parse('2024-01-01T00:00:00Z')
const stepMs = 4 * 3_600_000
const batch = 20

/** Fills an empty database. Tenants take turns, so that their rows lie mixed on disk as they would. */
export async function seed(url: string, note: (message: string) => void): Promise<Seeded> {
  const db = openDatabase(url, () => {})
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await migrate(url)
    // As after its first start: the process that makes the queue's tables goes on collecting garbage at twice the price.
    await migrateQueue(url, createLog('silent'))
    note(`making ${sizes.installers + 3} installers`)
    const now = new Date()
    const tenants: Tenant[] = []
    for (let i = 1; i <= sizes.installers; i++) tenants.push(await createTenant(db, now, `Installer ${i}`))
    const million = await createTenant(db, now, 'Installer of a million')
    const tenThousand = await createTenant(db, now, 'Installer of ten thousand')
    const hundredThousand = await createTenant(db, now, 'Installer of a hundred thousand')

    // Rows are right as they are made; checking every reference would take as long as writing them.
    await client.query(`set session_replication_role = replica; set synchronous_commit = off`)
    await insertDeals(client, tenants, note)
    note('a tenant of 1,000,000 leads')
    await fillLargeTenant(client, million, sizes.million.leads, sizes.million.projects)
    note('a tenant of 10,000 leads')
    await fillLargeTenant(client, tenThousand, sizes.tenThousand.leads, sizes.tenThousand.projects)
    note('a tenant of 100,000 leads')
    await fillLargeTenant(
      client,
      hundredThousand,
      sizes.hundredThousand.leads,
      sizes.hundredThousand.projects,
    )
    // Rows that were not counted as they were made.
    await client.query(`update tenant_clocks set counted_at = null, now = greatest(now,
      (select max(updated_at) from leads where leads.installer_id = tenant_clocks.installer_id),
      (select max(updated_at) from projects where projects.installer_id = tenant_clocks.installer_id))`)
    await countAgain(db, AbortSignal.timeout(600_000))
    note('vacuum, analyze, checkpoint')
    await client.query('vacuum (freeze, analyze)')
    await client.query('checkpoint')

    const seeded = ({ directory, key }: Tenant) => ({
      installerId: directory.installerId,
      number: installerOf(directory).number,
      key,
    })
    return {
      installers: tenants.map(seeded),
      million: seeded(million),
      tenThousand: seeded(tenThousand),
      hundredThousand: seeded(hundredThousand),
    }
  } finally {
    await client.end()
    await db.close()
  }
}

async function insertDeals(client: pg.Client, tenants: Tenant[], note: (message: string) => void) {
  let writing = Promise.resolve()
  for (let from = 0; from < sizes.leadsEach; from += batch) {
    if (from % 500 === 0) note(`${from * tenants.length} of ${sizes.leadsEach * tenants.length} leads`)
    const rows = renderBatch(tenants, from)
    await writing
    writing = insertRows(client, rows)
  }
  await writing
}

function renderBatch(tenants: Tenant[], from: number): Rows {
  const rows = noRows()
  for (let index = from; index < from + batch; index++) {
    for (const [t, { directory, companyIds }] of tenants.entries()) {
      const sold = index % 2 === 0
      const place = {
        directory,
        companyId: companyIds[index % 5 === 4 ? 1 : 0]!,
        sold,
        index,
        pair: index >> 2,
        at: new Date(start + index * stepMs + t),
        leadId: newId('lead'),
        projectId: newId('proj'),
      }
      const deal = sampleDeal(place, createRandom(t * sizes.leadsEach + index))
      if (deal.project) deal.project.updatedAt = new Date(place.at.getTime() + stepMs / 2)
      addDeal(rows, deal, directory)
    }
  }
  return rows
}
