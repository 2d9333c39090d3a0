import type { QueryClient } from '@tanstack/react-query'
import { ApiError, auth } from '../api/client.ts'
import { sessionQuery } from './session.tsx'

/** What is answered where the company requires a second factor, and the session is without. */
export const secondFactorCode = 'second_factor_required'

/** After signing in: nothing of who was here before stays, and who may not come in is out again. */
export async function enter(client: QueryClient): Promise<void> {
  client.clear()
  try {
    await client.fetchQuery(sessionQuery)
  } catch (error) {
    // The next page says what is needed.
    if (error instanceof ApiError && error.code === secondFactorCode) return
    if (error instanceof ApiError && error.status === 403) await auth('/sign-out', {})
    throw error
  }
}
