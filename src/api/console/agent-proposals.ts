import Type from 'typebox'
import { approveAgentProposal, declineAgentProposal } from '../../domain/agents/decide.ts'
import {
  countAgentProposals,
  readAgentProposals,
  type ShownProposal,
  showProposal,
} from '../../domain/agents/read-proposals.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, IdParams, limitTo, nextPage, oneOf, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

export interface AgentProposalResponse
  extends Pick<
    ShownProposal,
    | 'id'
    | 'agentName'
    | 'kind'
    | 'state'
    | 'summary'
    | 'reason'
    | 'follows'
    | 'problem'
    | 'mayDecide'
    | 'seen'
    | 'leadId'
    | 'projectId'
    | 'installationId'
    | 'invoiceId'
    | 'decidedByName'
    | 'declinedBecause'
    | 'resultId'
  > {
  createdAt: string
  expiresAt: string
  decidedAt: string | null
}

export interface ApprovedResponse extends AgentProposalResponse {
  /** As of a move that somebody makes by hand. */
  undo: { moveId: string; until: string } | null
}

export interface AgentProposalsResponse {
  proposals: AgentProposalResponse[]
  next: string | null
}

/** One more than 99 stands for any number above it. */
export interface AgentProposalCount {
  waiting: number
}

const lists = ['waiting', 'decided'] as const

const ProposalsQuery = Fields({
  list: optional(oneOf<(typeof lists)[number]>(lists)),
  after: nextPage('^\\d{1,13}-agp_[0-9a-z]{10,40}$'),
  limit: limitTo(20),
})

const ApproveBody = Fields({ seen: optional(Type.String({ pattern: '^[0-9a-f]{64}$' })) })
const DeclineBody = Fields({ reason: Type.String({ minLength: 1, maxLength: 500 }) })

const pageSize = 10

/** What agents propose, and people decide. */
export function agentProposalRoutes(app: Routes, deps: Deps): void {
  app.get('/agent-proposals', { schema: { querystring: ProposalsQuery } }, async (request, reply) => {
    const { list = 'waiting', after, limit = pageSize } = request.query
    const found = await readAgentProposals(contextOf(deps, request), {
      list,
      before: after ? positionOf(after) : null,
      limit: limit + 1,
    })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const response: AgentProposalsResponse = {
      proposals: page.map(proposalResponse),
      next:
        found.length > limit
          ? `${(list === 'waiting' ? last!.createdAt : last!.decidedAt!).getTime()}-${last!.id}`
          : null,
    }
    return sendJson(reply, JSON.stringify(response))
  })

  app.get('/agent-proposals/count', async (request, reply) => {
    const response: AgentProposalCount = { waiting: await countAgentProposals(contextOf(deps, request)) }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post(
    '/agent-proposals/:id/approve',
    { schema: { params: IdParams, body: ApproveBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const { undoable, ...done } = await approveAgentProposal(ctx, request.params.id, request.body.seen)
      const response: ApprovedResponse = {
        ...proposalResponse(await showProposal(ctx, done)),
        undo: undoable && { moveId: undoable.id, until: undoable.undoUntil.toISOString() },
      }
      return sendJson(reply, JSON.stringify(response))
    },
  )

  app.post(
    '/agent-proposals/:id/decline',
    { schema: { params: IdParams, body: DeclineBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const done = await declineAgentProposal(ctx, request.params.id, request.body.reason)
      return sendJson(reply, JSON.stringify(proposalResponse(await showProposal(ctx, done))))
    },
  )
}

function positionOf(after: string) {
  const [ms = '', id = ''] = after.split('-')
  return { at: new Date(Number(ms)), id }
}

function proposalResponse(shown: ShownProposal): AgentProposalResponse {
  const { id, agentName, kind, state, summary, reason, follows, problem, mayDecide, seen } = shown
  const { leadId, projectId, installationId, invoiceId, decidedByName, declinedBecause, resultId } = shown
  return {
    ...{ id, agentName, kind, state, summary, reason, follows, problem, mayDecide, seen },
    ...{ leadId, projectId, installationId, invoiceId, decidedByName, declinedBecause, resultId },
    createdAt: shown.createdAt.toISOString(),
    expiresAt: shown.expiresAt.toISOString(),
    decidedAt: shown.decidedAt?.toISOString() ?? null,
  }
}
