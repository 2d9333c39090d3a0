import { newId } from '../../../platform/ids.ts'
import { requireExpected } from '../../kernel/changed-meanwhile.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize, InstallerOnly } from '../../kernel/policy.ts'
import { type Directory, ladderOf } from '../../kernel/tenant/directory.ts'
import { quotedName, type Stage, stageNames } from '../../kernel/tenant/stage.ts'
import { type Attempt, commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import {
  enterStage,
  type NotifyChoice,
  notifyEverybody,
  type StageRecipients,
  stageRecipients,
} from './enter-stage.ts'
import type { Project } from './project.ts'

/** For how long what was done in the console can be taken back; its mails wait until then. */
const undoMs = 30_000
/** So that who undoes in the last moment is not overtaken by the mail. */
const mailMarginMs = 2_000

/** A move or a sale that may be taken back, and until when. */
export interface Undoable {
  id: string
  undoUntil: Date
}

export function undoableFrom(now: Date): Undoable {
  return { id: newId('move'), undoUntil: new Date(now.getTime() + undoMs) }
}

export function mailsAt({ undoUntil }: Undoable): Date {
  return new Date(undoUntil.getTime() + mailMarginMs)
}

export interface StageMoved {
  changed: boolean
  /** The stage's name as the ladder has it. */
  stage: string
  project: Project
  /** Null where nothing changed, or it cannot be undone. */
  undoable: Undoable | null
}

interface MoveOptions {
  /** Who is notified; everybody whom the stage names where absent. */
  notify?: NotifyChoice
  /** Whether it can be taken back for a while: mails wait so long. */
  undoable?: boolean
  /** How the caller names the stage. */
  field?: string
}

/** Moves a project to another stage of its ladder, with everything that follows from entering it. */
export async function moveStage(
  ctx: Context,
  key: string,
  stageName: string,
  { notify = notifyEverybody, undoable = false, field = 'stage' }: MoveOptions = {},
): Promise<StageMoved> {
  return runChange(ctx, async (attempt) => {
    const { before, stage } = await findMove(ctx, attempt, key, stageName, field)
    requireExpected(ctx, before.project)
    if (stage.id === before.project.stageId) {
      return { changed: false, stage: stage.name, project: before.project, undoable: null }
    }
    const undo = undoable ? undoableFrom(ctx.now) : null
    const project = await enter(ctx, attempt, before, stage, notify, undo)
    return { changed: true, stage: stage.name, project, undoable: undo }
  })
}

const maxCharacters = 200

/** What is wrong with a name whatever the ladder is. */
function problemOf(stageName: string, field: string): string | null {
  if (stageName === '') return `${field} must not be empty`
  return stageName.length > maxCharacters ? `${field} must have at most ${maxCharacters} characters` : null
}

type ReadAttempt = Pick<Attempt, 'db' | 'directory'>

/** The project and the stage that somebody wants it to enter, where they may. */
export async function findMove(
  ctx: Context,
  { db, directory }: ReadAttempt,
  key: string,
  stageName: string,
  field = 'stage',
): Promise<{ before: SoldDeal; stage: Stage }> {
  const before = await findProjectDeal(db, scopeOf(ctx), key)
  const problem = problemOf(stageName, field)
  if (!before) throw problem === null ? notFound('project') : new DomainError('invalid', `${problem}.`)
  const ladder = ladderOf(directory, before.project.productLine)
  const names = stageNames(ladder)
  // What is wrong with the call itself comes before who may make it.
  if (problem !== null) throw new DomainError('invalid', `${problem}. The stages are: ${names}.`)
  requireMover(ctx, directory, before)
  const wanted = stageName.toLowerCase()
  const isWanted = ({ name }: Stage) => name.toLowerCase() === wanted
  // A stage that is being retired is where the project stands until it is moved on: to name it changes nothing.
  const current = directory.stages.get(before.project.stageId)
  const stage = ladder.find(isWanted) ?? (current && isWanted(current) ? current : undefined)
  if (stage) return { before, stage }
  const message = `There is no stage ${quotedName(stageName)}. The stages are: ${names}.`
  throw new DomainError('invalid', message, [{ path: field, message }])
}

/** A project that the actor may move. */
export async function findMovable(
  ctx: Context,
  { db, directory }: ReadAttempt,
  key: string,
): Promise<SoldDeal> {
  const before = await findProjectDeal(db, scopeOf(ctx), key)
  if (!before) throw notFound('project')
  requireMover(ctx, directory, before)
  return before
}

function requireMover({ actor }: Context, directory: Directory, { project }: SoldDeal): void {
  try {
    authorize(actor, 'projects.move')
  } catch (error) {
    if (!(error instanceof InstallerOnly)) throw error
    const names = stageNames(ladderOf(directory, project.productLine))
    throw new InstallerOnly(`${error.message} Its stages are: ${names}.`)
  }
}

/** Moves a project on from a stage that it may have left meanwhile. */
export async function moveOn(
  ctx: Context,
  id: string,
  { from, to, notifyCustomer }: { from: string; to: string; notifyCustomer: boolean },
): Promise<void> {
  await runChange(ctx, async (attempt) => {
    const before = await findProjectDeal(attempt.db, scopeOf(ctx), id)
    if (before?.project.stageId !== from) return
    const notify = { customer: notifyCustomer, team: true }
    await enter(ctx, attempt, before, attempt.directory.stages.get(to)!, notify, null)
  })
}

async function enter(
  ctx: Context,
  attempt: Attempt,
  before: SoldDeal,
  stage: Stage,
  notify: NotifyChoice,
  undo: Undoable | null,
): Promise<Project> {
  const { directory } = attempt
  const from = directory.stages.get(before.project.stageId)?.name ?? null
  const enteredAt = laterThan(before.project.stageEnteredAt, ctx.now)
  const { project, effects } = enterStage(before, stage, directory, enteredAt, notify)
  const changes: Record<string, [unknown, unknown]> = { stage: [from, stage.name] }
  effects.activities.unshift({ type: 'stageChanged', body: `Moved from ${from} to ${stage.name}` })
  effects.events.push(
    { type: 'project.stage_changed', subjectId: project.id, changes },
    { type: 'project.updated', subjectId: project.id, changes },
  )
  if (undo) {
    const stamped =
      stage.milestone && !(stage.milestone in before.project.milestones) ? stage.milestone : null
    effects.move = {
      ...undo,
      mailsAt: mailsAt(undo),
      fromStageId: before.project.stageId,
      leadStatus: null,
      toStageId: stage.id,
      enteredAt,
      milestone: stamped,
      installationId: effects.installation?.installation.id ?? null,
    }
  }
  await commitChange(ctx, attempt, before, { ...before, project }, effects)
  return project
}

/** A call that came earlier may be carried out later: its stage is entered after the one before all the same. */
export function laterThan(before: Date | null, now: Date): Date {
  return before && before >= now ? new Date(before.getTime() + 1) : now
}

/** What a move would do, for whoever is about to make it. */
export interface MovePreview extends StageRecipients {
  /** As the ladder has it. */
  stage: string
  /** How many panels the installation has that is made; null where none is. */
  installationPanels: number | null
}

/** Says who is told when a project enters a stage. It is worked out as the move itself would, and nothing is done. */
export async function previewMove(ctx: Context, key: string, stageName: string): Promise<MovePreview> {
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  const { before, stage } = await findMove(ctx, { db: ctx.db, directory }, key, stageName)
  const nothing = { stage: stage.name, customer: null, people: [], installationPanels: null }
  if (stage.id === before.project.stageId) return nothing
  const { effects } = enterStage(before, stage, directory, ctx.now)
  return {
    stage: stage.name,
    ...stageRecipients(before, stage, directory),
    installationPanels: effects.installation?.panels.length ?? null,
  }
}
