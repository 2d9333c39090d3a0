import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressesOf, type Config, exposureWarning } from '../config.ts'
import { createParts, type Outside, ownLimits } from '../parts.ts'
import type { Log } from '../platform/log.ts'
import { type OpenDatabase, openConfiguredDatabase } from '../platform/open-database.ts'
import { explainedListen, explainedStart, type Prepared, prepareData, prepareSchema } from '../prepare.ts'
import type { Running } from '../server.ts'
import { createMetricsGatherer } from './gather-metrics.ts'
import { createHostLimits } from './shared-limits.ts'
import { startWorkers, type Workers } from './workers.ts'

const portMs = 3_000

/**
 * Starts several processes that serve on one port. This one opens and prepares the database, counts for all of them, and
 * replaces one that dies; it answers no call itself.
 */
export async function startCluster(
  config: Config,
  log: Log,
  outside: Outside,
  signal: AbortSignal,
): Promise<Running> {
  const warning = exposureWarning(config)
  if (warning !== null) log.warn(warning)
  try {
    const onWait = (message: string) => log.warn(message)
    const database = await openConfiguredDatabase(config, 'server', (message) => log.info(message), {
      onWait,
      signal,
    })
    try {
      return await serve(config, log, database, outside, signal)
    } catch (error) {
      await database
        .close()
        .catch((failure: Error) => log.warn({ error: failure.message }, 'the database stays open'))
      throw error
    }
  } catch (error) {
    throw explainedStart(error, config)
  }
}

async function serve(
  config: Config,
  log: Log,
  database: OpenDatabase,
  outside: Outside,
  signal: AbortSignal,
): Promise<Running> {
  await prepareSchema(database, log)
  signal.throwIfAborted()
  const port = await freePort(config)
  const addresses = addressesOf(config, port)
  const prepared = await prepare(config, log, database, outside, { port, signal })
  await database.closePools()
  signal.throwIfAborted()

  // Nobody but this user can enter it: what is sent there is written as it comes.
  const sockets = await mkdtemp(join(tmpdir(), 'sunstead-'))
  const limits = createHostLimits(config.rateLimitPerMinute)
  let workers: Workers | null = null
  const removeSockets = () => rm(sockets, { recursive: true, force: true })
  const metrics = createMetricsGatherer((id) => workers?.send({ type: 'collect', id }) ?? 0)
  workers = await startWorkers({
    count: config.webConcurrency,
    env: {
      PORT: String(port),
      DATABASE_URL: database.callsUrl,
      DATABASE_DIRECT_URL: database.url,
      SUNSTEAD_SOCKETS: sockets,
    },
    log,
    onMessage(message, reply) {
      if (message.type === 'limits') {
        const answers = limits.answerAll(message.asks)
        if (answers.length > 0) reply({ type: 'limits', answers })
      } else if (message.type === 'collected') metrics.collected(message.id, message.metrics)
      else if (message.type === 'metrics')
        void metrics.gather().then((text) => reply({ type: 'metrics', id: message.id, text }))
    },
  }).catch(async (error) => {
    await removeSockets()
    throw error
  })
  const { stop, hurry } = workers
  return {
    ...prepared,
    addresses: () => addresses,
    lost: database.lost,
    hurry,
    async stop() {
      await stop()
      limits.close()
      await removeSockets()
      await database.close()
    },
  }
}

async function prepare(
  config: Config,
  log: Log,
  database: OpenDatabase,
  outside: Outside,
  { port, signal }: { port: number; signal: AbortSignal },
): Promise<Prepared> {
  const parts = await createParts(
    { ...config, redisUrl: null },
    log,
    database,
    ownLimits(config),
    outside,
    signal,
  )
  try {
    parts.deps.addresses = addressesOf(config, port)
    return await prepareData(parts, config, database.embedded, signal)
  } finally {
    await parts.close()
  }
}

/**
 * The port that the workers will share: known before they are there, and found to be free. Workers of a primary that was
 * killed hold it for a moment longer.
 */
async function freePort(config: Config): Promise<number> {
  const until = performance.now() + portMs
  for (;;) {
    try {
      return await tryPort(config)
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || performance.now() > until) throw explainedListen(error, config)
    }
    await sleep(100)
  }
}

async function tryPort({ host, port: asked }: Config): Promise<number> {
  const probe = createServer()
  probe.listen({ host, port: asked })
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
