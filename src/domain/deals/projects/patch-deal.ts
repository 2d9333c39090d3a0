import type { Directory } from '../../kernel/tenant/directory.ts'
import type { Effects } from '../changes/change.ts'
import type { Deal } from '../changes/deal.ts'
import { type LeadPatch, patchLead } from '../leads/patch-lead.ts'
import { type ProjectPatch, patchProject } from './patch-project.ts'

export interface PatchedDeal<D extends Deal> {
  after: D
  /** Each field from what to what. */
  changes: Record<string, [from: unknown, to: unknown]>
  effects: Effects
}

/** A deal with its lead and its project patched as one change, and what follows; null where nothing is otherwise. */
export function patchDeal<D extends Deal>(
  before: D,
  leadPatch: LeadPatch,
  projectPatch: ProjectPatch,
  directory: Directory,
): PatchedDeal<D> | null {
  const { lead, project } = before
  const ofLead = Object.keys(leadPatch).length > 0 ? patchLead(before, leadPatch, directory) : null
  const ofProject = project && patchProject(project, projectPatch, directory)
  const changes = { ...ofLead?.changes, ...ofProject?.changes }
  if (Object.keys(changes).length === 0) return null
  // What changes the lead is told of its project too, together with what else changes there.
  const events = ofLead?.effects.events.filter(({ type }) => type !== 'project.updated') ?? []
  if (project) events.push({ type: 'project.updated', subjectId: project.id, changes })
  return {
    after: { ...before, lead: ofLead?.lead ?? lead, project: ofProject?.project ?? project },
    changes,
    effects: {
      ...ofProject?.effects,
      activities: [...(ofLead?.effects.activities ?? []), ...(ofProject?.effects.activities ?? [])],
      events,
    },
  }
}
