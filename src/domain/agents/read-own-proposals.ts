import type { Context, Interface } from '../kernel/context.ts'
import { DomainError } from '../kernel/domain-error.ts'
import { type AgentProposal, type ProposalState, type ProposedKind, stateOf } from './agent-proposal.ts'
import { listOwnProposals, type ProposalPosition } from './queries.ts'

export interface OwnProposal extends Omit<AgentProposal, 'state' | 'input'> {
  state: ProposalState
}

interface OwnProposalsAsked {
  list: 'all' | 'waiting' | 'decided'
  /** What the key was made for: it reads of no others, though a key of the same agent may have proposed them. */
  interfaces: readonly Interface[]
  before: ProposalPosition | null
  limit: number
}

const kindsOf: Record<Interface, ProposedKind[]> = {
  company: ['move', 'sale'],
  catalog: ['draftInvoice', 'finalizeInvoice'],
  legacy: [],
}

/** What an agent proposed and what became of it, the newest first: by its name, so that a key that was rolled still tells. */
export async function readOwnProposals(
  { db, actor, now }: Context,
  { list, interfaces, before, limit }: OwnProposalsAsked,
): Promise<OwnProposal[]> {
  const { kind, installerId, companyId, agent } = actor
  if (kind !== 'key' || !agent)
    throw new DomainError('forbidden', 'Only a key that was made for an agent has proposals of its own.')
  const found = await listOwnProposals(db, {
    ...{ installerId, companyId, agentName: agent.name, list, now, limit },
    ...{ beforeAt: before?.at, beforeId: before?.id },
    kinds: interfaces.flatMap((name) => kindsOf[name]),
  })
  return found.map((proposal) => {
    const { input: _input, ...shown } = proposal
    return { ...shown, state: stateOf(proposal, now) }
  })
}
