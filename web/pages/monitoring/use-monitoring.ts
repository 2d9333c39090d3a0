import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AlertResponse, AlertsResponse } from '../../../src/api/console/alert-responses.ts'
import type {
  Comparison,
  FleetEntry,
  FleetResponse,
  FleetSummaryResponse,
  InstallationResponse,
  Series,
} from '../../../src/api/console/monitoring.ts'
import { api, query } from '../../api/client.ts'
import type { Tone } from '../../ui/surface.tsx'

export type { AlertResponse, Comparison, FleetEntry, InstallationResponse, Series }

export interface FleetFilters {
  region?: string
  kind?: string
  search?: string
  sort?: string
}

/** Everything that is known about installations: whatever changes there makes it stale. */
export const monitoringKey = ['monitoring']

export const summaryQuery = queryOptions({
  queryKey: [...monitoringKey, 'summary'],
  queryFn: ({ signal }) => api.get<FleetSummaryResponse>('/monitoring/summary', { signal }),
})

export const fleetQuery = (filters: FleetFilters) =>
  infiniteQueryOptions({
    queryKey: [...monitoringKey, 'fleet', filters],
    queryFn: ({ pageParam, signal }) =>
      api.get<FleetResponse>(`/monitoring${query({ ...filters, after: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export const installationQuery = (id: string) =>
  queryOptions({
    queryKey: [...monitoringKey, id],
    queryFn: ({ signal }) => api.get<InstallationResponse>(`/monitoring/${id}`, { signal }),
  })

export interface SeriesAsked {
  by: string
  from: string
  to: string
  compare: string | undefined
}

export const seriesQuery = (id: string, asked: SeriesAsked) =>
  queryOptions({
    queryKey: [...monitoringKey, id, 'energy', asked],
    queryFn: ({ signal }) => api.get<Series>(`/monitoring/${id}/energy${query({ ...asked })}`, { signal }),
    placeholderData: keepPreviousData,
  })

export const panelsQuery = (id: string, { from, to }: Pick<SeriesAsked, 'from' | 'to'>) =>
  queryOptions({
    queryKey: [...monitoringKey, id, 'panels', from, to],
    queryFn: ({ signal }) =>
      api.get<Comparison>(`/monitoring/${id}/panels${query({ from, to })}`, { signal }),
    placeholderData: keepPreviousData,
  })

export const alertsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...monitoringKey, id, 'alerts'],
    queryFn: ({ pageParam, signal }) =>
      api.get<AlertsResponse>(`/monitoring/${id}/alerts${query({ after: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

export const severityTones: Record<AlertResponse['severity'], Tone> = {
  low: 'info',
  medium: 'warn',
  high: 'bad',
  critical: 'bad',
}
