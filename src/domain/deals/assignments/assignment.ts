import type { Contact } from '../../kernel/contact.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import type { Effects } from '../changes/change.ts'
import type { Lead } from '../leads/lead.ts'
import type { Project } from '../projects/project.ts'

/** Somebody was put on a record, as what. */
export interface Assignment {
  memberId: string
  as: string
}

interface Slot {
  from: string | null
  to: string | null
  as: string
}

/** Who was put on a lead by somebody else; `before` is null where it is new. */
export function leadAssignments(
  actor: Actor,
  directory: Directory,
  before: Lead | null,
  after: Lead,
): Assignment[] {
  return assignments(actor, directory, [
    { from: before?.salesRepId ?? null, to: after.salesRepId, as: 'sales rep' },
    { from: before?.setterId ?? null, to: after.setterId, as: 'setter' },
  ])
}

/** Who was put on a project by somebody else. */
export function projectAssignments(
  actor: Actor,
  directory: Directory,
  before: Project,
  after: Project,
): Assignment[] {
  return assignments(actor, directory, [
    { from: before.projectManagerId, to: after.projectManagerId, as: 'project manager' },
    { from: before.siteSurveyorId, to: after.siteSurveyorId, as: 'site surveyor' },
    { from: before.subcontractorId, to: after.subcontractorId, as: 'subcontractor' },
  ])
}

function assignments(actor: Actor, { members }: Directory, slots: readonly Slot[]): Assignment[] {
  return slots.flatMap(({ from, to, as }) =>
    to !== null && to !== from && to !== actor.id && members.get(to)?.active ? [{ memberId: to, as }] : [],
  )
}

/** What each of them is told: one thing, however many places they were put in. */
export function assignmentNotices(
  assigned: readonly Assignment[],
  { firstName, lastName }: Contact,
): NonNullable<Effects['notifications']> {
  const customer = [firstName, lastName].filter(Boolean).join(' ') || 'Customer'
  return [...Map.groupBy(assigned, ({ memberId }) => memberId)].map(([memberId, own]) => ({
    memberId,
    text: `${customer}: you are now the ${own.map(({ as }) => as).join(' and the ')}`,
  }))
}
