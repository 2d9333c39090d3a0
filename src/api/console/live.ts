import { PassThrough } from 'node:stream'
import { createLive } from '../../domain/delivery/live/live.ts'
import { scopeOf } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { contextOf } from './sessions.ts'

export type { LiveChange } from '../../domain/delivery/live/live.ts'

const retryMs = 2_000
/** Who does not read for so long that this much waits is let go, and comes back. */
const maxWaitingBytes = 262_144

/** What others change, told to open pages as it happens (server-sent events). */
export function liveRoutes(app: Routes, deps: Deps): void {
  const live = createLive(deps.db, (error) =>
    deps.log.debug({ error: error.message }, 'open pages could not be told of changes'),
  )
  // Before the server waits for its connections to end: these would not.
  app.addHook('preClose', async () => live.close())

  app.get('/live', async (request, reply) => {
    const { sessionId, current } = request.visitor!
    const stream = new PassThrough()
    const write = (text: string) => {
      if (stream.writableLength + stream.readableLength > maxWaitingBytes) stream.destroy()
      else stream.write(text)
    }
    const leave = live.join({
      scope: scopeOf(contextOf(deps, request)),
      memberId: current.memberId,
      role: current.role,
      sessionId,
      notify: (changes) => write(`data: ${JSON.stringify(changes)}\n\n`),
      beat: () => write(':\n\n'),
      end: () => stream.end(),
    })
    if (!leave) {
      throw new DomainError(
        'unavailable',
        'You have too many windows open. Close some to be kept up to date.',
      )
    }
    stream.once('close', leave)
    write(`retry: ${retryMs}\n\n`)
    return reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store, no-transform')
      .header('x-accel-buffering', 'no')
      .send(stream)
  })
}
