import type { FastifyInstance } from 'fastify'
import { findProjectDeal } from '../../domain/deals/changes/deal.ts'
import { listProjectFiles } from '../../domain/deals/files/queries.ts'
import { changeProject } from '../../domain/deals/projects/change-project.ts'
import { listChecklist } from '../../domain/deals/projects/checklist-queries.ts'
import type { WhoIsTold } from '../../domain/deals/projects/enter-stage.ts'
import { moveStage } from '../../domain/deals/projects/move-stage.ts'
import type { ProjectPatch } from '../../domain/deals/projects/patch-project.ts'
import { type MovePreview, previewMove } from '../../domain/deals/projects/preview-move.ts'
import { tickChecklist } from '../../domain/deals/projects/tick-checklist.ts'
import { undoMove } from '../../domain/deals/projects/undo-move.ts'
import { reachOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { foldersWith } from '../../domain/kernel/policy.ts'
import { sendJson } from '../http/send-json.ts'
import type { Parts } from '../parts.ts'
import {
  MoveQuery,
  ProjectParams,
  ProjectPatchBody,
  StageBody,
  TickBody,
  UndoBody,
} from './project-requests.ts'
import { filesShown, projectShown } from './project-shown.ts'
import { contextOf } from './sessions.ts'

export type { MovePreview, WhoIsTold }

export interface StageMovedShown {
  changed: boolean
  stage: string
  /** With what, and until when, the move can be taken back; null where nothing changed. */
  undo: { moveId: string; until: string } | null
}

export function projectRoutes(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: { id: string } }>(
    '/projects/:id',
    { schema: { params: ProjectParams } },
    async (request, reply) => {
      const ctx = contextOf(parts, request)
      const { db, actor } = ctx
      const deal = await findProjectDeal(db, reachOf(ctx), request.params.id)
      if (!deal) throw notFound('project')
      const [checklist, files, directory] = await Promise.all([
        listChecklist(db, actor.installerId, deal.project.id),
        listProjectFiles(db, actor.installerId, deal.project.id, foldersWith(actor, 'read'), filesShown + 1),
        parts.directories.current(db, actor.installerId),
      ])
      return sendJson(reply, JSON.stringify(projectShown(deal, { checklist, files }, directory, actor)))
    },
  )

  app.post<{ Params: { id: string }; Body: StageBody }>(
    '/projects/:id/stage',
    { schema: { params: ProjectParams, body: StageBody } },
    async (request, reply) => {
      const { stage: wanted, tellCustomer = true, tellTeam = true } = request.body
      const { changed, stage, undoable } = await moveStage(
        contextOf(parts, request),
        request.params.id,
        wanted,
        { telling: { customer: tellCustomer, team: tellTeam }, undoable: true },
      )
      const shown: StageMovedShown = {
        changed,
        stage,
        undo: undoable && { moveId: undoable.id, until: undoable.undoUntil.toISOString() },
      }
      return sendJson(reply, JSON.stringify(shown))
    },
  )

  app.get<{ Params: { id: string }; Querystring: MoveQuery }>(
    '/projects/:id/move',
    { schema: { params: ProjectParams, querystring: MoveQuery } },
    async (request, reply) => {
      const preview: MovePreview = await previewMove(
        contextOf(parts, request),
        request.params.id,
        request.query.stage,
      )
      return sendJson(reply, JSON.stringify(preview))
    },
  )

  app.post<{ Params: { id: string }; Body: UndoBody }>(
    '/projects/:id/undo-move',
    { schema: { params: ProjectParams, body: UndoBody } },
    async (request, reply) => {
      const undone = await undoMove(contextOf(parts, request), request.params.id, request.body.moveId)
      return sendJson(reply, JSON.stringify(undone))
    },
  )

  app.patch<{ Params: { id: string }; Body: ProjectPatchBody }>(
    '/projects/:id',
    { schema: { params: ProjectParams, body: ProjectPatchBody } },
    async (request, reply) => {
      const { seen, ...patch } = request.body
      const ctx = contextOf(parts, request)
      const changed = await changeProject(ctx, request.params.id, patch as ProjectPatch, seen)
      return sendJson(reply, JSON.stringify(changed))
    },
  )

  app.put<{ Params: { id: string }; Body: TickBody }>(
    '/projects/:id/checklist',
    { schema: { params: ProjectParams, body: TickBody } },
    async (request, reply) => {
      const changed = await tickChecklist(contextOf(parts, request), request.params.id, request.body)
      return sendJson(reply, JSON.stringify(changed))
    },
  )
}
