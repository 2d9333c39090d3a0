import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { SessionResponse } from '../../src/api/console/session.ts'
import { ApiError, actAs, api } from '../api/client.ts'

export type { SessionResponse }

/** Who is here; null where nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ client, queryKey }) => {
    try {
      const session = await api.get<SessionResponse>('/session', { quiet: true })
      actAs(session.memberId)
      return session
    } catch (error) {
      // Who was here stays on the page, with what they typed, until a call asks them to sign in again.
      const wasHere = client.getQueryData<SessionResponse | null>(queryKey)
      if (error instanceof ApiError && error.status === 401 && !wasHere) return null
      throw error
    }
  },
})

/** For pages that only those who are signed in reach. */
export function useSession(): SessionResponse {
  const { data } = useSuspenseQuery(sessionQuery)
  if (!data) throw new Error('nobody is signed in')
  return data
}

/** A member's name by id, for what shows who it belongs to. */
export function memberName({ members }: SessionResponse, id: string | null | undefined): string | null {
  return members.find((member) => member.id === id)?.name ?? null
}
