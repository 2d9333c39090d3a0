import type { LongJob } from '../../domain/journal/long-jobs/long-job.ts'
import { stopLongJob } from '../../domain/operations/long-jobs/stop-long-job.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

/** How far long work is, and how it ended; `failure` while it runs says that it is tried again. */
export type LongJobResponse = Pick<LongJob, 'id' | 'state' | 'done' | 'total' | 'failure'>

export function longJobResponse({ id, state, done, total, failure }: LongJob): LongJobResponse {
  return { id, state, done, total, failure }
}

/** Imports, billing runs and reassigned work, while they take their time. */
export function longJobRoutes(app: Routes, deps: Deps): void {
  app.post('/jobs/:id/stop', byId, async (request, reply) => {
    const job = await stopLongJob(contextOf(deps, request), request.params.id)
    return sendJson(reply, JSON.stringify(longJobResponse(job)))
  })
}
