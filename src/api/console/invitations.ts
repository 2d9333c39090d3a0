import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { originOf } from '../../domain/journal/audit/security-event.ts'
import { DomainError, notFound } from '../../domain/kernel/domain-error.ts'
import type { Role } from '../../domain/kernel/tenant/member.ts'
import {
  type Answering,
  acceptByLink,
  acceptPending,
  acceptWithPassword,
  declineByLink,
  declinePending,
  listInvitations,
  readInvitation,
} from '../../domain/tenants/people/accept-invitation.ts'
import type { Invitation } from '../../domain/tenants/people/invitation.ts'
import { findAccount, listMemberships } from '../../domain/tenants/people/queries.ts'
import { requireSecondFactor } from '../../domain/tenants/people/second-factor.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import { acceptJson } from '../http/json-body.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { Fields, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { rememberDevice } from './device-cookie.ts'
import { byLink, guessing } from './guessing.ts'
import type { Sessions } from './sessions.ts'

export interface InvitationResponse {
  id: string
  company: string
  role: Role
  /** Who invites. */
  from: string
  expiresAt: string
}

/** What a link invites to, and how it can be accepted. */
export interface InvitationLinkResponse extends InvitationResponse {
  name: string
  email: string
  /** `make`: there is no account of this address yet. `signIn`: there is, and somebody must sign in as it. */
  next: 'make' | 'signIn' | 'accept'
  /** As whom somebody is signed in here. */
  signedInAs: string | null
}

export interface AcceptedResponse {
  memberId: string
  company: string
}

export interface InvitationsResponse {
  invitations: InvitationResponse[]
}

const token = Type.String({ minLength: 1, maxLength: 200 })
const LinkBody = Fields({ token })
const AcceptBody = Fields({ token, password: optional(Type.String({ maxLength: 1000 })) })

const bodyLimit = 4096

/** A company's own link: opened by whom it was written to, who may have no account yet. */
export function invitationLinkRoutes(app: Routes, deps: Deps, sessions: Sessions): void {
  const { db } = deps
  // A password is what was typed, with the spaces around it.
  acceptJson(app, { asTyped: ['password'] })

  app.post('/invitation-link', { schema: { body: LinkBody }, bodyLimit }, async (request, reply) => {
    const invitation = await guessing(deps, request, byLink, async () => {
      const found = await readInvitation(db, currentTime(), request.body.token)
      if (!found) throw notFound('invitation')
      return found
    })
    const account = await findAccount(db, { email: invitation.email })
    const signedIn = await sessions.signedIn(request, reply)
    const own = signedIn !== null && signedIn.userId === account?.id
    const { name, email } = invitation
    const response: InvitationLinkResponse = {
      ...invitationResponse(invitation),
      name,
      email,
      next: own ? 'accept' : account?.used ? 'signIn' : 'make',
      signedInAs: signedIn?.email ?? null,
    }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post('/invitation-link/accept', { schema: { body: AcceptBody }, bodyLimit }, async (request, reply) => {
    const { token, password } = request.body
    const from = answering(db, request)
    if (password !== undefined) {
      const invitation = await guessing(deps, request, byLink, () =>
        acceptWithPassword(from, token, password),
      )
      // Where the account was made, it is no new device.
      const { id } = (await findAccount(db, { email: invitation.email }))!
      await rememberDevice(deps, request, reply, id)
      return sendJson(reply, accepted(invitation))
    }
    const signedIn = await sessions.signedIn(request, reply)
    if (!signedIn)
      throw new DomainError('unauthorized', 'You are not signed in. Sign in, or send a password.')
    await requireSecondFactor(db, signedIn, await listMemberships(db, { userId: signedIn.userId }))
    const invitation = await guessing(deps, request, byLink, () => acceptByLink(from, token, signedIn))
    return sendJson(reply, accepted(invitation))
  })

  app.post('/invitation-link/decline', { schema: { body: LinkBody }, bodyLimit }, async (request, reply) => {
    await guessing(deps, request, byLink, () => declineByLink(answering(db, request), request.body.token))
    return sendJson(reply, '{}')
  })
}

/** What the address of whoever is signed in is invited to, where it was proven by mail. */
export function invitationRoutes(app: Routes, { db }: Deps): void {
  app.get('/invitations', async (request, reply) => {
    const invitations = await listInvitations(db, currentTime(), request.signedIn!)
    const response: InvitationsResponse = { invitations: invitations.map(invitationResponse) }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post('/invitations/:id/accept', byId, async (request, reply) => {
    return sendJson(
      reply,
      accepted(await acceptPending(answering(db, request), request.params.id, request.signedIn!)),
    )
  })

  app.post('/invitations/:id/decline', byId, async (request, reply) => {
    await declinePending(answering(db, request), request.params.id, request.signedIn!)
    return sendJson(reply, '{}')
  })
}

function answering(db: Deps['db'], request: FastifyRequest): Answering {
  return { db, now: currentTime(), origin: originOf(clientAddress(request), request.headers['user-agent']) }
}

function invitationResponse({ id, companyName, role, byName, expiresAt }: Invitation): InvitationResponse {
  return { id, company: companyName, role, from: byName, expiresAt: expiresAt.toISOString() }
}

function accepted({ memberId, companyName }: Invitation): string {
  const response: AcceptedResponse = { memberId, company: companyName }
  return JSON.stringify(response)
}
