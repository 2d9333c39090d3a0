import type { Context } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Member } from '../../kernel/tenant/member.ts'
import { listMembers } from '../members/queries.ts'
import { listJoinStates } from './invitation-queries.ts'
import { requireManagedCompany } from './invite-member.ts'

/** How far somebody is on their way in. */
export type Joining = 'joined' | 'invited' | 'expired' | 'declined' | 'withdrawn' | 'none'

/** Whether more than a password guards an account; `lost` where it did, and the company has to agree that it does not. */
export type SecondFactorState = 'none' | 'set' | 'lost'

export type Colleague = Member & {
  joining: Joining
  invitedUntil: Date | null
  secondFactor: SecondFactorState
}

/** The people of a company that the actor lets people into, by email, those after `afterEmail`. */
export async function listPeople(
  ctx: Context,
  { company, afterEmail, limit }: { company?: string | undefined; afterEmail: string; limit: number },
): Promise<Colleague[]> {
  const { db, actor, now } = ctx
  authorize(actor, 'people.manage')
  const { id } = await requireManagedCompany(ctx, db, company)
  const members = await listMembers(db, {
    installerId: actor.installerId,
    companyId: id,
    afterEmail: emailKey(afterEmail),
    limit,
  })
  const ids = members.map((member) => member.id)
  const states = new Map(
    (await listJoinStates(db, { installerId: actor.installerId, memberIds: ids })).map((s) => [
      s.memberId,
      s,
    ]),
  )
  return members.map((member) => {
    const {
      joined = false,
      state = null,
      expiresAt = null,
      secondFactor = 'none',
    } = states.get(member.id) ?? {}
    const open = state === 'open' && expiresAt !== null
    const joining = joined ? 'joined' : open ? (expiresAt > now ? 'invited' : 'expired') : endedAs(state)
    return { ...member, joining, invitedUntil: joining === 'invited' ? expiresAt : null, secondFactor }
  })
}

/** One that was accepted by an account that is no more is like none. */
function endedAs(state: string | null): Joining {
  return state === 'declined' || state === 'withdrawn' ? state : 'none'
}
