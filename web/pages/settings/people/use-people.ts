import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { PeopleResponse, PersonResponse, WorkResponse } from '../../../../src/api/console/people.ts'
import { api, query } from '../../../api/client.ts'
import { common } from '../../../texts/en/common.ts'

export type { PersonResponse, WorkResponse }
export type Role = keyof typeof common.roles
export const roles = Object.keys(common.roles) as Role[]

const peopleKey = ['people']

export const peopleQuery = (company: string) =>
  infiniteQueryOptions({
    queryKey: [...peopleKey, company],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      api.get<PeopleResponse>(`/people${query({ company, after: pageParam })}`, { signal }),
    getNextPageParam: ({ next }) => next,
  })

const lookMs = 700

/** What a person has in hand; looked at again and again while it is on its way to another. */
export const workQuery = (id: string) =>
  queryOptions({
    queryKey: ['work', id],
    queryFn: ({ signal }) => api.get<WorkResponse>(`/people/${id}/work`, { signal }),
    refetchInterval: ({ state }) => (state.data?.reassignment?.state === 'running' ? lookMs : false),
  })

/** What shows people is asked for again. */
export function usePeopleChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return () => Promise.all([peopleKey, ['session']].map((queryKey) => client.invalidateQueries({ queryKey })))
}
