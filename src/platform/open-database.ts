import pg from 'pg'
import { citusDatabase, citusSettings } from './citus/citus-database.ts'
import { hasCitus } from './citus/distribute.ts'
import { createTelling } from './citus/job-requests.ts'
import { watchSpread } from './citus/watch-spread.ts'
import {
  type ConnectionShares,
  type Limits,
  type ProcessRole,
  replicaLimits,
  shareConnections,
  workLimits,
} from './database-limits.ts'
import { openDatabase, type PooledDatabase } from './db.ts'
import { openEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { setRoleDefaults } from './pooler.ts'
import { tracedDatabase } from './tracing/traced-database.ts'
import { isTracing } from './tracing/tracing.ts'
import { type Waiting, waitForDatabase } from './wait-for-database.ts'

const connectMs = 10_000

export interface OpenDatabase {
  /** For the command line's work, and for a server's calls. */
  db: PooledDatabase
  /** For what a server does besides: it takes its time, and takes no connection away from calls. */
  jobsDb: PooledDatabase
  /** A copy of the database that lags behind by a moment; null where none is configured. */
  replicaDb: PooledDatabase | null
  /** For what opens connections of its own, which may need a session: migrations, the queue, and who leads. */
  url: string
  /** Where `db` goes: through a pooler, where there is one. */
  callsUrl: string
  /** How a server shares out its connections. */
  shares: ConnectionShares
  embedded: boolean
  /** Whether tenants live on several nodes. */
  citus: boolean
  /** Settles, with a sentence, once only a new start helps: the embedded PostgreSQL has died, or tenants were spread over nodes. */
  lost: Promise<Error>
  /** Lets go of the connections, but not of the embedded PostgreSQL. */
  closePools(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseConfig {
  databaseUrl: string | null
  /** Past a pooler; null where there is none. */
  databaseDirectUrl: string | null
  databaseReplicaUrl: string | null
  databaseConnections: number
  webConcurrency: number
  role: ProcessRole
  dataDir: string
  /** How long a call's statements may take, where that is not as usual. */
  callMs?: number | undefined
}

/** The database that the configuration names: the operator's own, or the embedded one. */
export async function openConfiguredDatabase(
  config: DatabaseConfig,
  role: 'server' | 'tool',
  note: (message: string) => void,
  waiting: Waiting = {},
): Promise<OpenDatabase> {
  const ignore = (error: Error) => note(`a connection to the database was lost: ${error.message}`)
  const direct = config.databaseDirectUrl ?? config.databaseUrl
  if (direct) await waitForDatabase(direct, { onWait: note, ...waiting })
  const postgres = direct
    ? { url: direct, close: async () => {}, lost: new Promise<Error>(() => {}) }
    : await openEmbeddedPostgres({ dataDir: config.dataDir, role, note, settings: roomFor(config) })
  const callsUrl = config.databaseUrl ?? postgres.url
  const throughPooler = callsUrl !== postgres.url
  const citus = direct !== null && (await isCitus(direct))
  const settings = citus ? citusSettings : {}
  if (citus && config.databaseReplicaUrl) throw new Error(noReplica)
  if (throughPooler && role === 'server')
    await setRoleDefaults(callsUrl, postgres.url, workLimits.statementMs, settings)
  const open = (limits: Limits, url = postgres.url, pooled = url !== postgres.url) => {
    const plain = openDatabase(url, ignore, limits, { throughPooler: pooled, settings })
    const opened = citus ? citusDatabase(plain, createTelling(plain), note) : plain
    return isTracing() ? tracedDatabase(opened) : opened
  }
  const shares = shareConnections(config.databaseConnections, config.role, config.callMs)
  const jobsDb = open(role === 'server' ? shares.jobs : workLimits)
  const db = role === 'server' ? open(shares.calls, callsUrl) : jobsDb
  // Where calls go through a pooler the replica may be behind one too: settings of the role are replicated to it.
  const replicaDb = config.databaseReplicaUrl
    ? open(replicaLimits(role, shares.calls), config.databaseReplicaUrl, throughPooler)
    : null
  const watch = direct && role === 'server' && !citus ? watchSpread(jobsDb) : null
  let closed: Promise<unknown> | undefined
  const closePools = async () => {
    watch?.end()
    closed ??= Promise.all([...new Set([db, jobsDb, replicaDb])].map((each) => each?.close()))
    await closed
  }
  return {
    db,
    jobsDb,
    replicaDb,
    url: postgres.url,
    callsUrl,
    shares,
    embedded: config.databaseUrl === null,
    citus,
    lost: watch?.spread ?? postgres.lost,
    closePools,
    async close() {
      await closePools()
      await postgres.close()
    },
  }
}

const noReplica =
  'DATABASE_REPLICA_URL cannot be used with Citus, whose nodes are read where they are written. ' +
  'Leave it out, and give the nodes replicas of their own for the case that one is lost.'

async function isCitus(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs })
  client.on('error', () => {})
  await client.connect()
  return hasCitus(client).finally(() => client.end())
}

/** For commands beside the server, and what PostgreSQL keeps for its owner. */
const spareConnections = 12

/** The embedded PostgreSQL lets in all that the processes of its host may hold. */
function roomFor({ webConcurrency, databaseConnections }: DatabaseConfig): Record<string, string> {
  return { max_connections: String(Math.max(60, webConcurrency * databaseConnections + spareConnections)) }
}
