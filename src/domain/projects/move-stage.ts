import { type Attempt, change, commitChange } from '../changes/commit-change.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import { ladderOf } from '../companies/directory.ts'
import { type Context, InstallerOnly, reachOf, requireRunner, requireWriter } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { quotedName, type Stage, stageNames } from '../ladders/stage.ts'
import { enterStage } from './enter-stage.ts'
import type { Project } from './project.ts'

export interface StageMoved {
  changed: boolean
  /** The stage's name as the ladder has it. */
  stage: string
  project: Project
}

/** Moves a project to another stage of its ladder, with everything that follows from entering it. */
export async function moveStage(ctx: Context, key: string, stageName: string): Promise<StageMoved> {
  const { actor } = ctx
  return change(ctx, async (attempt) => {
    const { db, directory } = attempt
    const before = await findProjectDeal(db, reachOf(ctx), key)
    const problem = problemOf(stageName)
    if (!before) throw problem === null ? notFound('project') : new DomainError('invalid', `${problem}.`)
    const ladder = ladderOf(directory, before.project.productLine)
    const names = stageNames(ladder)
    // What is wrong with the call itself comes before who may make it.
    if (problem !== null) throw new DomainError('invalid', `${problem}. The stages are: ${names}.`)
    requireWriter(actor)
    if (actor.companyKind !== 'installer') {
      const who = actor.kind === 'member' ? 'the installer' : "the installer's key"
      throw new InstallerOnly(`Only ${who} may move a project. Its stages are: ${names}.`)
    }
    requireRunner(actor, 'move a project')
    const wanted = stageName.toLowerCase()
    const isWanted = ({ name }: Stage) => name.toLowerCase() === wanted
    // A stage that is being retired is where the project stands until it is moved on: to name it changes nothing.
    const current = directory.stages.get(before.project.stageId)
    const stage = ladder.find(isWanted) ?? (current && isWanted(current) ? current : undefined)
    if (!stage) {
      const name = quotedName(stageName)
      throw new DomainError('invalid', `There is no stage ${name}. The stages are: ${names}.`)
    }
    if (stage.id === before.project.stageId) {
      return { changed: false, stage: stage.name, project: before.project }
    }

    const project = await enter(ctx, attempt, before, stage)
    return { changed: true, stage: stage.name, project }
  })
}

const maxCharacters = 200

/** What is wrong with a name whatever the ladder is. */
function problemOf(stageName: string): string | null {
  if (stageName === '') return 'The name of the stage must not be empty'
  return stageName.length > maxCharacters
    ? `The name of the stage must have at most ${maxCharacters} characters`
    : null
}

/** Moves a project on from a stage that it may have left meanwhile. */
export async function moveOn(
  ctx: Context,
  id: string,
  { from, to, tellCustomer }: { from: string; to: string; tellCustomer: boolean },
): Promise<void> {
  await change(ctx, async (attempt) => {
    const before = await findProjectDeal(attempt.db, reachOf(ctx), id)
    if (before?.project.stageId !== from) return
    await enter(ctx, attempt, before, attempt.directory.stages.get(to)!, tellCustomer)
  })
}

async function enter(
  ctx: Context,
  attempt: Attempt,
  before: SoldDeal,
  stage: Stage,
  tellCustomer = true,
): Promise<Project> {
  const { directory } = attempt
  const from = directory.stages.get(before.project.stageId)?.name ?? null
  const enteredAt = after(before.project.stageEnteredAt, ctx.now)
  const { project, effects } = enterStage(before, stage, directory, enteredAt, tellCustomer)
  const changes: Record<string, [unknown, unknown]> = { stage: [from, stage.name] }
  effects.activities.unshift({ type: 'stageChanged', body: `Moved from ${from} to ${stage.name}` })
  effects.events.push(
    { type: 'project.stage_changed', subjectId: project.id, changes },
    { type: 'project.updated', subjectId: project.id, changes },
  )
  await commitChange(ctx, attempt, before, { ...before, project }, effects)
  return project
}

/** A call that came earlier may be carried out later: its stage is entered after the one before all the same. */
function after(before: Date | null, now: Date): Date {
  return before && before >= now ? new Date(before.getTime() + 1) : now
}
