import Type from 'typebox'
import { listViews } from '../../domain/deals/views/queries.ts'
import { deleteView, saveView } from '../../domain/deals/views/save-view.ts'
import { type View, type ViewPage, viewPages } from '../../domain/deals/views/view.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, IdParams, oneOf } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

export type ViewResponse = View

export interface ViewList {
  views: ViewResponse[]
}

const page = oneOf<ViewPage>(viewPages)
const ViewQuery = Fields({ page })
const ViewBody = Fields({
  page,
  name: Type.String({ minLength: 1, maxLength: 60 }),
  query: Type.String({ maxLength: 2_000 }),
})

export function viewRoutes(app: Routes, deps: Deps): void {
  app.get('/views', { schema: { querystring: ViewQuery } }, async (request, reply) => {
    const { actor } = contextOf(deps, request)
    const views = await listViews(deps.db, {
      installerId: actor.installerId,
      memberId: actor.id!,
      page: request.query.page,
    })
    return sendJson(reply, JSON.stringify({ views }))
  })

  app.post('/views', { schema: { body: ViewBody } }, async (request, reply) => {
    const view = await saveView(contextOf(deps, request), request.body)
    return sendJson(reply.code(201), JSON.stringify(view))
  })

  app.delete('/views/:id', { schema: { params: IdParams } }, async (request, reply) => {
    await deleteView(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })
}
