import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { quotedName } from '../../kernel/tenant/stage.ts'
import { type Attempt, commitChange, runChange } from '../changes/commit-change.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import { findChecklistItem, listChecklist } from './checklist-queries.ts'

export interface Tick {
  stageId: string
  label: string
  done: boolean
}

/** An item as a caller names it who knows stages by their names, or by their ids. */
export interface NamedTick {
  /** Not needed where only one stage has an item of this label. */
  stage?: string | undefined
  label: string
  done: boolean
}

/** Ticks an item of a project's checklist off, or takes the tick back. Whoever sees the project may. */
export async function tickChecklist(ctx: Context, key: string, wanted: Tick): Promise<{ changed: boolean }> {
  return runChange(ctx, async (attempt) => {
    const deal = await findProjectDeal(attempt.db, scopeOf(ctx), key)
    if (!deal) throw notFound('project')
    authorize(ctx.actor, 'checklists.tick')
    return { changed: await tick(ctx, attempt, deal, wanted) }
  })
}

/** Says whether it is otherwise than before. */
export async function tick(
  ctx: Context,
  attempt: Attempt,
  deal: SoldDeal,
  { stageId, label, done }: Tick,
): Promise<boolean> {
  const { installerId, id: projectId } = deal.project
  const item = await findChecklistItem(attempt.db, { installerId, projectId, stageId, label })
  if (!item)
    throw new DomainError(
      'invalid',
      `label: "${label}" is not on the checklist of this stage of the project.`,
    )
  if ((item.doneAt !== null) === done) return false
  await commitChange(ctx, attempt, deal, deal, {
    tick: { stageId, label, done },
    activities: [{ type: 'checklistDone', body: done ? `Done: ${label}` : `Not done after all: ${label}` }],
    events: [
      { type: 'project.checklist_changed', subjectId: projectId, changes: { [label]: [!done, done] } },
    ],
  })
  return true
}

/** The items that are meant, with the ids of their stages. All that are not there are named in one message. */
export async function findTicked(
  { db, directory }: Attempt,
  { project: { installerId, id: projectId } }: SoldDeal,
  wanted: readonly NamedTick[],
): Promise<Tick[]> {
  if (wanted.length === 0) return []
  const items = await listChecklist(db, { installerId, projectId })
  const problems: string[] = []
  const found = wanted.flatMap(({ stage, label, done }, i) => {
    const name = stage?.toLowerCase()
    const meant = items.filter(
      (item) =>
        item.label === label &&
        (name === undefined ||
          item.stageId === stage ||
          directory.stages.get(item.stageId)?.name.toLowerCase() === name),
    )
    if (meant.length === 1) return [{ stageId: meant[0]!.stageId, label, done }]
    problems.push(
      meant.length > 1
        ? `checklist[${i}].stage: several stages have an item ${quotedName(label)}, say which`
        : `checklist[${i}]: there is no item ${quotedName(label)} on the project's checklist${stage === undefined ? '' : ' of this stage'}`,
    )
    return []
  })
  if (problems.length > 0) throw new DomainError('invalid', `${problems.join('; ')}.`)
  return found
}
