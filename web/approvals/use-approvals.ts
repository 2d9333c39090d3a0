import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type {
  AgentProposalCount,
  AgentProposalResponse,
  AgentProposalsResponse,
  ApprovedResponse,
} from '../../src/api/console/agent-proposals.ts'
import { api, query } from '../api/client.ts'
import { useSession } from '../session/session.tsx'

export type { AgentProposalResponse, ApprovedResponse }

/** Everything that is known of what agents propose: whatever is decided makes it stale. */
export const approvalsKey = ['approvals']

export type ApprovalList = 'waiting' | 'decided'

export const approvalsQuery = (list: ApprovalList) =>
  infiniteQueryOptions({
    queryKey: [...approvalsKey, list],
    queryFn: ({ pageParam, signal }) =>
      api.get<AgentProposalsResponse>(`/agent-proposals${query({ list, after: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

const countQuery = queryOptions({
  queryKey: [...approvalsKey, 'count'],
  queryFn: ({ signal }) => api.get<AgentProposalCount>('/agent-proposals/count', { signal }),
})

/** How many wait for this person. */
export function useWaitingApprovals(): number {
  const { can } = useSession()
  return useQuery({ ...countQuery, enabled: can.approve }).data?.waiting ?? 0
}
