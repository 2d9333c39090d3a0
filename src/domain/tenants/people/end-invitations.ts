import type { Db } from '../../../platform/db.ts'
import { eraseLinks } from '../../journal/mails/link-queries.ts'
import { endOfMember } from './invitation-queries.ts'

/** Ends a member's open invitation and erases its link; whether there was one. In a transaction of the tenant's. */
export async function endInvitations(
  tx: Db,
  now: Date,
  { installerId, memberId }: { installerId: string; memberId: string },
  state: 'withdrawn' | 'replaced',
): Promise<boolean> {
  const ended = await endOfMember(tx, { installerId, memberId, state, now })
  await eraseLinks(tx, ended)
  return ended.length > 0
}
