import type { QueryClient } from '@tanstack/react-query'
import { ApiError, actAs, auth } from '../api/client.ts'
import { invitationsQuery } from './pending-invitations.tsx'
import { sessionQuery } from './session.tsx'

/** What is answered where the company requires a second factor, and the session is without. */
export const secondFactorCode = 'second_factor_required'

/** What is answered where the company that the session was in has let the person go, and others have not. */
export const companyEndedCode = 'company_ended'

/** After signing in: nothing of who was here before stays, and who may not come in is out again. */
export async function enter(client: QueryClient): Promise<void> {
  client.clear()
  actAs(null)
  try {
    await client.fetchQuery(sessionQuery)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error
    // The next page says what is needed.
    if (error.code === secondFactorCode || error.code === companyEndedCode) return
    // Who works for nobody may be about to: the page in place of the console shows who invites them.
    const { invitations } = await client.fetchQuery(invitationsQuery).catch(() => ({ invitations: [] }))
    if (invitations.length > 0) return
    await auth('/sign-out', {})
    throw error
  }
}
