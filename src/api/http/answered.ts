import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../domain/operations/requests/request.ts'
import type { RequestLog } from '../../domain/operations/requests/request-log.ts'
import { hashOf, isSecret } from '../../domain/tenants/keys/key.ts'
import { currentMs } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'
import { type Caller, sentKey } from './authenticate.ts'
import { hungUpStatus } from './hang-up.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** How the log names a call whose address does not say what was asked for. */
    loggedAs?: string | null
  }
}

interface Answered extends Call {
  traceId: string | undefined
  /** Null where no good key was sent, undefined outside the interfaces that take keys. */
  caller: Caller | null | undefined
  /** Of a key that was refused. */
  keyHash: Buffer | null
  turnedAway: boolean
}

const limitedStatus = 429

export interface AnsweredCalls {
  /** From its beginning on: who hangs up is not told of by the answer. */
  watch(request: FastifyRequest, reply: FastifyReply): void
  done(request: FastifyRequest, reply: FastifyReply): void
  /** Tells what was held back. */
  close(): void
}

/**
 * What is done about calls once they are answered: they are counted, told on standard output, and noted for the company
 * whose key it was. All that were answered in a turn of the event loop go through each step together, which is quicker
 * than one by one amid the work of answering. Those over the rate limit are counted one by one and told together:
 * refusing must cost less than answering.
 */
export function createAnswered({
  metrics,
  log,
  requests,
}: Pick<Deps, 'metrics' | 'log' | 'requests'>): AnsweredCalls {
  let answered: Answered[] = []
  const limited = createLimitedCalls((call, times) => {
    log.warn({ key: call.caller?.keyPrefix, route: call.route, refused: times }, 'calls were over the limit')
    if (requests) note(requests, { ...call, at: currentMs(), times })
  })

  function settle(): void {
    const calls = answered
    answered = []
    for (const { route, method, status, durationMs } of calls)
      metrics.requestDone(route, method, status, durationMs / 1000)
    for (const call of calls) {
      if (call.turnedAway) continue
      if (call.status === limitedStatus) {
        limited.add(call)
        continue
      }
      const { requestId, method, route, status, durationMs, caller, traceId } = call
      const ms = Math.round(durationMs * 10) / 10
      log.info({ requestId, method, route, status, ms, key: caller?.keyPrefix, traceId })
      if (requests) note(requests, call)
    }
  }

  function add(call: Answered): void {
    if (answered.push(call) === 1) setImmediate(settle)
  }

  return {
    watch(request, reply) {
      const { raw } = reply
      raw.once('close', () => {
        if (raw.writableFinished) return
        add(answeredCall(request, reply, raw.headersSent ? reply.statusCode : hungUpStatus))
      })
    },
    done(request, reply) {
      // One whose caller has gone is told of when the connection closes.
      if (reply.raw.writableFinished) add(answeredCall(request, reply, reply.statusCode))
    },
    close() {
      settle()
      limited.close()
    },
  }
}

const togetherMs = 60_000

/** Calls over the limit, told once a minute for each key, or for each address where no key is asked for. */
function createLimitedCalls(report: (first: Answered, times: number) => void) {
  const counted = new Map<string, { first: Answered; times: number; timer: NodeJS.Timeout }>()

  function end(name: string): void {
    const { first, times, timer } = counted.get(name)!
    clearTimeout(timer)
    counted.delete(name)
    report(first, times)
  }

  return {
    add(call: Answered): void {
      const name = call.caller?.actor.id ?? call.route
      const known = counted.get(name)
      if (known) known.times++
      else {
        const timer = setTimeout(() => end(name), togetherMs).unref()
        counted.set(name, { first: call, times: 1, timer })
      }
    },
    close(): void {
      for (const name of [...counted.keys()]) end(name)
    },
  }
}

function note(requests: RequestLog, call: Answered): void {
  if (call.caller) {
    const { installerId, companyId, id } = call.caller.actor
    requests.note({ installerId, companyId, keyId: id! }, call)
  } else if (call.keyHash) {
    requests.noteRefused(call.keyHash, call)
  }
}

function answeredCall(request: FastifyRequest, reply: FastifyReply, status: number): Answered {
  const { caller } = request
  const bytes = reply.getHeader('content-length')
  return {
    at: currentMs(),
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    path: request.loggedAs ?? pathOf(request.url),
    status,
    durationMs: reply.elapsedTime,
    bytes: bytes === undefined ? null : Number(bytes),
    requestId: request.id,
    turnedAway: request.turnedAway,
    traceId: request.traceId,
    caller,
    keyHash: caller === null && status === 401 ? refusedHash(request) : null,
  }
}

function refusedHash(request: FastifyRequest): Buffer | null {
  const secret = sentKey(request)
  return secret !== undefined && isSecret(secret) ? hashOf(secret) : null
}

const longestPath = 256

/** Without the query, which may hold what is nobody's business. */
function pathOf(url: string): string {
  const end = url.indexOf('?')
  if (end === -1 && url.length <= longestPath) return url
  return url.slice(0, end === -1 ? longestPath : Math.min(end, longestPath))
}
