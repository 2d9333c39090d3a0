import { createHash } from 'node:crypto'
import type { Role } from '../../kernel/tenant/member.ts'

/** For how many days an invitation can be accepted. */
export const invitationDays = 7
export const invitationMs = invitationDays * 86_400_000

export type InvitationState = 'open' | 'accepted' | 'declined' | 'withdrawn' | 'replaced'

/** What a company asks somebody to become, and whether it still does. */
export interface Invitation {
  installerId: string
  id: string
  companyId: string
  companyName: string
  companyKind: 'installer' | 'dealer'
  memberId: string
  name: string
  role: Role
  /** To whom it was written. */
  email: string
  byName: string
  expiresAt: Date
  /** Its link went out by mail and stood nowhere else: who comes back with it reads that address. */
  mailed: boolean
}

export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(`invitation:${token}`).digest()
}
