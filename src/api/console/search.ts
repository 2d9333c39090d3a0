import { Type } from 'typebox'
import { search } from '../../domain/data/search/search.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { Fields } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

export type { SearchResult as SearchResponse } from '../../domain/data/search/search.ts'

const SearchQuery = Fields({ q: Type.String({ maxLength: 200 }) })

export function searchRoutes(app: Routes, deps: Deps): void {
  app.get('/search', { schema: { querystring: SearchQuery } }, async (request, reply) =>
    sendJson(reply, JSON.stringify(await search(contextOf(deps, request), request.query.q))),
  )
}
