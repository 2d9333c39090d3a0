import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { SessionShown } from '../../src/api/console/session.ts'
import { ApiError, actAs, api } from '../api/client.ts'

export type { SessionShown }

/** Who is here; null where nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ client, queryKey }) => {
    try {
      const session = await api.get<SessionShown>('/session', { quiet: true })
      actAs(session.memberId)
      return session
    } catch (error) {
      // Who was here stays on the page, with what they typed, until a call asks them to sign in again.
      const wasHere = client.getQueryData<SessionShown | null>(queryKey)
      if (error instanceof ApiError && error.status === 401 && !wasHere) return null
      throw error
    }
  },
})

/** For pages that only those who are signed in reach. */
export function useSession(): SessionShown {
  const { data } = useSuspenseQuery(sessionQuery)
  if (!data) throw new Error('nobody is signed in')
  return data
}

/** A member's name by id, for what shows who it belongs to. */
export function memberName({ members }: SessionShown, id: string | null | undefined): string | null {
  return members.find((member) => member.id === id)?.name ?? null
}
