import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { commitChange, runLockedChange } from '../changes/commit-change.ts'
import { findLeadDeal, type SoldDeal } from '../changes/deal.ts'
import {
  deleteProject,
  findLastMove,
  isWorkedOn,
  type LastMove,
  listWithdrawn,
  takeBackMails,
} from '../projects/move-queries.ts'
import { deleteInstallation, stands } from '../projects/undo-move.ts'
import { requireSeller } from './sell-lead.ts'

/**
 * Takes back a sale in the console, as long as its mails wait and nobody has done anything with the project: the project
 * goes with all that it was given, and the lead is what it was. Endpoints, which heard of the sale, are told.
 */
export async function undoSale(ctx: Context, leadKey: string, moveId: string): Promise<{ leadId: string }> {
  const { installerId } = ctx.actor
  return runLockedChange(ctx, async (attempt) => {
    const { db } = attempt
    const before = await findLeadDeal(db, scopeOf(ctx), leadKey)
    if (!before) throw notFound('lead')
    requireSeller(ctx.actor, before.lead)
    const { lead, project } = before
    const move = project && (await findLastMove(db, { installerId, projectId: project.id }))
    if (!project || !move || move.id !== moveId || move.leadStatus === null) throw nothingToUndo()
    const worked =
      !isUntouched({ ...before, project }, move) ||
      (await isWorkedOn(db, { installerId, projectId: project.id }))
    if (worked) throw workedOn()
    // A mail that a sender has taken cannot be had back, so nothing is: the mails decide whether it is in time.
    if (ctx.now > move.undoUntil || (await takeBackMails(db, { installerId, moveId: move.id })) > 0)
      throw tooLate()
    const removed = await deleteInstallation(attempt, move)
    const withdrawn = await listWithdrawn(db, { installerId, leadId: lead.id, at: move.at })
    const after = { ...lead, status: move.leadStatus, projectId: null }
    await commitChange(
      ctx,
      attempt,
      before,
      { lead: after, project: null, files: [] },
      {
        withdrawn,
        activities: [{ type: 'leadUpdated', body: 'The sale was undone' }],
        events: [
          ...removed,
          { type: 'project.deleted', subjectId: project.id },
          { type: 'lead.updated', subjectId: lead.id, changes: { status: [lead.status, after.status] } },
        ],
      },
    )
    await deleteProject(db, { installerId, leadId: lead.id, projectId: project.id, ...move })
    return { leadId: lead.id }
  })
}

/** Lead and project are written at times of their own that follow each other. */
const apartMs = 1

function isUntouched({ lead, project }: SoldDeal, move: LastMove): boolean {
  const last = move.at.getTime() + apartMs
  return stands(project, move) && lead.updatedAt.getTime() <= last && project.updatedAt.getTime() <= last
}

function nothingToUndo(): DomainError {
  return new DomainError('invalid', 'There is no sale to undo: it was undone, or has been moved on since.')
}

function workedOn(): DomainError {
  return new DomainError(
    'invalid',
    'Somebody has worked on the project since, so the sale stays. Change the project instead.',
  )
}

function tooLate(): DomainError {
  return new DomainError(
    'invalid',
    'It is too late to undo the sale: its emails have gone out. Change the project instead.',
  )
}
