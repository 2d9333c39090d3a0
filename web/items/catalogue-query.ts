import { queryOptions } from '@tanstack/react-query'
import type { CatalogueResponse } from '../../src/api/console/sales.ts'
import { api, query } from '../api/client.ts'
import type { Line } from './items-draft.ts'

/** What can be sold. */
export const catalogueQuery = (line: Line) =>
  queryOptions({
    queryKey: ['catalogue', line],
    staleTime: 60_000,
    queryFn: ({ signal }) => api.get<CatalogueResponse>(`/catalogue${query({ line })}`, { signal }),
  })
