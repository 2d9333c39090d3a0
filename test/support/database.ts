import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createJobRequests } from '../../src/platform/citus/job-requests.ts'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { citusNodes, createOnNodes, dropOnNodes, openOnCitus } from './citus.ts'
import { byTest } from './clock-watch.ts'

/** Of every server of the tests: several of them may share a database. */
export const secretKey = 'a key for tests that is long enough'

export interface TestDatabase {
  url: string
  db: Database
  /** Reads what the API does not show. */
  rows<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Hands to the queue what was asked for on nodes that have none, as a leader does. */
  handOver?(): Promise<void>
  drop(): Promise<void>
}

export function templateName(): string {
  return `template_${process.pid}_${randomBytes(4).toString('hex')}`
}

export function withDatabase(url: string, name: string): string {
  return url.replace(/^([a-z]+:\/\/[^/]+\/)[^?]*/, `$1${name}`)
}

/** Runs one statement on the server that the whole run uses. */
export async function onServer(text: string, url = process.env.TEST_DATABASE_URL): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** A new database, of the nodes of the run where there are several: empty, or a copy of another. */
export async function createDatabase(name: string, template?: string): Promise<void> {
  if (citusNodes().length > 0) return createOnNodes(name, template)
  // A copy of the files is a quarter of the work of writing it all to the log.
  await onServer(`create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`)
}

export function openTestDatabase(url: string): Database {
  return citusNodes().length > 0 ? openOnCitus(url) : openDatabase(url, () => {})
}

export async function dropDatabase(name: string): Promise<void> {
  if (citusNodes().length > 0) return dropOnNodes(name)
  await onServer(`drop database if exists ${name} with (force)`).catch((error: pg.DatabaseError) => {
    // Autovacuum is not ours to end by force; a plain drop sends it away.
    if (error.code !== '42501') throw error
    return onServer(`drop database if exists ${name}`)
  })
}

/** A database of its own for a test file, cloned from the migrated one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { TEST_DATABASE_URL, TEST_TEMPLATE } = process.env
  if (!TEST_DATABASE_URL || !TEST_TEMPLATE) {
    throw new Error('Run the tests with --test-global-setup=test/support/global-setup.ts')
  }
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await createDatabase(name, TEST_TEMPLATE)
  const url = withDatabase(TEST_DATABASE_URL, name)
  const db = openTestDatabase(url)
  return {
    url,
    db,
    rows: (text, values = []) => db.query({ name: '', text: `${byTest} ${text}` }, values),
    handOver: async () => {
      if (citusNodes().length > 0) await createJobRequests(db, () => {}).look()
    },
    async drop() {
      await db.close()
      await dropDatabase(name)
    },
  }
}

/** For tests of how they are made: the database that is cloned has those that every server needs. */
export async function dropPartitions({ rows }: TestDatabase, table: string): Promise<void> {
  const made = await rows<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass',
    [table],
  )
  for (const { name } of made) await rows(`drop table ${name}`)
}
