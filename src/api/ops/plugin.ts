import type { FastifyInstance } from 'fastify'
import { examineMigrations } from '../../platform/migrate.ts'
import { within } from '../../platform/within.ts'
import type { Deps } from '../deps.ts'
import { retryAfterSeconds } from '../http/errors.ts'
import { requireMetricsReader } from './may-read-metrics.ts'

/** For whoever operates the server: is it alive, is it ready, what does it do. */
export async function opsRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  app.get('/healthz', async () => ({ status: 'ok' }))

  const notReady = createReadiness(deps)
  app.get('/readyz', async (_request, reply) => {
    const problem = await notReady()
    if (problem) reply.header('retry-after', retryAfterSeconds)
    return reply
      .code(problem ? 503 : 200)
      .send(problem ? { status: 'not ready', reason: problem } : { status: 'ready' })
  })

  const readMetrics = together(deps.readMetrics)
  app.get('/metrics', async (request, reply) => {
    requireMetricsReader(request, reply, deps.metricsToken)
    const { registry } = deps.metrics
    return reply.header('content-type', registry.contentType).send(await readMetrics())
  })
}

const lookMs = 3_000

/** However many ask, it is done once at a time, and all are given the same. */
function together<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null
  return () => {
    underWay ??= work().finally(() => {
      underWay = null
    })
    return underWay
  }
}

/** Why the server is not ready, or null. */
function createReadiness({ db, state }: Deps): () => Promise<string | null> {
  async function look(): Promise<string | null> {
    let pending: string[] = []
    const done = examineMigrations(db).then((found) => {
      pending = found.pending
    })
    const inTime = await within(lookMs, done).catch(() => false)
    if (!inTime) return 'the database cannot be reached'
    return pending.length > 0 ? `migrations missing: ${pending.join(', ')}` : null
  }

  const lookTogether = together(look)
  return async () => (state.phase === 'ready' ? lookTogether() : state.phase)
}
