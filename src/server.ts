import type { AddressInfo } from 'node:net'
import type { Deps } from './api/deps.ts'
import { createBodyBudget } from './api/http/body-budget.ts'
import { createCursors } from './api/http/cursor.ts'
import { buildApp } from './app.ts'
import { addressesOf, type Config, erasedListOf, exposureWarning } from './config.ts'
import { ensureDemo } from './demo/ensure-demo.ts'
import { copyGraceMs, createCopyQueue } from './domain/deals/files/copy-files.ts'
import { createCountedLists } from './domain/deals/renderings/counted-lists.ts'
import { createDeliveryWorkers } from './domain/delivery/webhooks/delivery-workers.ts'
import { DomainError } from './domain/kernel/domain-error.ts'
import { createNumberedLists } from './domain/kernel/numbered-lists.ts'
import { sharedSecret } from './domain/kernel/shared-secret.ts'
import { createDirectories } from './domain/kernel/tenant/directories.ts'
import { longJobKinds } from './domain/operations/long-jobs/kinds.ts'
import { eraseAgain } from './domain/operations/privacy/erase-again.ts'
import { openErasedList } from './domain/operations/privacy/erased-list.ts'
import { createRequestLog } from './domain/operations/requests/request-log.ts'
import { openSecretBox } from './domain/operations/secrets/open-secret-box.ts'
import { setUpCode } from './domain/tenants/companies/set-up-code.ts'
import { createKeys } from './domain/tenants/keys/authenticate.ts'
import { pause, startJobs } from './jobs/jobs.ts'
import { createLongJobs } from './jobs/long-jobs.ts'
import { startQueued } from './jobs/queued.ts'
import { createAttemptLimits } from './platform/attempt-limits.ts'
import { createDatabaseMetrics } from './platform/database-metrics.ts'
import { openFileStore } from './platform/file-store/open-file-store.ts'
import { waitForStore } from './platform/file-store/wait-for-store.ts'
import type { LineList } from './platform/line-file.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { migrate } from './platform/migrate.ts'
import { openConfiguredDatabase } from './platform/open-database.ts'
import { type CopierOptions, createCopier } from './platform/outbound/copy-from-address.ts'
import { createOutbound } from './platform/outbound/http.ts'
import type { Resolve } from './platform/outbound/names.ts'
import { migrateQueue } from './platform/queue.ts'
import { createRateLimiter } from './platform/rate-limit.ts'
import { shareLimits } from './platform/redis/share-limits.ts'
import { shortageOf } from './platform/shortage.ts'
import { createThumbnails } from './platform/thumbnail.ts'
import { startTracing } from './platform/tracing/tracing.ts'
import { version } from './platform/version.ts'
import { within } from './platform/within.ts'
import { recurringJobs } from './recurring-jobs.ts'

export interface Server {
  deps: Deps
  /** Where it really listens, whatever its public address is. */
  port: number
  /** With what the first company is made; null where there is one. */
  setUpCode: string | null
  /** What the demo made, where there is one. */
  demo: Awaited<ReturnType<typeof ensureDemo>>
  /** Answers what was begun, then lets go of everything; within a minute after draining, whatever does not end. */
  stop(): Promise<void>
  /** Settles, with a sentence, once only a new start helps. */
  lost: Promise<Error>
  /** Makes a stop wait for nobody. */
  hurry(): void
}

/** For tests: how outside names are found, whose certificates are believed, and how long copies may take. */
export interface Outside {
  resolve?: Resolve
  ca?: string
  /** How long Redis may take to answer. */
  redisAnswerMs?: number
  copying?: Pick<CopierOptions, 'silenceMs' | 'totalMs'> & { graceMs?: number }
}

const drainLimitMs = 6_000
const jobsLimitMs = 8_000
const lastWritesMs = 3_000
/** For who waited for a file to be copied and is now told how that went. */
const answerMs = 1_000
/** After which calls and jobs that did not end are left: what they wait for does not come any more. */
const endLimitMs = 20_000

/** How to take back what a start has begun, in the order in which it was. */
type Begun = (() => Promise<unknown>)[]

