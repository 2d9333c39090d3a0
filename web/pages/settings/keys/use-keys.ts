import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { KeyRead, KeyResponse, KeysResponse } from '../../../../src/api/console/keys.ts'
import { api, query } from '../../../api/client.ts'
import { keys as texts } from '../../../texts/en/keys.ts'
import type { Tone } from '../../../ui/surface.tsx'

export type { KeyRead, KeyResponse }

/** Everything that is known about keys: whatever changes one makes it stale. */
export const keysKey = ['keys']

export const keysQuery = (company: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...keysKey, 'list', company ?? null],
    queryFn: ({ pageParam, signal }) =>
      api.get<KeysResponse>(`/keys${query({ company, after: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: [...keysKey, id],
    queryFn: ({ signal }) => api.get<KeyRead>(`/keys/${id}`, { signal }),
  })

export const stateTones: Record<KeyResponse['state'], Tone> = {
  active: 'good',
  grace: 'warn',
  expired: 'plain',
  revoked: 'bad',
}

const allInterfaces = Object.keys(texts.interfaces).length

export function interfacesOf({ interfaces }: KeyResponse): string {
  if (interfaces.length === allInterfaces) return texts.everyInterface
  return interfaces.map((name) => texts.interfaces[name]).join(', ')
}

export const accessOf = ({ access, proposes }: KeyResponse): string =>
  proposes ? texts.proposes : texts.accesses[access]
