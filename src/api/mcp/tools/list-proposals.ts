import type { ProposalPosition } from '../../../domain/agents/queries.ts'
import { type OwnProposal, readOwnProposals } from '../../../domain/agents/read-own-proposals.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { readingTool } from '../tool.ts'
import { choice, Holds, next, paging, records } from '../words.ts'

const lists = ['waiting', 'decided'] as const

export const listProposals = readingTool({
  name: 'list_proposals',
  title: 'See what became of your proposals',
  description:
    'What this agent proposed, by this key or another of the same agent, the newest first: what still waits for a person, what was approved and came of it, and what was declined and why. Read before proposing the same again.',
  of: null,
  agentsOnly: true,
  input: Fields({
    state: optional(
      choice<(typeof lists)[number]>(
        lists,
        'Only what waits, or only what does not any more; all when absent',
      ),
    ),
    ...paging,
  }),
  output: Holds({
    proposals: records(
      'id, kind (move, sale, draftInvoice, finalizeInvoice), state (waiting, approved, declined, expired, revoked, erased), created_at, expires_at, decided_at, declined_because, result_id (what came of it), lead_id, project_id, installation_id, invoice_id; summary and reason under `untrusted`',
    ),
    next,
  }),
  async read({ deps, caller, ctx }, { state, limit = 10, cursor }) {
    const { actor } = ctx
    const list: 'all' | (typeof lists)[number] = state ?? 'all'
    const binding = ['mcp', 'proposals', actor.companyId, actor.agent?.name, caller.interfaces, list, limit]
    const before = cursor === undefined ? null : positionOf(deps.cursors.readId(cursor, binding))
    const { interfaces } = caller
    const found = await readOwnProposals(ctx, { list, interfaces, before, limit: limit + 1 })
    const page = found.slice(0, limit)
    return {
      proposals: page.map(shown),
      next: found.length > limit ? deps.cursors.writeId(placeOf(page.at(-1)!), binding) : null,
    }
  },
})

const radix = 36

const placeOf = ({ createdAt, id }: OwnProposal) => `${createdAt.getTime().toString(radix)}_${id}`

function positionOf(place: string): ProposalPosition {
  const end = place.indexOf('_')
  return { at: new Date(Number.parseInt(place.slice(0, end), radix)), id: place.slice(end + 1) }
}

function shown(proposal: OwnProposal): object {
  const { id, kind, state, summary, reason } = proposal
  return {
    ...{ id, kind, state },
    created_at: proposal.createdAt,
    expires_at: proposal.expiresAt,
    decided_at: proposal.decidedAt,
    declined_because: proposal.declinedBecause,
    result_id: proposal.resultId,
    lead_id: proposal.leadId,
    project_id: proposal.projectId,
    installation_id: proposal.installationId,
    invoice_id: proposal.invoiceId,
    untrusted: { summary, reason },
  }
}
