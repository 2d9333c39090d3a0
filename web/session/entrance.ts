import { queryOptions } from '@tanstack/react-query'
import type { EntranceResponse } from '../../src/api/console/set-up.ts'
import { api } from '../api/client.ts'

/** What the pages before signing in need to know. */
export const entranceQuery = queryOptions({
  queryKey: ['entrance'],
  staleTime: 60_000,
  queryFn: () => api.get<EntranceResponse>('/entrance', { quiet: true }),
})
