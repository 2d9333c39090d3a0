import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { type Context, scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { deleteInstallation } from '../../domain/operations/installations/delete-installation.ts'
import { createInstallation } from '../../domain/sites/installations/create-installation.ts'
import {
  changedInstallations,
  installationList,
  readInstallation,
} from '../../domain/sites/installations/queries.ts'
import { updateInstallation } from '../../domain/sites/installations/update-installation.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendRecord } from '../http/etag.ts'
import { NoQuery } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import {
  ChangedInstallationBody,
  Installation,
  InstallationItem,
  InstallationParams,
  InstallationQuery,
  NewInstallationBody,
} from './installation-schemas.ts'
import { changesSchema } from './paging.ts'
import { sendList } from './record-lists.ts'

export const installationSchemas: readonly TSchema[] = [
  InstallationItem,
  Installation,
  changesSchema('InstallationPage', 'InstallationItem'),
]

const tags = ['Installations']
const lists = { numbered: installationList, changed: changedInstallations }

const installationOf = (ctx: Context, { params }: FastifyRequest) =>
  readInstallation(ctx.db, scopeOf(ctx), (params as InstallationParams).installation_id)

export function installationRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: InstallationQuery }>(
    '/installations',
    {
      schema: {
        operationId: 'listInstallations',
        tags,
        summary: 'List installations',
        description:
          'Newest registered first; with `updated_since` what changed first first. A page past the end is empty.',
        querystring: InstallationQuery,
        response: answers({ 200: ['InstallationPage', 'A page of installations'] }, [400, 403]),
      },
    },
    (request, reply) => sendList(deps, request, reply, lists, { region: request.query.region }),
  )

  app.post<{ Body: NewInstallationBody }>(
    '/installations',
    {
      schema: {
        operationId: 'createInstallation',
        tags,
        summary: 'Register an installation',
        description:
          'In the key’s company. A solar project that is installed becomes an installation by itself.',
        body: NewInstallationBody,
        querystring: NoQuery,
        response: answers({ 201: ['Installation', 'The installation was registered'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { capacity_kw, ...body } = request.body
      const installation = await createInstallation(contextOf(deps, request), {
        ...body,
        capacityKw: capacity_kw,
      })
      return sendJson(reply.code(201), JSON.stringify(installation))
    },
  )

  app.get<{ Params: InstallationParams }>(
    '/installations/:installation_id',
    {
      config: { etag: 'read' },
      schema: {
        operationId: 'readInstallation',
        tags,
        summary: 'Read an installation',
        params: InstallationParams,
        querystring: NoQuery,
        response: answers({ 200: ['Installation', 'The installation'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const scope = scopeOf(contextOf(deps, request))
      const installation = await readInstallation(deps.db, scope, request.params.installation_id)
      if (installation === null) throw notFound('installation')
      return sendRecord(request, reply, installation)
    },
  )

  app.patch<{ Params: InstallationParams; Body: ChangedInstallationBody }>(
    '/installations/:installation_id',
    {
      config: { matches: installationOf },
      schema: {
        operationId: 'changeInstallation',
        tags,
        summary: 'Change an installation',
        description:
          'Absent fields are kept. Days are those of the time zone: with another one every bucket is counted anew. One that became of a project follows the name and the address of its customer as long as it has them.',
        params: InstallationParams,
        body: ChangedInstallationBody,
        querystring: NoQuery,
        response: answers({ 200: ['Installation', 'The installation as it now reads'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { installation_id } = request.params
      const installation = await updateInstallation(contextOf(deps, request), installation_id, request.body)
      return sendJson(reply, JSON.stringify(installation))
    },
  )
  app.delete<{ Params: InstallationParams }>(
    '/installations/:installation_id',
    {
      config: { matches: installationOf },
      schema: {
        operationId: 'deleteInstallation',
        tags,
        summary: 'Remove an installation for good',
        description:
          'With its panels. The energy it made stays in the account’s history, and its invoices and drafts stay. Its alerts are resolved, its quarantined readings are dropped, and its billing ends with this day, as if its plan had been removed.',
        params: InstallationParams,
        querystring: NoQuery,
        response: answers({ 204: [null, 'The installation is gone'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      await deleteInstallation(contextOf(deps, request), request.params.installation_id)
      return reply.code(204).send()
    },
  )
}
