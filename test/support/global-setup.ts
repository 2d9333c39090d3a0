import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDayPartitions } from '../../src/domain/operations/requests/partitions.ts'
import { createUpcomingPartitions } from '../../src/domain/sites/energy/partitions.ts'
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { migrateQueue } from '../../src/platform/queue.ts'
import { citusNodes, closeOnNodes, findNodes } from './citus.ts'
import { watchClocks } from './clock-watch.ts'
import {
  createDatabase,
  dropDatabase,
  onServer,
  openTestDatabase,
  templateName,
  withDatabase,
} from './database.ts'
import { makeMemoryFolder } from './memory-folder.ts'

const cleanups: (() => Promise<unknown>)[] = []

/** One PostgreSQL for the whole run, with a migrated database that each test file clones. */
export async function globalSetup(): Promise<void> {
  // A run inside a test of the runner has them.
  if (process.env.TEST_TEMPLATE) return
  const memory = makeMemoryFolder()
  if (memory) {
    process.env.TMPDIR = memory
    cleanups.push(() => rm(memory, { recursive: true, force: true, maxRetries: 5 }))
  }
  process.env.TEST_FOLDER = await sharedFolder()
  process.env.TEST_DATABASE_URL ||= await startPostgres()
  const template = templateName()
  process.env.TEST_TEMPLATE = template
  const nodes = await findNodes(process.env.TEST_DATABASE_URL)
  if (nodes) process.env.TEST_CITUS_NODES = JSON.stringify(nodes)
  await createDatabase(template)
  cleanups.push(() => dropDatabase(template))
  const url = withDatabase(process.env.TEST_DATABASE_URL, template)
  await migrate(url)
  if (citusNodes().length === 0) {
    // Citus has no triggers of its tables that wait for the end.
    await watchClocks(url)
    await makePartitions(url)
  }
  await migrateQueue(url, createLog('silent'))
  if (citusNodes().length > 0) await closeOnNodes(template)
}

/** What every server would make at its start, each in a database of its own. */
async function makePartitions(url: string): Promise<void> {
  const db = openTestDatabase(url)
  await createUpcomingPartitions(db, new Date())
  await createDayPartitions(db, new Date())
  await db.close()
}

/** For what is made once and used by several files. */
async function sharedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sunstead-suite-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  // The user that PostgreSQL runs as when we are root must be able to enter it.
  await chmod(folder, 0o755)
  return folder
}

async function startPostgres(): Promise<string> {
  const postgres = await openEmbeddedPostgres({
    dataDir: process.env.TEST_FOLDER!,
    role: 'server',
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
      // Thousands of connections are opened, and each proves its password.
      scram_iterations: '1',
      // No database lives long enough for it to be of use.
      autovacuum: 'off',
    },
  })
  cleanups.push(() => postgres.close())
  // Each file clones a database: in production the application may make none.
  await onServer('alter role sunstead_app createdb', postgres.ownerUrl)
  return postgres.url
}

export async function globalTeardown(): Promise<void> {
  for (const clean of cleanups.splice(0).reverse()) await clean()
}
