import type { Context } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { authorize } from '../../kernel/policy.ts'
import type { Member } from '../../kernel/tenant/member.ts'
import { listMembers } from '../members/queries.ts'
import { listJoinStates } from './invitation-queries.ts'
import { requireManagedCompany } from './invite-member.ts'
import { listWithSecondFactor } from './queries.ts'

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
  const found = await listJoinStates(db, { installerId: actor.installerId, memberIds: ids })
  const userIds = found.flatMap(({ userId }) => userId ?? [])
  const secured = new Set(await listWithSecondFactor(db, { userIds }))
  const states = new Map(found.map((one) => [one.memberId, one]))
  return members.map((member) => {
    const { userId = null, factorLost, state = null, expiresAt = null } = states.get(member.id) ?? {}
    const joined = userId !== null
    const secondFactor = factorLost ? 'lost' : joined && secured.has(userId) ? 'set' : 'none'
    const open = state === 'open' && expiresAt !== null
    const joining = joined ? 'joined' : open ? (expiresAt > now ? 'invited' : 'expired') : endedAs(state)
    return { ...member, joining, invitedUntil: joining === 'invited' ? expiresAt : null, secondFactor }
  })
}

/** One that was accepted by an account that is no more is like none. */
function endedAs(state: string | null): Joining {
  return state === 'declined' || state === 'withdrawn' ? state : 'none'
}
