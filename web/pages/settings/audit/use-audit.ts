import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { AuditResponse, EntryResponse } from '../../../../src/api/console/audit.ts'
import { api, query } from '../../../api/client.ts'

export type { EntryResponse }

/** As they stand in the address bar; times as the person's own clock has them. */
export interface AuditFilters {
  record?: string
  who?: string
  kind?: string
  from?: string
  to?: string
}

/** What is no time is sent as it is: the server says what is wrong with it. */
function instantOf(local: string | undefined): string | undefined {
  const date = new Date(local ?? '')
  return Number.isNaN(date.getTime()) ? local : date.toISOString()
}

export const auditQuery = ({ record, who, kind, from, to }: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', record, who, kind, from, to],
    initialPageParam: null as string | null,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      api.get<AuditResponse>(
        `/audit${query({ record, actor: who, kind, from: instantOf(from), to: instantOf(to), after: pageParam })}`,
        { signal },
      ),
    getNextPageParam: ({ next }) => next,
  })
