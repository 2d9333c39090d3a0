import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Deps } from './api/deps.ts'
import { buildApp } from './app.ts'
import { type Addresses, addressesOf, type Config, exposureWarning } from './config.ts'
import { copyGraceMs } from './domain/deals/files/copy-files.ts'
import { DomainError } from './domain/kernel/domain-error.ts'
import { pause, startJobs } from './jobs/jobs.ts'
import { jobsLimitMs, leaderWork } from './leader-work.ts'
import { createParts, type Outside, ownLimits } from './parts.ts'
import { keepTime } from './platform/clock.ts'
import type { PooledDatabase } from './platform/db.ts'
import { standForLeader } from './platform/leader.ts'
import type { Log } from './platform/log.ts'
import { type OpenDatabase, openConfiguredDatabase } from './platform/open-database.ts'
import type { Limits } from './platform/redis/share-limits.ts'
import { startTracing } from './platform/tracing/tracing.ts'
import { within } from './platform/within.ts'
import { explainedListen, explainedStart, type Prepared, prepareData, prepareSchema } from './prepare.ts'
import { processJobs } from './recurring-jobs.ts'

export type { Outside } from './parts.ts'

/** What serves, in one process or in several. */
export interface Running extends Prepared {
  addresses(): Addresses
  /** Answers what was begun, then lets go of everything; within a minute after draining, whatever does not end. */
  stop(): Promise<void>
  /** Settles, with a sentence, once only a new start helps. */
  lost: Promise<Error>
  /** Makes a stop wait for nobody. */
  hurry(): void
}

export interface Server extends Running {
  deps: Deps
  /** Where it really listens, whatever its public address is. */
  port: number
  /** Whether jobs and deliveries run in this process. */
  isLeader(): boolean
}

/** What a process of several is given by the one that started it, which has prepared the database for all. */
export interface Host {
  limits: Limits
  /** Sees to it that each tenant's writes are one process's. */
  routeWrites(db: PooledDatabase): { leave(): void; close(): Promise<void> }
  /** What all of them count, summed up. */
  readMetrics(): Promise<string>
}

const drainLimitMs = 6_000
const lastWritesMs = 3_000
/** For who waited for a file to be copied and is now told how that went. */
const answerMs = 1_000
/** After which calls and jobs that did not end are left: what they wait for does not come any more. */
const endLimitMs = 20_000

const nothingNew: Prepared = { demo: null, setUpCode: null }

/**
 * The kernel shares out the connections, where it can. What node:cluster hands from the primary to a worker that dies in
 * that moment would stay open and unanswered.
 */
const sharedPort = process.platform === 'linux' ? { reusePort: true, exclusive: true } : {}

/** Connections that wait to be taken: thousands may come at once, and one too many is reset. The system may allow fewer. */
const mostComing = 4_096

/** How to take back what a start has begun, in the order in which it was. */
type Begun = (() => Promise<unknown>)[]

/** Starts everything, in the order in which things need each other. A start that fails leaves nothing running. */
export async function startServer(
  config: Config,
  log: Log,
  outside: Outside = {},
  signal?: AbortSignal,
  host?: Host,
): Promise<Server> {
  const warning = host ? null : exposureWarning(config)
  if (warning !== null) log.warn(warning)
  const begun: Begun = []
  try {
    const tracing = config.tracing ? await startTracing(config.tracing) : null
    if (tracing) begun.push(tracing.stop)
    const note = (message: string) => log.info(message)
    const onWait = (message: string) => log.warn(message)
    const named = { ...config, callMs: outside.callMs }
    const database = await openConfiguredDatabase(named, 'server', note, { onWait, signal })
    begun.push(() => database.close())
    const server = await serve({ config, log, database, outside, begun, signal, host })
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

interface Start {
  config: Config
  log: Log
  database: OpenDatabase
  outside: Outside
  begun: Begun
  signal: AbortSignal | undefined
  host: Host | undefined
}

const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port

async function startListening(app: FastifyInstance, config: Config, isOneOfSeveral: boolean): Promise<void> {
  const { host, port } = config
  const shared = isOneOfSeveral ? sharedPort : {}
  await app.listen({ host, port, backlog: mostComing, ...shared }).catch((error) => {
    throw explainedListen(error, config)
  })
}

async function serve({ config, log, database, outside, begun, signal, host }: Start): Promise<Server> {
  if (!host) await prepareSchema(database, log)
  signal?.throwIfAborted()
  const parts = await createParts(config, log, database, host?.limits ?? ownLimits(config), outside, signal)
  begun.push(() => parts.close())
  const time = await keepTime(database.jobsDb, log, parts.deps.metrics.clock)
  begun.push(async () => time.stop())
  const routes = host?.routeWrites(database.db)
  begun.push(async () => routes?.close())
  const { deps, ending } = parts
  if (host) deps.readMetrics = host.readMetrics
  const app = await buildApp(deps)
  begun.push(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const listen = () => startListening(app, config, host !== undefined)
  // Says that it is starting. One of several is not heard before it is ready: the others answer what would come to it.
  if (!host) {
    await listen()
    deps.addresses = addressesOf(config, portOf(app))
  }
  const prepared = host ? nothingNew : await prepareData(parts, config, database.embedded, signal)
  signal?.throwIfAborted()
  if (config.role === 'web')
    log.info('serves only: jobs, mails and webhooks need a process with ROLE=worker or all beside it')
  const leadership =
    config.role === 'web' ? null : await standForLeader(database.url, leaderWork(deps, config, database), log)
  if (leadership) begun.push(() => leadership.stop())
  signal?.throwIfAborted()
  parts.replica?.watch()
  const jobs = startJobs(processJobs(deps), log, deps.metrics.work)
  begun.push(() => jobs.stop())
  deps.state.phase = 'ready'
  if (host) await listen()

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
    routes?.leave()
    ending.abort(new DomainError('unavailable', 'The server is stopping. Retry shortly.'))
    const graceMs = outside.copying?.graceMs ?? copyGraceMs
    const copied = within(graceMs + answerMs, deps.copying.line.stop(graceMs))
    const cut = () => app.server.closeAllConnections()
    const late = setTimeout(() => void copied.then(() => setTimeout(cut, answerMs).unref()), drainLimitMs)
    hurry.signal.addEventListener('abort', cut)
    if (hurry.signal.aborted) cut()
    // Connections whose last call is answered would otherwise be kept alive until the cut.
    const drain = setInterval(() => app.server.closeIdleConnections(), 50)
    const ended = Promise.all([app.close(), within(jobsLimitMs, jobs.stop()), leadership?.stop()])
    // Without its database nothing that is under way comes to an end.
    if (!(await within(isLost ? answerMs : endLimitMs, ended)))
      log.warn('calls that did not end were broken off')
    clearTimeout(late)
    clearInterval(drain)
    await routes?.close()
    await parts.close()
    time.stop()
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
    ...prepared,
    deps,
    addresses: () => deps.addresses,
    port: portOf(app),
    isLeader: () => leadership?.isLeader() ?? false,
    lost,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
    hurry: () => hurry.abort(),
  }
}
