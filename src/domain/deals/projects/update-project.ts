import { requireExpected, requireUnchanged, type Seen } from '../../kernel/changed-meanwhile.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { assignmentNotices, leadAssignments, projectAssignments } from '../assignments/assignment.ts'
import {
  leadPeople,
  type NamedLeadPeople,
  type NamedProjectPeople,
  projectPeople,
} from '../assignments/named-people.ts'
import { type Attempt, commitChange, runChange, runLockedChange } from '../changes/commit-change.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import { checkPeople } from '../leads/who-may.ts'
import { patchDeal } from './patch-deal.ts'
import type { ProjectPatch } from './patch-project.ts'
import { findTicked, type NamedTick, tick } from './tick-checklist.ts'

/** A project's fields, those who work on it as a caller names them, and items of its checklist. */
export interface ProjectUpdate extends ProjectPatch {
  people?: NamedLeadPeople & NamedProjectPeople
  checklist?: readonly NamedTick[]
}

/**
 * Changes a project's days, on milestones and calendar, its notice to proceed, people, contract and notes, while they
 * are what was seen, and ticks its checklist. All of it stands or falls together.
 */
export async function updateProject(
  ctx: Context,
  key: string,
  { checklist = [], ...patch }: ProjectUpdate,
  seen?: Seen,
): Promise<{ changed: boolean }> {
  // Each tick is a change of its own in the feed: several commit together only in one transaction.
  const run = checklist.length > 0 ? runLockedChange : runChange
  return run(ctx, async (attempt) => {
    const before = await findProjectDeal(attempt.db, scopeOf(ctx), key)
    if (!before) throw notFound('project')
    authorize(ctx.actor, 'projects.change')
    if (checklist.length > 0) authorize(ctx.actor, 'checklists.tick')
    requireExpected(ctx, before.project)
    // What is not on the list is found before anything is written.
    const ticks = await findTicked(attempt, before, checklist)
    let changed = await patchAndCommit(ctx, attempt, before, patch, seen)
    for (const one of ticks) if (await tick(ctx, attempt, before, one)) changed = true
    return { changed }
  })
}

async function patchAndCommit(
  ctx: Context,
  attempt: Attempt,
  before: SoldDeal,
  { people = {}, ...patch }: Omit<ProjectUpdate, 'checklist'>,
  seen: Seen | undefined,
): Promise<boolean> {
  const { actor } = ctx
  const { directory } = attempt
  const ofLead = leadPeople(actor, directory, before.lead, people)
  const ofProject = { ...patch, ...projectPeople(directory, before.project, people) }
  const patched = patchDeal(before, ofLead, ofProject, directory)
  if (!patched) return false
  const { after, changes, effects } = patched
  requireUnchanged(changes, seen)
  checkPeople(actor, directory, before.lead, after.lead)
  const assigned = [
    ...leadAssignments(actor, directory, before.lead, after.lead),
    ...projectAssignments(actor, directory, before.project, after.project),
  ]
  const notifications = assignmentNotices(assigned, before.lead.customer)
  await commitChange(ctx, attempt, before, after, { ...effects, notifications })
  return true
}
