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

  app.get('/metrics', async (request, reply) => {
    requireMetricsReader(request, reply, deps.metricsToken)
    const { registry } = deps.metrics
    return reply.header('content-type', registry.contentType).send(await deps.readMetrics())
  })
}

const lookMs = 3_000

/** Why the server is not ready, or null. However many ask, it is looked once at a time. */
function createReadiness({ db, state }: Deps): () => Promise<string | null> {
  let looking: Promise<string | null> | null = null

  async function look(): Promise<string | null> {
    let pending: string[] = []
    const done = examineMigrations(db).then((found) => {
      pending = found.pending
    })
    const inTime = await within(lookMs, done).catch(() => false)
    if (!inTime) return 'the database cannot be reached'
    return pending.length > 0 ? `migrations missing: ${pending.join(', ')}` : null
  }

  return async () => {
    if (state.phase !== 'ready') return state.phase
    looking ??= look().finally(() => {
      looking = null
    })
    return looking
  }
}
