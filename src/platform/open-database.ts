import { callLimits, type Limits, workLimits } from './database-limits.ts'
import { openDatabase, type PooledDatabase } from './db.ts'
import { openEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { tracedDatabase } from './tracing/traced-database.ts'
import { isTracing } from './tracing/tracing.ts'
import { type Waiting, waitForDatabase } from './wait-for-database.ts'

export interface OpenDatabase {
  /** For the command line's work, and for a server's calls. */
  db: PooledDatabase
  /** For what a server does besides: it takes its time, and takes no connection away from calls. */
  jobsDb: PooledDatabase
  url: string
  embedded: boolean
  /** Settles, with a sentence, once only a new start helps: the embedded PostgreSQL has died. */
  lost: Promise<Error>
  close(): Promise<void>
}

/** The database that the configuration names: the operator's own, or the embedded one. */
export async function openConfiguredDatabase(
  config: { databaseUrl: string | null; dataDir: string },
  role: 'server' | 'tool',
  note: (message: string) => void,
  waiting: Waiting = {},
): Promise<OpenDatabase> {
  const ignore = (error: Error) => note(`a connection to the database was lost: ${error.message}`)
  if (config.databaseUrl) await waitForDatabase(config.databaseUrl, { onWait: note, ...waiting })
  const postgres = config.databaseUrl
    ? { url: config.databaseUrl, close: async () => {}, lost: new Promise<Error>(() => {}) }
    : await openEmbeddedPostgres({ dataDir: config.dataDir, role, note })
  const open = (limits: Limits) => {
    const opened = openDatabase(postgres.url, ignore, limits)
    return isTracing() ? tracedDatabase(opened) : opened
  }
  const jobsDb = open(workLimits)
  const db = role === 'server' ? open(callLimits) : jobsDb
  return {
    db,
    jobsDb,
    url: postgres.url,
    embedded: config.databaseUrl === null,
    lost: postgres.lost,
    async close() {
      await Promise.all([...new Set([db, jobsDb])].map((each) => each.close()))
      await postgres.close()
    },
  }
}
