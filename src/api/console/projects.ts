import { findProjectDeal } from '../../domain/deals/changes/deal.ts'
import { listProjectFiles } from '../../domain/deals/files/queries.ts'
import { listChecklist } from '../../domain/deals/projects/checklist-queries.ts'
import type { StageRecipients } from '../../domain/deals/projects/enter-stage.ts'
import { type MovePreview, moveStage, previewMove } from '../../domain/deals/projects/move-stage.ts'
import type { ProjectPatch } from '../../domain/deals/projects/patch-project.ts'
import { tickChecklist } from '../../domain/deals/projects/tick-checklist.ts'
import { undoMove } from '../../domain/deals/projects/undo-move.ts'
import { updateProject } from '../../domain/deals/projects/update-project.ts'
import { scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { foldersWith } from '../../domain/kernel/folder-policy.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { MoveQuery, ProjectPatchBody, StageBody, TickBody, UndoBody } from './project-requests.ts'
import { maxListedFiles, projectResponse } from './project-responses.ts'
import { contextOf } from './sessions.ts'

export type { MovePreview, StageRecipients }

export interface StageMovedResponse {
  changed: boolean
  stage: string
  /** With what, and until when, the move can be taken back; null where nothing changed. */
  undo: { moveId: string; until: string } | null
}

export function projectRoutes(app: Routes, deps: Deps): void {
  app.get('/projects/:id', { schema: { params: IdParams } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { db, actor } = ctx
    const deal = await findProjectDeal(db, scopeOf(ctx), request.params.id)
    if (!deal) throw notFound('project')
    const [checklist, files, directory] = await Promise.all([
      listChecklist(db, { installerId: actor.installerId, projectId: deal.project.id }),
      listProjectFiles(db, {
        installerId: actor.installerId,
        projectId: deal.project.id,
        folders: foldersWith(actor, 'read'),
        limit: maxListedFiles + 1,
      }),
      deps.directories.current(db, actor.installerId),
    ])
    return sendJson(reply, JSON.stringify(projectResponse(deal, { checklist, files }, directory, actor)))
  })

  app.post(
    '/projects/:id/stage',
    { schema: { params: IdParams, body: StageBody } },
    async (request, reply) => {
      const { stage: wanted, notifyCustomer = true, notifyTeam = true } = request.body
      const { changed, stage, undoable } = await moveStage(
        contextOf(deps, request),
        request.params.id,
        wanted,
        { notify: { customer: notifyCustomer, team: notifyTeam }, undoable: true },
      )
      const response: StageMovedResponse = {
        changed,
        stage,
        undo: undoable && { moveId: undoable.id, until: undoable.undoUntil.toISOString() },
      }
      return sendJson(reply, JSON.stringify(response))
    },
  )

  app.get(
    '/projects/:id/move',
    { schema: { params: IdParams, querystring: MoveQuery } },
    async (request, reply) => {
      const preview: MovePreview = await previewMove(
        contextOf(deps, request),
        request.params.id,
        request.query.stage,
      )
      return sendJson(reply, JSON.stringify(preview))
    },
  )

  app.post(
    '/projects/:id/undo-move',
    { schema: { params: IdParams, body: UndoBody } },
    async (request, reply) => {
      const undone = await undoMove(contextOf(deps, request), request.params.id, request.body.moveId)
      return sendJson(reply, JSON.stringify(undone))
    },
  )

  app.patch(
    '/projects/:id',
    { schema: { params: IdParams, body: ProjectPatchBody } },
    async (request, reply) => {
      const { seen, ...patch } = request.body
      const ctx = contextOf(deps, request)
      const changed = await updateProject(ctx, request.params.id, patch as ProjectPatch, seen)
      return sendJson(reply, JSON.stringify(changed))
    },
  )

  app.put(
    '/projects/:id/checklist',
    { schema: { params: IdParams, body: TickBody } },
    async (request, reply) => {
      const changed = await tickChecklist(contextOf(deps, request), request.params.id, request.body)
      return sendJson(reply, JSON.stringify(changed))
    },
  )
}
