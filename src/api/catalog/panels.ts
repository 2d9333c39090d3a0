import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { type Context, scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { createPanel } from '../../domain/sites/installations/create-panel.ts'
import { deletePanel } from '../../domain/sites/installations/delete-panel.ts'
import {
  changedPanels,
  panelList,
  panelsOfInstallation,
  readPanel,
} from '../../domain/sites/installations/panel-queries.ts'
import { updatePanel } from '../../domain/sites/installations/update-panel.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { etagOfBytes, sendRecord } from '../http/etag.ts'
import { NoQuery } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { changesSchema } from './paging.ts'
import { NewPanelBody, Panel, PanelItem, PanelParams, PanelPatchBody, PanelQuery } from './panel-schemas.ts'
import { sendList } from './record-lists.ts'

export const panelSchemas: readonly TSchema[] = [PanelItem, Panel, changesSchema('PanelPage', 'PanelItem')]

const tags = ['Panels']
const lists = { numbered: panelList, ofInstallation: panelsOfInstallation, changed: changedPanels }

// The first is the panel's own: its metadata stands behind, and its name has its quotation marks escaped.
const output = /"daily_output_kwh":([^,]*),/

async function panelOf(ctx: Context, { params }: FastifyRequest): Promise<string | null> {
  const panel = await readPanel(ctx.db, scopeOf(ctx), (params as PanelParams).panel_id)
  return panel?.replace(output, '') ?? null
}

export function panelRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: PanelQuery }>(
    '/panels',
    {
      schema: {
        operationId: 'listPanels',
        tags,
        summary: 'List panels',
        description:
          'Newest registered first; with `updated_since` what changed first first. A page past the end is empty. What a panel makes is no change of it.',
        querystring: PanelQuery,
        response: answers({ 200: ['PanelPage', 'A page of panels'] }, [400, 403, 404]),
      },
    },
    (request, reply) => sendList(deps, request, reply, lists, { status: request.query.status }),
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
      config: { etag: 'read' },
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
      const etag = etagOfBytes(panel.replace(output, ''), output.exec(panel)![1]!)
      return sendRecord(request, reply, panel, etag)
    },
  )

  app.patch<{ Params: PanelParams; Body: PanelPatchBody }>(
    '/panels/:panel_id',
    {
      config: { matches: panelOf },
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
      config: { matches: panelOf },
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
