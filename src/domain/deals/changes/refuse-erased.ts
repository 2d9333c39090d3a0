import { isDeepStrictEqual } from 'node:util'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Lead } from '../leads/lead.ts'
import type { Project } from '../projects/project.ts'
import type { Effects } from './change.ts'
import type { Deal } from './deal.ts'

/** What may go on after the customer was erased: where the work stands and who does it, nothing about a person. */
const leadGoesOn: (keyof Lead)[] = ['salesRepId', 'setterId', 'updatedAt']
const projectGoesOn: (keyof Project)[] = [
  'stageId',
  'stageEnteredAt',
  'ntpGranted',
  'milestones',
  'projectManagerId',
  'siteSurveyorId',
  'subcontractorId',
  'contractSignedAt',
  'installationId',
  'folderSecret',
  'linksRenewedAt',
  'updatedAt',
]

/** Refuses whatever would say something about a customer who was erased. Every change of a deal passes here. */
export function refuseErased(before: Deal, after: Deal, effects: Effects): void {
  if (before.lead.erasedAt === null) return
  const written =
    touches(before.lead, after.lead, leadGoesOn) ||
    (before.project !== null &&
      after.project !== null &&
      touches(before.project, after.project, projectGoesOn)) ||
    (before.project === null) !== (after.project === null) ||
    Boolean(effects.files?.length) ||
    effects.activities.some(({ type }) => type === 'note' || type === 'message')
  if (written) throw erased()
}

export function erased(): DomainError {
  return new DomainError(
    'invalid',
    'What was known about this customer was erased, and nothing new is kept on this record. Make a new lead for a customer who comes back.',
  )
}

function touches<Record extends object>(
  before: Record,
  after: Record,
  allowed: readonly (keyof Record)[],
): boolean {
  return (Object.keys(after) as (keyof Record)[]).some(
    (field) => !allowed.includes(field) && !isDeepStrictEqual(before[field], after[field]),
  )
}
