import { newToken } from '../../../platform/ids.ts'
import type { Deal } from '../../deals/changes/deal.ts'

const nobody = { firstName: null, lastName: null, email: null, phone: null }
const nowhere = { line1: null, line2: null, city: null, state: null, postalCode: null, country: null }

/** The deal with nothing in it that says whose it was; how it went, what was built and for how much stays. */
export function erasedDeal({ lead, project }: Deal, now: Date): Deal {
  return {
    lead: {
      ...lead,
      archived: true,
      customer: nobody,
      coBorrower: null,
      address: nowhere,
      utility: { name: null, monthlyBill: null },
      source: { name: null, subSource: null },
      externalId: null,
      notes: null,
      erasedAt: now,
    },
    // The proposal's address and those of its folders answer no more.
    project: project && { ...project, notes: null, proposalToken: null, folderSecret: newToken() },
    files: [],
  }
}
