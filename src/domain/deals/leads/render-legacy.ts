import type { Directory } from '../../kernel/tenant/directory.ts'
import type { Deal } from '../changes/deal.ts'
import { crewFields, hiFields, linkFields } from '../projects/render-legacy.ts'
import { customerFields, legacyId, sellerFields, text } from '../renderings/legacy-text.ts'
import { members } from '../renderings/rendering.ts'

/** A lead in the words of the legacy API, flat, its id first. Made when read: it shows where its project stands. */
export function renderLegacyLead(deal: Deal, directory: Directory): string {
  const { lead, project } = deal
  const id = members({ id: legacyId(lead) })
  if (lead.productLine === 'hi') return `{${id},${hiFields(deal, directory)}}`
  const fields = members({
    ...customerFields(lead),
    customerNotes: text(lead.notes),
    leadStatus: lead.status,
    projectStatus: text(project && directory.stages.get(project.stageId)?.name),
    utilityCompany: text(lead.utility.name),
    monthlyBill: text(lead.utility.monthlyBill),
    ...sellerFields(lead, directory),
    ...crewFields(project, directory),
  })
  return `{${id},${fields},${linkFields(project)}}`
}
