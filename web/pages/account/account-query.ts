import { queryOptions } from '@tanstack/react-query'
import type { AccountResponse } from '../../../src/api/console/account.ts'
import { api } from '../../api/client.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => api.get<AccountResponse>('/account', { signal }),
})
