import { type Static, Type } from 'typebox'
import { type Role, roles } from '../../domain/kernel/tenant/member.ts'
import { inviteAgain, inviteMember, withdrawInvitation } from '../../domain/tenants/people/invite-member.ts'
import { type Joining, listPeople, type SecondFactorState } from '../../domain/tenants/people/list-people.ts'
import { resetSecondFactor } from '../../domain/tenants/people/reset-second-factor.ts'
import {
  deactivatePerson,
  reactivatePerson,
  updatePerson,
} from '../../domain/tenants/people/update-person.ts'
import type { LinkWriting } from '../../domain/tenants/people/write-invitation.ts'
import { orderReassignment } from '../../domain/tenants/reassignments/order-reassignment.ts'
import { readWork } from '../../domain/tenants/reassignments/read-work.ts'
import type { Reassignment } from '../../domain/tenants/reassignments/reassignment.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { Fields, IdParams, limitTo, oneOf, optional, textOrNull } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { type LongJobResponse, longJobResponse } from './long-jobs.ts'
import { Seen } from './seen.ts'
import { contextOf } from './sessions.ts'

export interface PersonResponse {
  id: string
  name: string
  email: string
  phone: string | null
  role: Role
  active: boolean
  /** How far they are on their way in. */
  joining: Joining
  /** Until when the invitation can be accepted. */
  invitedUntil: string | null
  /** Whether more than a password guards the account; `lost` where it waits for somebody to reset it here. */
  secondFactor: SecondFactorState
}

export interface PeopleResponse {
  people: PersonResponse[]
  /** The email after which the next page begins; null on the last one. */
  next: string | null
}

/** What a person has in hand, and whether it is on its way to another. */
export interface WorkResponse {
  open: number
  reassignment: (LongJobResponse & { toMemberId: string }) | null
}

const email = Type.String({ format: 'email', maxLength: 254 })
const company = optional(Type.String({ minLength: 1, maxLength: 64 }))
const pageSize = 100

const PeopleQuery = Fields({
  company,
  after: optional(email),
  limit: limitTo(200),
})

const InvitationBody = Fields({
  email,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  role: oneOf(roles),
  company,
})

const memberId = Type.String({ minLength: 1, maxLength: 64 })

const PersonBody = Fields(
  {
    seen: optional(Seen),
    name: optional(Type.String({ minLength: 1, maxLength: 200 })),
    phone: optional(textOrNull({ maxLength: 50 })),
    role: optional(oneOf<Role>(roles)),
  },
  { minProperties: 1 },
)

/** To whom the open work goes; it stays where nobody is named. */
const DeactivationBody = Fields({ workTo: optional(memberId) })

const WorkBody = Fields({ to: memberId })

/** The people of a company, and for installers of their dealers: for those who let others in. */
export function peopleRoutes(app: Routes, deps: Deps): void {
  app.get('/people', { schema: { querystring: PeopleQuery } }, async (request, reply) => {
    const { company, after: afterEmail = '', limit = pageSize } = request.query
    const found = await listPeople(contextOf(deps, request), { company, afterEmail, limit: limit + 1 })
    const people = found.slice(0, limit)
    const response: PeopleResponse = {
      people: people.map(({ invitedUntil, companyId: _, ...person }) => ({
        ...person,
        invitedUntil: invitedUntil?.toISOString() ?? null,
      })),
      next: found.length > limit ? people.at(-1)!.email : null,
    }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post('/people/invitations', { schema: { body: InvitationBody } }, async (request, reply) => {
    const { id } = await inviteMember(
      contextOf(deps, request),
      linksOf(deps),
      request.body as Static<typeof InvitationBody> & { role: Role },
    )
    return sendJson(reply.code(201), JSON.stringify({ id }))
  })

  app.post('/people/:id/invitation', byId, async (request, reply) => {
    await inviteAgain(contextOf(deps, request), linksOf(deps), request.params.id)
    return sendJson(reply, '{}')
  })

  app.post('/people/:id/invitation/withdraw', byId, async (request, reply) => {
    await withdrawInvitation(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })

  app.patch('/people/:id', { schema: { params: IdParams, body: PersonBody } }, async (request, reply) => {
    const { seen, ...patch } = request.body
    await updatePerson(contextOf(deps, request), request.params.id, patch, seen)
    return sendJson(reply, '{}')
  })

  app.post(
    '/people/:id/deactivate',
    { schema: { params: IdParams, body: DeactivationBody } },
    async (request, reply) => {
      const { workTo = null } = request.body
      await deactivatePerson(contextOf(deps, request), request.params.id, workTo)
      return sendJson(reply, '{}')
    },
  )

  app.post('/people/:id/reactivate', byId, async (request, reply) => {
    await reactivatePerson(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })

  app.post('/people/:id/second-factor/reset', byId, async (request, reply) => {
    await resetSecondFactor(contextOf(deps, request), deps.addresses.baseUrl, request.params.id)
    return sendJson(reply, '{}')
  })

  app.get('/people/:id/work', byId, async (request, reply) => {
    const { open, reassignment } = await readWork(contextOf(deps, request), request.params.id)
    const response: WorkResponse = { open, reassignment: reassignment && reassignmentResponse(reassignment) }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post('/people/:id/work', { schema: { params: IdParams, body: WorkBody } }, async (request, reply) => {
    await orderReassignment(contextOf(deps, request), request.params.id, request.body.to)
    return sendJson(reply.code(201), '{}')
  })
}

function linksOf({ addresses, box }: Deps): LinkWriting {
  return { baseUrl: addresses.baseUrl, box }
}

function reassignmentResponse(job: Reassignment) {
  return { ...longJobResponse(job), toMemberId: job.input.toMemberId }
}
