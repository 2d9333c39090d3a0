import type { Deps } from './api/deps.ts'
import { createBodyBudget } from './api/http/body-budget.ts'
import { createCursors } from './api/http/cursor.ts'
import { createUploadTurns } from './api/http/upload-turns.ts'
import { addressesOf, type Config, erasedListOf } from './config.ts'
import { createCopyQueue } from './domain/deals/files/copy-files.ts'
import { createCountedLists } from './domain/deals/renderings/counted-lists.ts'
import { createNumberedLists } from './domain/kernel/numbered-lists.ts'
import { createStartedPages } from './domain/kernel/page-starts.ts'
import { sharedSecret } from './domain/kernel/shared-secret.ts'
import { lookAtTenant } from './domain/kernel/tenant/clock-queries.ts'
import { createDirectories } from './domain/kernel/tenant/directories.ts'
import { openErasedList } from './domain/operations/privacy/erased-list.ts'
import { createRequestLog } from './domain/operations/requests/request-log.ts'
import { openSecretBox } from './domain/operations/secrets/open-secret-box.ts'
import { createKeys } from './domain/tenants/keys/authenticate.ts'
import { createAttemptLimits } from './platform/attempt-limits.ts'
import { createDatabaseMetrics } from './platform/database-metrics.ts'
import { openFileStore } from './platform/file-store/open-file-store.ts'
import { waitForStore } from './platform/file-store/wait-for-store.ts'
import type { LineList } from './platform/line-file.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import type { OpenDatabase } from './platform/open-database.ts'
import { type CopierOptions, createCopier } from './platform/outbound/copy-from-address.ts'
import { createOutbound } from './platform/outbound/http.ts'
import type { Resolve } from './platform/outbound/names.ts'
import { createRateLimiter } from './platform/rate-limit.ts'
import { type Limits, shareLimits } from './platform/redis/share-limits.ts'
import { observeReplica } from './platform/replica/observe-replica.ts'
import { createReplica, type Replica } from './platform/replica/replica.ts'
import { createThumbnails } from './platform/thumbnail.ts'
import { version } from './platform/version.ts'

/** For tests: how outside names are found, whose certificates are believed, and how long copies may take. */
export interface Outside {
  resolve?: Resolve
  ca?: string
  /** How long a call's statements may take. */
  callMs?: number
  /** How long Redis may take to answer. */
  redisAnswerMs?: number
  copying?: Pick<CopierOptions, 'silenceMs' | 'totalMs'> & { graceMs?: number }
}

/** Counted by this process alone. */
export function ownLimits({ rateLimitPerMinute }: Config): Limits {
  return {
    limiter: rateLimitPerMinute === 0 ? null : createRateLimiter(rateLimitPerMinute),
    attempts: createAttemptLimits(),
  }
}

export interface Parts {
  deps: Deps
  erasedList: LineList
  replica: Replica | null
  /** Tells what goes on for long that the server stops. */
  ending: AbortController
  close(): Promise<void>
}

/** Everything that a process is built from. */
export async function createParts(
  config: Config,
  log: Log,
  database: OpenDatabase,
  own: Limits,
  outside: Outside = {},
  signal?: AbortSignal,
): Promise<Parts> {
  const { jobsDb, replicaDb } = database
  const metrics = createMetrics()
  const replica =
    replicaDb &&
    createReplica({
      primary: database.db,
      replica: replicaDb,
      look: lookAtTenant,
      observer: observeReplica(log, metrics.replica),
    })
  const db = replica?.database ?? database.db
  const box = await openSecretBox(jobsDb, config)
  const store = await openFileStore(config)
  await waitForStore(store, (message) => log.warn(message), signal).catch(async (error) => {
    await store.close()
    throw error
  })
  const erasedList = openErasedList(erasedListOf(config), store)
  const cursors = createCursors(await sharedSecret(db, box, 'cursors'))
  const trustedHosts = config.outboundTrustedHosts
  const { resolve, ca } = outside
  const outbound = createOutbound({ trustedHosts, ...(resolve ? { resolve } : {}), ...(ca ? { ca } : {}) })
  const ending = new AbortController()
  createDatabaseMetrics(metrics.registry, {
    calls: db,
    jobs: jobsDb,
    ...(replicaDb ? { replica: replicaDb } : {}),
  })
  const { limiter, attempts, close } = await shareLimits(own, {
    redisUrl: config.redisUrl,
    ...(outside.redisAnswerMs ? { answerMs: outside.redisAnswerMs } : {}),
    secret: () => sharedSecret(db, box, 'limits'),
    log,
    metrics: metrics.sharedLimits,
  })
  const baseUrl = () => deps.addresses.baseUrl
  const deps: Deps = {
    db,
    jobsDb,
    databaseUrl: database.url,
    sessionConnections: database.shares.sessions,
    opsOnly: config.role === 'worker',
    directories: createDirectories(),
    keys: createKeys(db),
    requests: createRequestLog(jobsDb, metrics.requestsNotLogged),
    limiter,
    attempts,
    trustedProxies: config.trustedProxies,
    cursors,
    box,
    countedPage: createCountedLists(),
    numberedPage: createNumberedLists(),
    startedPage: createStartedPages(),
    thumbnails: createThumbnails(),
    uploads: createUploadTurns(),
    bodies: createBodyBudget(),
    copying: {
      copier: createCopier({ outbound, store, ...outside.copying }),
      line: createCopyQueue(),
      store,
      trustedHosts,
    },
    webhooks: { sending: { outbound, box, userAgent: `Sunstead-Webhooks/${version}`, baseUrl } },
    noteErased: erasedList.append,
    addresses: addressesOf(config, config.port),
    sendsMail: config.smtpUrl !== null,
    log,
    metrics,
    readMetrics: () => metrics.registry.metrics(),
    metricsToken: config.metricsToken,
    state: { phase: 'starting' },
    stopping: ending.signal,
  }
  return {
    deps,
    erasedList,
    replica,
    ending,
    async close() {
      replica?.close()
      await Promise.all([close(), outbound.close(), store.close()])
    },
  }
}
