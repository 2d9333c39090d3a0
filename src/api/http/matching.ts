import type { FastifyInstance, FastifySchema } from 'fastify'
import type { Context } from '../../domain/kernel/context.ts'
import { Outdated } from '../../domain/kernel/domain-error.ts'
import { lockTenant } from '../../domain/kernel/tenant/clock-queries.ts'
import type { Db } from '../../platform/db.ts'
import { createTurns } from '../../platform/wait-queue.ts'
import { withSavepoints } from '../../platform/within-transaction.ts'
import type { Deps } from '../deps.ts'
import { answers } from './answers.ts'
import { contextOf } from './authenticate.ts'
import { catchSent } from './catch-sent.ts'
import { etagOfBytes, isMatch, KnownHeaders, MatchHeaders, withEtag } from './etag.ts'
import { hangUp } from './hang-up.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It reads a single record, or its use case changes one only as the caller has read it (`matchingContext`). */
    etag?: 'read' | 'change'
    /** The record that the route changes, as its single read answers it; null where there is none. */
    matches?: (ctx: Context, request: FastifyRequest) => Promise<string | null>
  }
}

/**
 * Routes that say which record they change take `If-Match`: the reading that it is compared with and the change are one
 * transaction under the tenant's lock. What else is to be said against the call is said first.
 */
export function makeMatching(app: FastifyInstance, deps: Deps): void {
  // Who waits for the tenant's lock does so here, without a connection.
  const inTurn = createTurns({ concurrency: 1, maxWaiting: 200 })

  app.addHook('onRoute', (route) => {
    const { handler, config: { etag, matches } = {}, schema = {} } = route
    if (etag === 'read') route.schema = describedRead(schema)
    if (etag === 'change' || matches) route.schema = describedChange(schema)
    if (!matches) return
    route.handler = async function (request, reply) {
      const header = request.headers['if-match']
      if (header === undefined) return handler.call(this, request, reply)
      const { installerId } = request.caller!.actor
      const change = async () => {
        const current = await matches(contextOf(deps, request), request)
        const done = await catchSent(handler, request, reply)
        // What the same call did long ago is told again, though it has itself outdated the tag.
        if (reply.hasHeader('idempotency-replayed')) return done
        if (current === null || !isMatch(header, etagOfBytes(current))) throw new Outdated()
        return done
      }
      const inOwnTransaction = async (tx: Db) => {
        await lockTenant(tx, installerId)
        request.transaction = withSavepoints(tx)
        return change()
      }
      // A call that names a key is in its transaction already, under the lock, and a refusal takes back what it did.
      const sent = request.transaction
        ? await change()
        : await inTurn(installerId, () => deps.db.transaction(inOwnTransaction), hangUp(reply))
      return reply.code(sent.status).send(sent.payload)
    }
  })
}

type Answers = Record<number, { headers?: object }>

function describedRead(schema: FastifySchema): FastifySchema {
  const response = withEtag(schema.response as Answers) as Answers
  const known = {
    type: 'null',
    description: 'It reads as `If-None-Match` says',
    headers: response[200]!.headers,
  }
  return { ...schema, headers: KnownHeaders, response: { ...response, 304: known } }
}

function describedChange(schema: FastifySchema): FastifySchema {
  const outdated = (answers({}, [412]) as Answers)[412]
  return { ...schema, headers: MatchHeaders, response: { ...(schema.response as Answers), 412: outdated } }
}
