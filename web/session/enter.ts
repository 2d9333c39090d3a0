import type { QueryClient } from '@tanstack/react-query'
import { ApiError, auth } from '../api/client.ts'
import { sessionQuery } from './session.tsx'

/** After signing in: nothing of who was here before stays, and who may not come in is out again. */
export async function enter(client: QueryClient): Promise<void> {
  client.clear()
  try {
    await client.fetchQuery(sessionQuery)
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) await auth('/sign-out', {})
    throw error
  }
}
