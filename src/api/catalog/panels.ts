import type { FastifyInstance } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { createPanel } from '../../domain/sites/installations/create-panel.ts'
import { deletePanel } from '../../domain/sites/installations/delete-panel.ts'
import { panelList, readPanel } from '../../domain/sites/installations/panel-queries.ts'
import { updatePanel } from '../../domain/sites/installations/update-panel.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendJson } from '../http/send-json.ts'
import { listBody, listSchema, pageWanted } from './paging.ts'
import { NewPanelBody, Panel, PanelItem, PanelParams, PanelPatchBody, PanelQuery } from './panel-schemas.ts'

export const panelSchemas: readonly TSchema[] = [PanelItem, Panel, listSchema('PanelPage', 'PanelItem')]

const tags = ['Panels']
const NoQuery = Type.Object({}, { additionalProperties: false })

export function panelRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: PanelQuery }>(
    '/panels',
    {
      schema: {
        operationId: 'listPanels',
        tags,
        summary: 'List panels',
        description: 'Newest registered first. A page past the end is empty.',
        querystring: PanelQuery,
        response: answers({ 200: ['PanelPage', 'A page of panels'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { query } = request
      const page = pageWanted(query)
      const scope = scopeOf(contextOf(deps, request))
      const { status } = query
      const { records, total } = await deps.numberedPage(deps.db, panelList, scope, { status }, page)
      return sendJson(reply, listBody(page, records, total))
    },
  )

  app.post<{ Body: NewPanelBody }>(
    '/panels',
    {
      schema: {
        operationId: 'createPanel',
        tags,
        summary: 'Register a panel',
        description: 'It is `active`, and belongs to the company of its installation.',
        body: NewPanelBody,
        querystring: NoQuery,
        response: answers({ 201: ['Panel', 'The panel was registered'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { name, capacity_kw, installation_id, metadata } = request.body
      const panel = await createPanel(contextOf(deps, request), {
        name,
        capacityKw: capacity_kw,
        installationId: installation_id,
        metadata,
      })
      return sendJson(reply.code(201), JSON.stringify(panel))
    },
  )

  app.get<{ Params: PanelParams }>(
    '/panels/:panel_id',
    {
      schema: {
        operationId: 'readPanel',
        tags,
        summary: 'Read a panel',
        params: PanelParams,
        querystring: NoQuery,
        response: answers({ 200: ['Panel', 'The panel'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const panel = await readPanel(deps.db, scopeOf(contextOf(deps, request)), request.params.panel_id)
      if (panel === null) throw notFound('panel')
      return sendJson(reply, panel)
    },
  )

  app.patch<{ Params: PanelParams; Body: PanelPatchBody }>(
    '/panels/:panel_id',
    {
      schema: {
        operationId: 'changePanel',
        tags,
        summary: 'Change a panel',
        description: 'Absent fields are kept. What changes nothing tells nobody.',
        params: PanelParams,
        body: PanelPatchBody,
        querystring: NoQuery,
        response: answers({ 200: ['Panel', 'The panel as it now reads'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const panel = await updatePanel(contextOf(deps, request), request.params.panel_id, request.body)
      return sendJson(reply, JSON.stringify(panel))
    },
  )

  app.delete<{ Params: PanelParams }>(
    '/panels/:panel_id',
    {
      schema: {
        operationId: 'deletePanel',
        tags,
        summary: 'Remove a panel for good',
        description: 'The energy it made stays in its installation’s history.',
        params: PanelParams,
        querystring: NoQuery,
        response: answers({ 204: [null, 'The panel is gone'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      await deletePanel(contextOf(deps, request), request.params.panel_id)
      return reply.code(204).send()
    },
  )
}