/** Starts everything, in the order in which things need each other. A start that fails leaves nothing running. */
export async function startServer(
  config: Config,
  log: Log,
  outside: Outside = {},
  signal?: AbortSignal,
): Promise<Server> {
  const warning = exposureWarning(config)
  if (warning !== null) log.warn(warning)
  const begun: Begun = []
  try {
    const tracing = config.tracing ? await startTracing(config.tracing) : null
    if (tracing) begun.push(tracing.stop)
    const note = (message: string) => log.info(message)
    const onWait = (message: string) => log.warn(message)
    const database = await openConfiguredDatabase(config, 'server', note, { onWait, signal })
    begun.push(() => database.close())
    const server = await serve(config, log, database, outside, begun, signal)
    // Spans of the last calls too.
    return { ...server, stop: () => server.stop().finally(() => tracing?.stop()) }
  } catch (error) {
    for (const undo of begun.reverse()) {
      await undo().catch((failure: Error) =>
        log.warn({ error: failure.message }, 'what was begun did not end'),
      )
    }
    throw explainedStart(error, config)
  }
}

async function serve(
  config: Config,
  log: Log,
  database: Awaited<ReturnType<typeof openConfiguredDatabase>>,
  outside: Outside,
  begun: Begun,
  signal: AbortSignal | undefined,
): Promise<Server> {
  const { db, jobsDb } = database
  const applied = await migrate(database.url, { note: (message) => log.info(message) })
  if (applied.length > 0) log.info({ applied }, 'migrated the database')
  await migrateQueue(database.url, log)

  const box = await openSecretBox(jobsDb, config)
  signal?.throwIfAborted()
  const store = await openFileStore(config)
  begun.push(() => store.close())
  await waitForStore(store, (message) => log.warn(message), signal)
  const erasedList = openErasedList(erasedListOf(config), store)
  const trustedHosts = config.outboundTrustedHosts
  const { resolve, ca } = outside
  const outbound = createOutbound({ trustedHosts, ...(resolve ? { resolve } : {}), ...(ca ? { ca } : {}) })
  begun.push(() => outbound.close())
  const ending = new AbortController()
  const baseUrl = () => deps.addresses.baseUrl
  const sending = { outbound, box, userAgent: `Sunstead-Webhooks/${version}`, baseUrl }
  const metrics = createMetrics()
  createDatabaseMetrics(metrics.registry, { calls: db, jobs: jobsDb })
  const workers = createDeliveryWorkers({
    db: jobsDb,
    sending,
    waitsSeconds: config.webhookRetrySeconds,
    onSent: metrics.work.deliveryDone,
  })
  const limits = await shareLimits(
    {
      limiter: config.rateLimitPerMinute === 0 ? null : createRateLimiter(config.rateLimitPerMinute),
      attempts: createAttemptLimits(),
    },
    {
      redisUrl: config.redisUrl,
      ...(outside.redisAnswerMs ? { answerMs: outside.redisAnswerMs } : {}),
      secret: () => sharedSecret(db, box, 'limits'),
      log,
      metrics: metrics.sharedLimits,
    },
  )
  begun.push(limits.close)
  const deps: Deps = {
    db,
    jobsDb,
    databaseUrl: database.url,
    directories: createDirectories(),
    keys: createKeys(db),
    requests: createRequestLog(jobsDb, metrics.requestsNotLogged),
    limiter: limits.limiter,
    attempts: limits.attempts,
    trustedProxies: config.trustedProxies,
    cursors: createCursors(await sharedSecret(db, box, 'cursors')),
    box,
    countedPage: createCountedLists(),
    numberedPage: createNumberedLists(),
    thumbnails: createThumbnails(),
    bodies: createBodyBudget(),
    copying: {
      copier: createCopier({ outbound, store, ...outside.copying }),
      line: createCopyQueue(),
      store,
      trustedHosts,
    },
    webhooks: { sending, workers },
    noteErased: erasedList.append,
    addresses: addressesOf(config, config.port),
    sendsMail: config.smtpUrl !== null,
    log,
    metrics,
    metricsToken: config.metricsToken,
    state: { phase: 'starting' },
    stopping: ending.signal,
  }
  const app = await buildApp(deps)
  begun.push(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  await app.listen({ host: config.host, port: config.port }).catch((error) => {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    throw new Error(
      `${config.host}:${config.port} is taken by another program. Stop that one, or set PORT to another port.`,
    )
  })
  const { port } = app.server.address() as AddressInfo
  deps.addresses = addressesOf(config, port)
  await eraseListed(deps, erasedList, signal)

  const demo = await ensureDemo({ ...deps, db: jobsDb }, config, database.embedded)
  const code = await setUpCode(db, box)
  const { directories } = deps
  const longJobs = createLongJobs({ db: jobsDb, directories, store }, longJobKinds, log)
  const queued = await startQueued({ db: jobsDb, url: database.url, workers, longJobs, log })
  begun.push(() => queued.stop())
  signal?.throwIfAborted()
  const jobs = startJobs([...(await recurringJobs(deps, config)), ...longJobs.jobs], log, metrics.work)
  deps.state.phase = 'ready'

  const hurry = new AbortController()
  let isLost = false
  const lost = database.lost.then((error) => {
    isLost = true
    return error
  })
  const stop = async () => {
    // Whoever shares out the calls is told first, and what they send until they have heard is served.
    if (config.drainSeconds > 0 && !isLost) {
      deps.state.phase = 'draining'
      await pause(config.drainSeconds * 1000, hurry.signal)
    }
    deps.state.phase = 'stopping'
    ending.abort(new DomainError('unavailable', 'The server is stopping. Retry shortly.'))
    const graceMs = outside.copying?.graceMs ?? copyGraceMs
    const copied = within(graceMs + answerMs, deps.copying.line.stop(graceMs))
    const cut = () => app.server.closeAllConnections()
    const late = setTimeout(() => void copied.then(() => setTimeout(cut, answerMs).unref()), drainLimitMs)
    hurry.signal.addEventListener('abort', cut)
    if (hurry.signal.aborted) cut()
    // Connections whose last call is answered would otherwise be kept alive until the cut.
    const drain = setInterval(() => app.server.closeIdleConnections(), 50)
    const ended = Promise.all([
      app.close(),
      within(jobsLimitMs, jobs.stop()),
      within(jobsLimitMs, queued.stop()),
    ])
    if (!(await within(endLimitMs, ended))) log.warn('calls that did not end were broken off')
    clearTimeout(late)
    clearInterval(drain)
    await Promise.all([limits.close(), outbound.close(), store.close()])
    const unwritten = (what: string) => (error: unknown) =>
      log.warn({ error: String(error) }, `${what} is lost`)
    await within(
      lastWritesMs,
      Promise.all([
        deps.keys.flush().catch(unwritten('when keys were last used')),
        deps.requests?.flush().catch(unwritten('the end of the request log')),
      ]),
    )
    await database.close()
  }
  let stopped: Promise<void> | undefined
  return {
    deps,
    port,
    demo,
    setUpCode: code,
    lost,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
    hurry: () => hurry.abort(),
  }
}

/** A database that was restored from before somebody was erased must not be served with them in it. */
async function eraseListed(deps: Deps, erasedList: LineList, signal: AbortSignal | undefined): Promise<void> {
  const { jobsDb, directories, copying, addresses, log } = deps
  const erasing = { store: copying.store, baseUrl: addresses.baseUrl, note: deps.noteErased }
  const list = await erasedList.read()
  const { erased } = await eraseAgain(jobsDb, directories, erasing, list, signal)
  if (erased > 0) log.warn({ erased }, 'erased customers again whom a restored database had brought back')
}

/** In words that say what to change. */
function explainedStart(error: unknown, { dataDir }: Config): unknown {
  const { code, path, message } = error as NodeJS.ErrnoException
  const shortage = shortageOf(error)
  if (shortage) return new Error(`Sunstead cannot start: ${shortage} (${message}).`, { cause: error })
  if (!['EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EEXIST'].includes(code ?? '') || path === undefined)
    return error
  return new Error(
    `Sunstead cannot use ${path} (${message}). Let the user who starts it write there, or set DATA_DIR ` +
      `(now ${dataDir}) to another folder.`,
    { cause: error },
  )
}
