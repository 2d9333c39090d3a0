import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { lookAtTenant } from '../domain/kernel/tenant/clock-queries.ts'
import { takeTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { examineMigrations, refuse } from '../platform/migrate.ts'
import { type OpenDatabase, openConfiguredDatabase } from '../platform/open-database.ts'
import { createReplica } from '../platform/replica/replica.ts'

/** Opens the configured database for one command, beside a running server or without one. */
export async function withDatabase<T>(work: (db: Database, config: Config) => Promise<T>): Promise<T> {
  return withAnyDatabase(async (db, config) => {
    const difference = await examineMigrations(db)
    refuse(difference)
    const { pending } = difference
    if (pending.length > 0) {
      throw new Error(
        `The database lacks ${pending.length} migration(s). Run "sunstead migrate" or start the server first.`,
      )
    }
    return work(db, config)
  })
}

/** The same for commands that do not need it migrated; `make` lets the embedded one be made. */
export function withAnyDatabase<T>(
  work: (db: Database, config: Config, url: string) => Promise<T>,
  make = false,
): Promise<T> {
  return withOpenDatabase(({ db, url }, config) => work(db, config, url), make)
}

/** The same for commands that open connections of their own. */
export function withDatabaseUrl<T>(work: (url: string, config: Config) => Promise<T>): Promise<T> {
  return withOpenDatabase(({ url }, config) => work(url, config), false)
}

export async function withOpenDatabase<T>(
  work: (database: OpenDatabase, config: Config) => Promise<T>,
  make: boolean,
): Promise<T> {
  const config = readConfig(process.env)
  if (!make && !config.databaseUrl && !existsSync(join(config.dataDir, 'postgres.json'))) {
    throw new Error(
      `There is no database in ${config.dataDir} yet. Start the server or run "sunstead migrate" first, or set DATA_DIR.`,
    )
  }
  const database = await openConfiguredDatabase(config, 'tool', () => {}, {
    onWait: (message) => console.error(message),
  })
  const { replicaDb } = database
  const observer = { changed() {}, lag() {}, read() {} }
  const replica =
    replicaDb && createReplica({ primary: database.db, replica: replicaDb, look: lookAtTenant, observer })
  try {
    await takeTime(database.db)
    return await work({ ...database, db: replica?.database ?? database.db }, config)
  } finally {
    replica?.close()
    await database.close()
  }
}
