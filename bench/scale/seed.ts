import type pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { sweepWebhooks } from '../../src/domain/delivery/webhooks/sweep-webhooks.ts'
import { countAgain } from '../../src/domain/operations/checks/count-again.ts'
import { createUpcomingPartitions } from '../../src/domain/sites/energy/partitions.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { openConfiguredDatabase } from '../../src/platform/open-database.ts'
import { migrateQueue } from '../../src/platform/queue.ts'
import type { Mark } from './own-database.ts'
import { populationOf } from './population.ts'
import { seedCompanies } from './seed-companies.ts'
import { seedDeals } from './seed-deals.ts'
import { seedSites } from './seed-sites.ts'

const monthMs = 30 * 86_400_000

/** Fills an empty database with all that the load needs, in minutes: whole tables at a time, nothing by a call. */
export async function seed(
  client: pg.Client,
  url: string,
  mark: Mark,
  note: (message: string) => void,
): Promise<void> {
  const population = populationOf(mark)
  note('the schema')
  await migrate(url)
  await migrateQueue(url, createLog('silent'))
  const db = openDatabase(url, () => {})
  // Readings are sent of the days before today.
  await createUpcomingPartitions(db, new Date(Date.now() - monthMs)).finally(() => db.close())
  await client.query('set synchronous_commit = off')
  const now = new Date()
  note(`${population.length} companies with keys, people and ladders`)
  const companies = await seedCompanies(client, population, mark.salt, now)
  note(`${mark.panels} panels`)
  await seedSites(client, population, companies.directories, mark.panels, now)
  note('leads and projects')
  await seedDeals(url, population, companies, now, note)
  note('what is kept of them')
  await countAll(url, now)
  note('vacuum, analyze')
  await client.query('vacuum (analyze)')
}

/** Rows were not counted as they were made, and a server's first jobs would count them while something else is measured. */
async function countAll(url: string, now: Date): Promise<void> {
  const database = await openConfiguredDatabase(readConfig({ DATABASE_URL: url }), 'tool', () => {})
  const { signal } = new AbortController()
  try {
    await countAgain(database.db, signal)
    await sweepWebhooks(database.db, now, signal)
  } finally {
    await database.close()
  }
}
