import { Type } from 'typebox'
import { search } from '../../domain/data/search/search.ts'
import type { Routes } from '../http/routes.ts'
import { Fields } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import type { Parts } from '../parts.ts'
import { contextOf } from './sessions.ts'

export type { SearchResult as SearchResponse } from '../../domain/data/search/search.ts'

const SearchQuery = Fields({ q: Type.String({ maxLength: 200 }) })

export function searchRoutes(app: Routes, parts: Parts): void {
  app.get('/search', { schema: { querystring: SearchQuery } }, async (request, reply) =>
    sendJson(reply, JSON.stringify(await search(contextOf(parts, request), request.query.q))),
  )
}
