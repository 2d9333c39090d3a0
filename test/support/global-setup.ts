import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { migrateQueue } from '../../src/platform/queue.ts'
import { onServer, templateName, withDatabase } from './database.ts'

const cleanups: (() => Promise<unknown>)[] = []

/** One PostgreSQL for the whole run, with a migrated database that each test file clones. */
export async function globalSetup(): Promise<void> {
  // A run inside a test of the runner has them.
  if (process.env.TEST_TEMPLATE) return
  process.env.TEST_FOLDER = await sharedFolder()
  process.env.TEST_DATABASE_URL ||= await startPostgres()
  const template = templateName()
  process.env.TEST_TEMPLATE = template
  await onServer(`create database ${template}`)
  cleanups.push(() => onServer(`drop database ${template}`))
  const url = withDatabase(process.env.TEST_DATABASE_URL, template)
  await migrate(url)
  await migrateQueue(url, createLog('silent'))
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
