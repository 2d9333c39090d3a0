import type { Directory } from '../../kernel/tenant/directory.ts'
import { baseUrlMark, decimal, members, staff } from '../renderings/rendering.ts'
import type { Lead } from './lead.ts'

/** The Lead of the company-key API. `updatedAt` is its text, or the mark that the write fills in. */
export function renderLead(
  lead: Lead,
  projectReference: string | null,
  directory: Directory,
  updatedAt: string,
): string {
  const head = members({
    id: lead.id,
    reference: lead.reference,
    productLine: lead.productLine,
    status: lead.status,
    archived: lead.archived,
    createdAt: lead.createdAt,
  })
  const tail = members({
    customer: lead.customer,
    coBorrower: lead.coBorrower,
    address: lead.address,
    utility: { name: lead.utility.name, monthlyBill: decimal(lead.utility.monthlyBill) },
    source: lead.source,
    externalId: lead.externalId,
    notes: lead.notes,
    salesRep: staff(directory, lead.salesRepId),
    setter: staff(directory, lead.setterId),
    project: lead.projectId === null ? null : { id: lead.projectId, reference: projectReference },
  })
  return `{${head},"updatedAt":"${updatedAt}",${tail},"links":{"record":"${baseUrlMark}/leads/${lead.id}"}}`
}
