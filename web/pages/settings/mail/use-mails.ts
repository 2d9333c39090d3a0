import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  MailResponse,
  MailRow,
  OutboxResponse,
  SamplesResponse,
} from '../../../../src/api/console/mails.ts'
import { api, query } from '../../../api/client.ts'
import type { Tone } from '../../../ui/surface.tsx'

export type { MailResponse, MailRow, SamplesResponse }

export const mailsKey = ['mails']

export interface MailFilters {
  state?: string
  to?: string
}

export const mailsQuery = ({ state, to }: MailFilters) =>
  infiniteQueryOptions({
    queryKey: [...mailsKey, 'list', state, to],
    initialPageParam: null as string | null,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      api.get<OutboxResponse>(`/mails${query({ state, to, after: pageParam })}`, { signal }),
    getNextPageParam: ({ next }) => next,
  })

export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: [...mailsKey, 'one', id],
    queryFn: ({ signal }) => api.get<MailResponse>(`/mails/${id}`, { signal }),
  })

export const samplesQuery = queryOptions({
  queryKey: [...mailsKey, 'samples'],
  queryFn: ({ signal }) => api.get<SamplesResponse>('/mails/samples', { signal }),
})

export const stateTones: Record<MailRow['state'], Tone> = {
  queued: 'info',
  sending: 'info',
  sent: 'good',
  failed: 'bad',
}
