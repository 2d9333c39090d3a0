import type { Database } from '../../platform/db.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import type { Directories } from '../companies/directories.ts'
import { type Proposal, proposalOf } from './proposal.ts'
import { findProposal } from './proposal-queries.ts'

/** As tokens are made: what has another form is no address of ours. */
const tokenForm = /^[\w-]{20,64}$/

/** The proposal that an address opens, with the deal it shows; null where it opens none. */
export async function readProposal(
  db: Database,
  directories: Directories,
  token: string,
): Promise<{ proposal: Proposal; deal: SoldDeal } | null> {
  const found = tokenForm.test(token) ? await findProposal(db, token) : null
  if (!found) return null
  const { installerId, id } = found
  const deal = await findProjectDeal(db, { installerId, companyId: null, productLine: null }, id)
  if (!deal) return null
  return { proposal: proposalOf(deal, await directories.current(db, installerId)), deal }
}
