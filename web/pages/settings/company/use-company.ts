import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { CompanyResponse, DealersResponse } from '../../../../src/api/console/company.ts'
import { api, query } from '../../../api/client.ts'

export type { CompanyResponse, DealersResponse }

const companyKey = ['company']
const dealersKey = ['dealers']

export const companyQuery = (id: string) =>
  queryOptions({
    queryKey: [...companyKey, id],
    queryFn: ({ signal }) => api.get<CompanyResponse>(`/companies/${id}`, { signal }),
  })

export const dealersQuery = infiniteQueryOptions({
  queryKey: dealersKey,
  initialPageParam: null as number | null,
  queryFn: ({ pageParam, signal }) =>
    api.get<DealersResponse>(`/dealers${query({ after: pageParam })}`, { signal }),
  getNextPageParam: ({ next }) => next,
})

/** What shows a company is asked for again. */
export function useCompanyChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [companyKey, dealersKey, ['session']].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
}
