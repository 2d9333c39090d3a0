import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { QuarantinedResponse, QuarantineResponse } from '../../../src/api/console/quarantine.ts'
import { api, query } from '../../api/client.ts'
import { monitoringKey } from './use-monitoring.ts'

export type { QuarantinedResponse }

export const quarantineQuery = (installation: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...monitoringKey, 'quarantine', installation],
    queryFn: ({ pageParam, signal }) =>
      api.get<QuarantineResponse>(`/quarantine${query({ installation, after: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** How many wait, at one installation or at all. */
export const quarantinedCountQuery = (installation?: string) =>
  queryOptions({
    queryKey: [...monitoringKey, 'quarantined', installation],
    queryFn: async ({ signal }) =>
      (await api.get<QuarantineResponse>(`/quarantine${query({ installation, limit: '1' })}`, { signal }))
        .total,
  })
