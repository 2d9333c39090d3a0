import type { Deal } from '../../deals/changes/deal.ts'
import type { LeadPatch } from '../../deals/leads/patch-lead.ts'
import { type PatchedDeal, patchDeal } from '../../deals/projects/patch-deal.ts'
import type { ProjectPatch } from '../../deals/projects/patch-project.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'

const leadSlots = ['salesRepId', 'setterId'] as const
const projectSlots = ['projectManagerId', 'siteSurveyorId', 'subcontractorId'] as const

/** A deal with one member in every place that another had, and what follows; null where they had none. */
export function reassignDeal(
  before: Deal,
  from: string,
  to: string,
  directory: Directory,
): PatchedDeal<Deal> | null {
  const { lead, project } = before
  const leadPatch: LeadPatch = Object.fromEntries(
    leadSlots.filter((slot) => lead[slot] === from).map((slot) => [slot, to]),
  )
  const projectPatch: ProjectPatch = Object.fromEntries(
    projectSlots.filter((slot) => project?.[slot] === from).map((slot) => [slot, to]),
  )
  return patchDeal(before, leadPatch, projectPatch, directory)
}
