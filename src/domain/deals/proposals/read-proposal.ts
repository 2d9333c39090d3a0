import type { Database } from '../../../platform/db.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Directories } from '../../kernel/tenant/directories.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
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
  const found = tokenForm.test(token) ? await findProposal(db, { token }) : null
  return found && readProposalOf(db, directories, found.installerId, found.id)
}

/** The proposal of a project, whoever asks; null where it has none. */
export async function readProposalOf(
  db: Database,
  directories: Directories,
  installerId: string,
  id: string,
): Promise<{ proposal: Proposal; deal: SoldDeal } | null> {
  const deal = await findProjectDeal(db, { installerId, companyId: null, productLine: null }, id)
  if (!deal?.project.proposalToken) return null
  return { proposal: proposalOf(deal, await directories.current(db, installerId)), deal }
}

/** The proposal of a project, for those of the company who see what was agreed. */
export async function readOwnProposal(
  ctx: Context,
  key: string,
): Promise<{ proposal: Proposal; deal: SoldDeal }> {
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  authorize(ctx.actor, 'sales.read')
  if (!deal.project.proposalToken) throw notFound('proposal')
  const directory = await ctx.directories.current(ctx.db, ctx.actor.installerId)
  return { proposal: proposalOf(deal, directory), deal }
}
