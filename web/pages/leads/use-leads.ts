import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { LeadList, LeadListed } from '../../../src/api/console/lead-responses.ts'
import { api, query } from '../../api/client.ts'
import { leads as texts } from '../../texts/en/leads.ts'
import type { Tone } from '../../ui/surface.tsx'

export type { LeadListed }

/** What the address bar says of the list. */
export type LeadFilters = Partial<
  Record<'search' | 'status' | 'line' | 'rep' | 'setter' | 'company' | 'source' | 'archived' | 'sort', string>
>

export const leadsQuery = (filters: LeadFilters) =>
  infiniteQueryOptions({
    queryKey: ['leads', filters],
    queryFn: ({ pageParam, signal }) =>
      api.get<LeadList>(`/leads${query({ ...filters, after: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
  })

export const leadName = ({ firstName, lastName }: Pick<LeadListed, 'firstName' | 'lastName'>) =>
  [firstName, lastName].filter(Boolean).join(' ') || texts.unnamed

export const statusTones: Record<LeadListed['status'], Tone> = {
  new: 'info',
  contacted: 'plain',
  nurture: 'plain',
  appointmentSet: 'warn',
  proposalSent: 'warn',
  sold: 'good',
  lost: 'bad',
  unqualified: 'plain',
}
