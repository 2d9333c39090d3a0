import type { NewEvent } from '../../journal/events/deal-event.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { deleteMadeInstallation } from '../../sites/installations/delete-installation.ts'
import { type Attempt, commitChange, runLockedChange } from '../changes/commit-change.ts'
import { findLastMove, type LastMove, listWithdrawn, takeBackMails, takeBackMove } from './move-queries.ts'
import { findMovable, laterThan } from './move-stage.ts'
import type { Project } from './project.ts'

/**
 * Takes back the last move of a project in the console, as long as its mails wait: they, the alerts, the checklist, the
 * milestone and the installation that it made go again, and nobody is told but endpoints, which heard of the move. It is a
 * move of its own: the project enters its former stage now.
 */
export async function undoMove(ctx: Context, key: string, moveId: string): Promise<{ stage: string }> {
  const { installerId } = ctx.actor
  return runLockedChange(ctx, async (attempt) => {
    const { db, directory } = attempt
    const before = await findMovable(ctx, attempt, key)
    const { lead, project } = before
    const move = await findLastMove(db, { installerId, projectId: project.id })
    if (!move || move.id !== moveId || move.fromStageId === null || !stands(project, move)) throw movedOn()
    const [from, to] = [directory.stages.get(move.toStageId), directory.stages.get(move.fromStageId)]
    if (!to || to.retired) throw movedOn()
    // A mail that a sender has taken cannot be had back, so nothing is: the mails decide whether it is in time.
    if (ctx.now > move.undoUntil || (await takeBackMails(db, { installerId, moveId: move.id })) > 0)
      throw tooLate()
    const removed = await deleteInstallation(attempt, move)
    const { [move.milestone ?? '']: _stamped, ...kept } = project.milestones as Record<string, string>
    const after: Project = {
      ...project,
      stageId: to.id,
      stageEnteredAt: laterThan(project.stageEnteredAt, ctx.now),
      milestones: move.milestone ? (kept as Project['milestones']) : project.milestones,
      installationId: move.installationId ? null : project.installationId,
    }
    const changes: Record<string, [unknown, unknown]> = { stage: [from?.name ?? null, to.name] }
    const withdrawn = await listWithdrawn(db, { installerId, leadId: lead.id, at: move.at })
    await takeBackMove(db, { installerId, leadId: lead.id, projectId: project.id, ...move })
    await commitChange(
      ctx,
      attempt,
      before,
      { ...before, project: after },
      {
        withdrawn,
        activities: [
          { type: 'stageChanged', body: `Moved back from ${from?.name} to ${to.name}: the move was undone` },
        ],
        events: [
          ...removed,
          { type: 'project.stage_changed', subjectId: project.id, changes },
          { type: 'project.updated', subjectId: project.id, changes },
        ],
      },
    )
    return { stage: to.name }
  })
}

/** Whether the project is where the move left it. */
export function stands(project: Project, move: LastMove): boolean {
  return project.stageId === move.toStageId && project.stageEnteredAt?.getTime() === move.enteredAt.getTime()
}

/** Takes away the installation that a move or a sale made, and answers what is told of it. */
export async function deleteInstallation(
  { db, directory }: Attempt,
  { installationId }: LastMove,
): Promise<NewEvent[]> {
  if (installationId === null) return []
  const events = await deleteMadeInstallation(db, directory.installerId, installationId)
  if (events) return events
  throw new DomainError(
    'invalid',
    'The installation that this made is in use already, so it stays. Move the project back by hand.',
  )
}

function movedOn(): DomainError {
  return new DomainError('invalid', 'The project has moved on since, so there is nothing to undo.')
}

function tooLate(): DomainError {
  return new DomainError(
    'invalid',
    'It is too late to undo the move: its emails have gone out. Move the project back instead.',
  )
}
