import { createHash } from 'node:crypto'
import type { Db } from '../../platform/db.ts'
import { isId } from '../../platform/ids.ts'
import { withSavepoints } from '../../platform/within-transaction.ts'
import type { Undoable } from '../deals/projects/move-stage.ts'
import { recordEvents } from '../journal/events/record-events.ts'
import { type Actor, type Context, confinedTo } from '../kernel/context.ts'
import { DomainError, notFound } from '../kernel/domain-error.ts'
import { authorize, may } from '../kernel/policy.ts'
import { lockTenant, takeTimes } from '../kernel/tenant/clock-queries.ts'
import { type AgentProposal, type Outlook, type StoredState, stateOf } from './agent-proposal.ts'
import { actionOf, carryOut, foresee } from './kinds.ts'
import { eventOf, requireSound } from './propose.ts'
import { decideProposal, findProposal, type ProposalScope } from './queries.ts'

/** Who sees only their own records decides on the sales that are theirs to make. */
export function proposalScopeOf(actor: Actor): ProposalScope {
  return {
    installerId: actor.installerId,
    companyId: confinedTo(actor),
    memberId: may(actor, 'records.readAll') ? null : actor.id,
  }
}

/** Whether the actor may do what is proposed. What they do not see is not asked about. */
export function mayDecide(actor: Actor, { kind }: AgentProposal): boolean {
  return may(actor, actionOf(kind)) || kind === 'sale'
}

async function requireProposal(db: Db, { actor }: Context, id: string): Promise<AgentProposal> {
  authorize(actor, 'agents.decide')
  const found = isId(id, 'agp') ? await findProposal(db, { ...proposalScopeOf(actor), id }) : null
  if (!found) throw notFound('proposal')
  if (!mayDecide(actor, found)) authorize(actor, actionOf(found.kind))
  return found
}

/** It no longer fits what it was made for; nothing was done. */
class ProposalOutdated extends DomainError {
  constructor() {
    super(
      'invalid',
      'The record has changed since this was proposed, so it can no longer be approved. Decline it, and let the agent look again.',
    )
  }
}

/** What it would do now is what it was made for: an approver who sees more may be shown another record by the same name. */
export function requireSame(proposal: AgentProposal, { basis, about }: Outlook): void {
  const { leadId, projectId } = proposal
  if (basis !== proposal.basis || about.leadId !== leadId || about.projectId !== projectId)
    throw new ProposalOutdated()
}

/** Another one once a person would be shown something else: whoever proposed it may have changed the record since. */
export function markOf({ summary, follows }: Outlook): string {
  return createHash('sha256')
    .update(JSON.stringify([summary, follows]))
    .digest('hex')
}

export interface Approved extends AgentProposal {
  /** Null where it was approved before, or cannot be taken back. */
  undoable: Undoable | null
}

/**
 * Does what an agent proposed, as the person who approves it, by the use case that they would have used. Everything is one
 * transaction under the tenant's lock: of several who approve it the first does, and the others are answered what came of it.
 */
export async function approveAgentProposal(
  ctx: Context,
  id: string,
  /** The mark of what the person was shown; absent where they were shown nothing. */
  seen?: string,
): Promise<Approved> {
  let undoable: Undoable | null = null
  const approved = await decide(ctx, id, 'approved', async (tx, proposal) => {
    const { agentName, input, companyId } = proposal
    const { actor } = ctx
    const approver: Context = {
      ...ctx,
      db: withSavepoints(tx),
      actor: {
        ...actor,
        name: `${actor.name} (proposed by ${agentName})`,
        agent: { name: agentName, proposes: false },
      },
    }
    const outlook = await foresee(approver, input!, companyId)
    requireSame(proposal, outlook)
    if (seen !== undefined && seen !== markOf(outlook))
      throw new DomainError('invalid', 'This is no longer what you were shown. Look at it again.')
    const done = await carryOut(approver, input!, companyId)
    undoable = done.undoable ?? null
    return { resultId: done.resultId, because: null }
  })
  return { ...approved, undoable }
}

const maxBecause = 500

/** Says no, and why. */
export async function declineAgentProposal(
  ctx: Context,
  id: string,
  because: string,
): Promise<AgentProposal> {
  const why = because.trim()
  requireSound(why)
  if (why === '' || why.length > maxBecause)
    throw new DomainError('invalid', `reason must have 1 to ${maxBecause} characters.`)
  return decide(ctx, id, 'declined', async () => ({ resultId: null, because: why }))
}

type Decided = Pick<AgentProposal, 'resultId'> & { because: string | null }

async function decide(
  ctx: Context,
  id: string,
  to: 'approved' | 'declined',
  work: (tx: Db, proposal: AgentProposal) => Promise<Decided>,
): Promise<AgentProposal> {
  const { actor, now } = ctx
  if (actor.kind !== 'member')
    throw new DomainError('forbidden', 'Only a person may decide on what an agent proposes.')
  // Looked at first without the lock: what is refused holds nobody up.
  await requireProposal(ctx.db, ctx, id)
  return ctx.db.transaction(async (tx) => {
    const { installerId } = actor
    await lockTenant(tx, installerId)
    const proposal = await requireProposal(tx, ctx, id)
    if (proposal.state === to) return proposal
    requireOpen(proposal, to, now)
    const { resultId, because } = await work(tx, proposal)
    const at = await takeTimes(tx, installerId, now, 1)
    const decision = { state: to as StoredState, at, by: actor.id, byName: actor.name, because, resultId }
    if (!(await decideProposal(tx, { installerId, id: proposal.id, ...decision })))
      throw new Error('a proposal was decided on beside the tenant’s lock')
    await recordEvents(tx, actor, at, [eventOf(`agent_proposal.${to}`, proposal)])
    return (await findProposal(tx, { ...proposalScopeOf(actor), memberId: null, id: proposal.id }))!
  })
}

function requireOpen(proposal: AgentProposal, to: 'approved' | 'declined', now: Date): void {
  const state = stateOf(proposal, now)
  const { decidedByName } = proposal
  // What can no longer be approved may still be put aside.
  if (state === 'waiting' || (to === 'declined' && state === 'revoked')) return
  const why: Record<Exclude<typeof state, 'waiting'>, string> = {
    approved: `${decidedByName} approved this already.`,
    declined: `${decidedByName} declined this already.`,
    expired: 'This has waited for more than 14 days and has expired. Let the agent propose it again.',
    revoked: 'The key that proposed this was revoked, so it cannot be approved. Decline it.',
    erased: 'The customer was erased since this was proposed.',
  }
  throw new DomainError('invalid', why[state])
}
