import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import {
  type Answer,
  AnsweredBefore,
  bodyOf,
  type Call,
  type Claimed,
  claimCall,
  type KeptAnswer,
  type KeptBy,
  keepAnswer,
  requireFirst,
} from '../../domain/journal/idempotency/call.ts'
import { lockTenant } from '../../domain/kernel/tenant/clock-queries.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db.ts'
import { createTurns } from '../../platform/wait-queue.ts'
import { withSavepoints } from '../../platform/within-transaction.ts'
import type { Deps } from '../deps.ts'
import { catchSent, type Sent } from './catch-sent.ts'
import { describeRepeats } from './describe-repeats.ts'
import { type ErrorShape, refusalOf } from './errors.ts'
import { hangUp } from './hang-up.ts'
import { keyOf, requestHashOf } from './idempotency.ts'
import { sendJson } from './send-json.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a call that names a key. */
    repeatable: RepeatableCall | null
    /** The transaction in which such a call is done. */
    transaction: Database | null
  }

  interface FastifyContextConfig {
    repeats?: Repeats
  }
}

interface RepeatableCall extends Call {
  /** For a handler that reads its body itself: begins the work, or ends it where the same was done before. */
  claimWith(bodyDigest: string): Promise<void>
}

type Kept = 'inStatement' | 'claimed' | 'streamed'

/** How a route keeps its answers. One that says nothing does all its work in one transaction, with its answer. */
interface Repeats {
  /**
   * `inStatement`: by the one statement that its use case writes. `claimed`: the work takes long or asks others, so it is
   * begun, done and ended; a repeat of what was broken off must do no harm. `streamed`: the same, where the handler reads
   * the body.
   */
  kept?: Kept | ((request: FastifyRequest) => Kept)
  /** The answer shows a secret: it is kept sealed. */
  secret?: true
  /** The specification's own answer to a repeat, where it has one. */
  repeated?: (first: Answer, request: FastifyRequest) => Answer
  /** The answer by what the version before kept of it; null of what this one kept. */
  keptBefore?: (kept: object) => Answer | null
  /** What the call asks for, where that was told otherwise before. */
  requestHash?: (request: FastifyRequest) => string
}

/** What came of a call: it was answered or refused. */
interface Outcome {
  sent?: Sent
  refusedBy?: unknown
  answer: Answer
}

const maxWaiting = 200

/**
 * Every POST that is added from now on may be sent again with an `Idempotency-Key`: it is done once. Here and not in each
 * handler, so that none can forget it.
 */
export function makeRepeatable(app: FastifyInstance, deps: Deps, errorShape: ErrorShape): void {
  app.decorateRequest('repeatable', null)
  app.decorateRequest('transaction', null)
  // A tenant's transactions wait for each other anyway: here they keep no connection that others need.
  const inTurn = createTurns({ concurrency: 1, maxWaiting })

  app.addHook('onRoute', (route) => {
    if (![route.method].flat().includes('POST')) return
    const { handler, config: { repeats = {} } = {} } = route
    // What is wrong with the body is an answer like others, and kept.
    route.attachValidation = true
    route.schema = describeRepeats(route.schema)
    route.handler = function (request, reply) {
      // A key that may only read is answered nothing that another was, and what it is refused is no other's answer.
      const key = request.caller!.actor.canWrite ? keyOf(request) : null
      if (key !== null) return answerOnce(handler, request, reply, key, repeats)
      if (request.validationError) throw request.validationError
      return handler.call(this, request, reply)
    }
  })

  async function answerOnce(
    handler: RouteHandlerMethod,
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    repeats: Repeats,
  ): Promise<FastifyReply> {
    const { installerId, companyId } = request.caller!.actor
    const sealWith = repeats.secret ? deps.box : null
    const way = typeof repeats.kept === 'function' ? repeats.kept(request) : repeats.kept
    const gone = () => hangUp(reply)
    // Whose record it was about is known by its address, also where the answer does not say: an erasure finds it by that.
    const more = { path: request.url.split('?', 1)[0] }
    let claim: Claimed | null = null
    const call: RepeatableCall = {
      installerId,
      companyId,
      key,
      requestHash: way === 'streamed' ? '' : (repeats.requestHash ?? requestHashOf)(request),
      claim: null,
      kept: false,
      async claimWith(bodyDigest) {
        call.requestHash = requestHashOf(request, bodyDigest)
        claim = await claimCall(deps.db, call, gone())
      },
    }
    request.repeatable = call
    try {
      const { sent, refusedBy } = await done()
      if (!sent) throw refusedBy
      return reply.code(sent.status).send(sent.payload)
    } catch (error) {
      if (!(error instanceof AnsweredBefore)) throw error
      return replay(error.kept)
    }

    function done(): Promise<Outcome> {
      switch (way) {
        case 'inStatement':
          return inStatement()
        case 'claimed':
        case 'streamed':
          return claimed()
        default:
          return inTurn(installerId, () => deps.db.transaction(inTransaction), gone())
      }
    }

    function replay(kept: KeptAnswer): FastifyReply {
      const first = repeats.keptBefore?.(kept.answer) ?? {
        status: kept.status,
        body: bodyOf(call, kept, deps.box),
      }
      const { status, body } = repeats.repeated?.(first, request) ?? first
      reply.code(status).header('idempotency-replayed', 'true')
      return body === '' ? reply.send() : sendJson(reply, body)
    }

    /** What was written and what was answered are one commit, under the tenant's lock: nothing can come between. */
    async function inTransaction(tx: Db): Promise<Outcome> {
      await lockTenant(tx, installerId)
      await requireFirst(tx, call, currentTime())
      const db = withSavepoints(tx)
      request.transaction = db
      const outcome = await work((run) => db.transaction(run))
      request.transaction = null
      await keepAnswer(tx, call, outcome.answer, sealWith, currentTime())
      return outcome
    }

    async function inStatement(): Promise<Outcome> {
      const outcome = await work()
      if (!call.kept) await keepAnswer(deps.db, call, outcome.answer, sealWith, currentTime())
      return outcome
    }

    async function claimed(): Promise<Outcome> {
      if (way === 'claimed') claim = await claimCall(deps.db, call, gone())
      try {
        const outcome = await work()
        if (!call.kept) await claim?.finish(outcome.answer, sealWith)
        return outcome
      } catch (error) {
        // Where even this cannot be said it ends by itself.
        await claim?.release().catch(() => {})
        throw error
      } finally {
        claim?.stop()
      }
    }

    /** Runs the handler. A refusal is an answer too; what is not kept is thrown on. */
    async function work(within = (run: () => Promise<Sent>) => run()): Promise<Outcome> {
      try {
        const sent = await within(async () => {
          if (request.validationError) throw request.validationError
          return catchSent(handler, request, reply)
        })
        return { sent, answer: { ...answerOf(sent), more } }
      } catch (error) {
        const answer = refusalOf(error, request, reply, errorShape)
        if (!answer) throw error
        return { refusedBy: error, answer: { ...answer, more } }
      }
    }
  }
}

/** For a use case that keeps the answer of its call itself. */
export function keptBy<Result>(
  request: FastifyRequest,
  answerOf: (result: Result) => Answer,
): KeptBy<Result> | null {
  return request.repeatable && { call: request.repeatable, answerOf }
}

function answerOf({ status, payload }: Sent): Answer {
  if (payload === undefined || payload === null) return { status, body: '' }
  if (typeof payload === 'string') return { status, body: payload }
  if (Buffer.isBuffer(payload)) return { status, body: payload.toString() }
  throw new Error('the answer to a call that may be repeated is no text')
}
