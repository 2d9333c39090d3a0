import { once } from 'node:events'
import { messageOf } from '../cli/message-of.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../platform/log.ts'
import { type Server, startServer } from '../server.ts'
import { metricsOf } from './gather-metrics.ts'
import type { ToPrimary, ToWorker } from './messages.ts'
import { createSharedLimits } from './shared-limits.ts'
import { startWriteRoutes } from './write-routes.ts'

const aloneMs = 1_000

/**
 * One of several processes that serve: told by the primary when to stop, and gone with it. Signals are the primary's: a
 * terminal sends them to all.
 */
export async function runWorker(number: number, endLater: (drainSeconds: number) => void): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const config = readConfig(process.env)
  const log = createLog(config.logLevel, undefined, `worker-${number}`)
  const stopping = new AbortController()
  let server: Server | null = null
  let isAlone = false

  const send = (message: ToPrimary) => {
    if (process.connected) process.send!(message, undefined, {}, () => {})
  }
  const shared = createSharedLimits(config.rateLimitPerMinute, (asks) => send({ type: 'limits', asks }))
  const asked = new Map<number, (text: string) => void>()
  let lastAsked = 0
  const readMetrics = () =>
    new Promise<string>((resolve) => {
      const id = ++lastAsked
      asked.set(id, resolve)
      send({ type: 'metrics', id })
    })

  const stop = () => stopping.abort(new Error('Sunstead was told to stop before it had started.'))
  const hurry = () => (server ? server.hurry() : process.exit(1))
  process.on('message', (message: ToWorker) => {
    if (message.type === 'limits') shared.answered(message.answers)
    else if (message.type === 'stop') stop()
    else if (message.type === 'hurry') hurry()
    else if (message.type === 'collect') {
      const { id } = message
      if (server)
        void metricsOf(server.deps.metrics).then((metrics) => send({ type: 'collected', id, metrics }))
      else send({ type: 'collected', id, metrics: [] })
    } else if (message.type === 'metrics') {
      asked.get(message.id)?.(message.text)
      asked.delete(message.id)
    }
  })
  process.once('disconnect', () => {
    isAlone = true
    if (stopping.signal.aborted) return
    log.fatal('the primary process has died; this one ends')
    stop()
    hurry()
    // Whoever starts another primary needs the port, and what was answered is written.
    setTimeout(() => process.exit(1), aloneMs)
  })

  try {
    server = await startServer(config, log, {}, stopping.signal, {
      limits: shared.limits,
      readMetrics,
      routeWrites(db) {
        const folder = process.env['SUNSTEAD_SOCKETS']!
        const routes = startWriteRoutes({ folder, number, count: config.webConcurrency, db, log })
        db.routeWrites(routes.route)
        return routes
      },
    })
  } catch (error) {
    if (!stopping.signal.aborted) {
      send({ type: 'failed', reason: messageOf(error as Error) })
      process.exitCode = 1
    }
    log.flush()
    return process.disconnect?.()
  }
  send({ type: 'ready' })
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  endLater(config.drainSeconds)
  await server.stop()
  log.flush()
  if (isAlone) process.exitCode = 1
  else process.disconnect?.()
}
