import type { FastifyInstance } from 'fastify'
import { pendingMigrations } from '../../platform/migrate.ts'
import type { Parts } from '../parts.ts'
import { requireMetricsReader } from './may-read-metrics.ts'

/** For whoever operates the server: is it alive, is it ready, what does it do. */
export async function opsRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const problem = await notReady(parts)
    return reply
      .code(problem ? 503 : 200)
      .send(problem ? { status: 'not ready', reason: problem } : { status: 'ready' })
  })

  app.get('/metrics', async (request, reply) => {
    requireMetricsReader(request, reply, parts.metricsToken)
    const { registry } = parts.metrics
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

async function notReady(parts: Parts): Promise<string | null> {
  if (parts.state.phase !== 'ready') return parts.state.phase
  try {
    const pending = await pendingMigrations(parts.db)
    return pending.length > 0 ? `migrations missing: ${pending.join(', ')}` : null
  } catch {
    return 'the database cannot be reached'
  }
}
