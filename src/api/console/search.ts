import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { search } from '../../domain/data/search/search.ts'
import { sendJson } from '../http/send-json.ts'
import type { Parts } from '../parts.ts'
import { contextOf } from './sessions.ts'

export type { SearchResult as SearchShown } from '../../domain/data/search/search.ts'

const SearchQuery = Type.Object({ q: Type.String({ maxLength: 200 }) }, { additionalProperties: false })

export function searchRoutes(app: FastifyInstance, parts: Parts): void {
  app.get<{ Querystring: Static<typeof SearchQuery> }>(
    '/search',
    { schema: { querystring: SearchQuery } },
    async (request, reply) =>
      sendJson(reply, JSON.stringify(await search(contextOf(parts, request), request.query.q))),
  )
}
