import type { Context } from '../kernel/context.ts'
import { DomainError } from '../kernel/domain-error.ts'
import { authorize, may } from '../kernel/policy.ts'
import { type AgentProposal, type ProposalState, stateOf } from './agent-proposal.ts'
import { markOf, mayDecide, proposalScopeOf, requireSame } from './decide.ts'
import { foresee } from './kinds.ts'
import { countProposals, listProposals, type ProposalPosition, sellsFew } from './queries.ts'

/** A proposal as it is shown: what would follow is worked out anew. */
export interface ShownProposal extends Omit<AgentProposal, 'state' | 'input'> {
  state: ProposalState
  /** What would follow if it were approved now; of one that waits. */
  follows: string[]
  /** Why it cannot be approved as things are. */
  problem: string | null
  mayDecide: boolean
  /** Sent along by who approves what they were shown here; of one that waits. */
  seen: string | null
}

export interface ProposalsAsked {
  list: 'waiting' | 'decided'
  before: ProposalPosition | null
  limit: number
}

/** What agents propose, the newest first, or what became of it. */
export async function readAgentProposals(ctx: Context, asked: ProposalsAsked): Promise<ShownProposal[]> {
  const { db, actor, now } = ctx
  authorize(actor, 'agents.decide')
  const { list, before, limit } = asked
  const scope = proposalScopeOf(actor)
  const { installerId, memberId } = scope
  // What waits is little, whoever looks for theirs in it.
  const ofFew = list === 'decided' && memberId !== null && (await sellsFew(db, { installerId, memberId })).few
  const found = await listProposals(db, {
    ...scope,
    ...{ list, ofFew, now, limit, beforeAt: before?.at, beforeId: before?.id },
  })
  const shown: ShownProposal[] = []
  // One by one: a page is short, and one reader is to take no more than one connection.
  for (const proposal of found) shown.push(await showProposal(ctx, proposal))
  return shown
}

export async function showProposal(ctx: Context, proposal: AgentProposal): Promise<ShownProposal> {
  const { input, ...same } = proposal
  const state = stateOf(proposal, ctx.now)
  const shown = {
    ...same,
    state,
    follows: [],
    problem: null,
    seen: null,
    mayDecide: ctx.actor.kind === 'member' && mayDecide(ctx.actor, proposal),
  }
  if (state !== 'waiting' || input === null) return shown
  try {
    const outlook = await foresee(ctx, input, proposal.companyId)
    requireSame(proposal, outlook)
    const { summary, follows } = outlook
    return { ...shown, summary, follows, seen: markOf(outlook) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { ...shown, problem: error.message }
  }
}

/** How many wait for the actor, as far as is counted. */
export async function countAgentProposals({ db, actor, now }: Context): Promise<number> {
  if (!may(actor, 'agents.decide')) return 0
  return (await countProposals(db, { ...proposalScopeOf(actor), now })).waiting
}
