import type { Effects } from '../../deals/changes/change.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import { type LeadPatch, patchLead } from '../../deals/leads/patch-lead.ts'
import { type ProjectPatch, patchProject } from '../../deals/projects/patch-project.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'

const leadSlots = ['salesRepId', 'setterId'] as const
const projectSlots = ['projectManagerId', 'siteSurveyorId', 'subcontractorId'] as const

/** A deal with one member in every place that another had, and what follows; null where they had none. */
export function reassignDeal(
  before: Deal,
  from: string,
  to: string,
  directory: Directory,
): { after: Deal; effects: Effects } | null {
  const { lead, project } = before
  const leadPatch: LeadPatch = Object.fromEntries(
    leadSlots.filter((slot) => lead[slot] === from).map((slot) => [slot, to]),
  )
  const projectPatch: ProjectPatch = Object.fromEntries(
    projectSlots.filter((slot) => project?.[slot] === from).map((slot) => [slot, to]),
  )
  const ofLead = patchLead(before, leadPatch, directory)
  const ofProject = project && patchProject(project, projectPatch, directory)
  const projectChanges = ofProject?.changes ?? {}
  if (!ofLead && Object.keys(projectChanges).length === 0) return null
  const leadEvents = ofLead?.effects.events ?? []
  const projectEvent = leadEvents.find(({ type }) => type === 'project.updated')
  return {
    after: { ...before, lead: ofLead?.lead ?? lead, project: ofProject?.project ?? project },
    effects: {
      activities: [...(ofLead?.effects.activities ?? []), ...(ofProject?.effects.activities ?? [])],
      events: [
        ...leadEvents.filter((event) => event !== projectEvent),
        ...(project
          ? [
              {
                type: 'project.updated' as const,
                subjectId: project.id,
                changes: { ...projectEvent?.changes, ...projectChanges },
              },
            ]
          : []),
      ],
    },
  }
}
