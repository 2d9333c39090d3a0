import type { FastifyInstance } from 'fastify'
import { addFiles } from '../../domain/deals/files/add-files.ts'
import type { FileRequest } from '../../domain/deals/files/copy-files.ts'
import { moveStage } from '../../domain/deals/projects/move-stage.ts'
import type { ProjectPatch } from '../../domain/deals/projects/patch-project.ts'
import { listProjects, readProject } from '../../domain/deals/projects/queries.ts'
import { updateProject } from '../../domain/deals/projects/update-project.ts'
import { withBaseUrl } from '../../domain/deals/renderings/rendering.ts'
import { confinedTo } from '../../domain/kernel/context.ts'
import { DomainError, notFound } from '../../domain/kernel/domain-error.ts'
import { InstallerOnly } from '../../domain/kernel/policy.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { hangUp } from '../http/hang-up.ts'
import { sendJson } from '../http/send-json.ts'
import { pageBody, pageRequest } from './paging.ts'
import {
  FilesBody,
  ListQuery,
  NoQuery,
  ProjectIdParams,
  ProjectPatchBody,
  StageBody,
} from './request-schemas.ts'

const tags = ['Projects']

export function projectRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  app.get(
    '/projects',
    {
      schema: {
        operationId: 'listProjects',
        tags,
        summary: 'List projects',
        description: 'Newest change first. An installer sees its dealers’ projects too.',
        querystring: ListQuery,
        response: answers({ 200: ['ProjectPage', 'A page of projects'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const { page, productLine, binding } = pageRequest(deps, request, 'projects')
      const found = await listProjects(db, actor.installerId, confinedTo(actor), productLine, page)
      return sendJson(reply, pageBody(deps, found, binding))
    },
  )

  app.get<{ Params: { id: string } }>(
    '/projects/:id',
    {
      schema: {
        operationId: 'readProject',
        tags,
        summary: 'Read a project',
        params: ProjectIdParams,
        querystring: NoQuery,
        response: answers({ 200: ['Project', 'The project'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      const rendering = await readProject(db, actor.installerId, confinedTo(actor), request.params.id)
      if (rendering === null) throw notFound('project')
      return sendJson(reply, withBaseUrl(rendering, deps.addresses.baseUrl))
    },
  )

  app.patch<{ Params: { id: string }; Body: ProjectPatchBody }>(
    '/projects/:id',
    {
      schema: {
        operationId: 'changeProject',
        tags,
        summary: 'Set the install date or notice to proceed',
        description: 'Only the installer’s key. A value it already holds changes nothing.',
        params: ProjectIdParams,
        body: ProjectPatchBody,
        querystring: NoQuery,
        response: answers({ 200: ['Changed', 'Whether anything changed'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const changed = await updateProject(
        contextOf(deps, request),
        request.params.id,
        request.body as ProjectPatch,
      )
      return sendJson(reply, JSON.stringify(changed))
    },
  )

  app.post<{ Params: { id: string }; Body: StageBody }>(
    '/projects/:id/stage',
    {
      schema: {
        operationId: 'moveStage',
        tags,
        summary: 'Move a project to another stage',
        description:
          'Only the installer’s key. The stage’s checklist, alerts and messages follow. A name that the ladder does not have answers 400 with those it has.',
        params: ProjectIdParams,
        body: StageBody,
        querystring: NoQuery,
        response: answers({ 200: ['StageMoved', 'Where the project stands now'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { changed, stage } = await moveStage(contextOf(deps, request), id, request.body.stage).catch(
        (error) => {
          // A dealer's move is answered as a stage that is not there: so the spec has it.
          throw error instanceof InstallerOnly ? new DomainError('invalid', error.message) : error
        },
      )
      return sendJson(reply, JSON.stringify({ changed, stage }))
    },
  )

  app.post<{ Params: { id: string }; Body: FilesBody }>(
    '/projects/:id/files',
    {
      schema: {
        operationId: 'addFiles',
        tags,
        summary: 'Add files by address',
        description:
          'Only the installer’s key. The service copies each address into its own store: all of them, or none. An address that the folder holds already is not added again.',
        params: ProjectIdParams,
        body: FilesBody,
        querystring: NoQuery,
        response: answers(
          {
            201: ['FilesAdded', 'At least one file was added'],
            200: ['FilesAdded', 'Every address was held already'],
          },
          [400, 403, 404],
        ),
      },
    },
    async (request, reply) => {
      const { folder, files } = request.body
      const added = await addFiles(
        contextOf(deps, request),
        deps.copying,
        request.params.id,
        { folder, files: files as FileRequest[] },
        hangUp(reply),
      )
      return sendJson(
        reply.code(added.some((file) => file.added) ? 201 : 200),
        JSON.stringify({ files: added }),
      )
    },
  )
}
