import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { RequestResponse, RequestsResponse } from '../../../../src/api/console/requests.ts'
import { api, query } from '../../../api/client.ts'
import type { Tone } from '../../../ui/surface.tsx'

export type { RequestResponse }

/** What the address bar says of the list. Times are those of the clock on the wall. */
export type RequestFilters = Partial<
  Record<'id' | 'key' | 'status' | 'method' | 'route' | 'from' | 'to', string>
>

const followMs = 3_000

export const requestsQuery = ({ from, to, ...filters }: RequestFilters) =>
  infiniteQueryOptions({
    queryKey: ['requests', filters, from ?? null, to ?? null],
    queryFn: ({ pageParam, signal }) =>
      api.get<RequestsResponse>(
        `/requests${query({ ...filters, from: instantOf(from), to: instantOf(to), after: pageParam })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // The newest page follows what happens; whoever has gone further back is left in peace.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? followMs : false),
  })

function instantOf(local: string | undefined): string | undefined {
  const date = new Date(local ?? '')
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

export function statusTone(status: number): Tone {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

const moments = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
})
export const formatMoment = (instant: string) => moments.format(new Date(instant))
