import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { type Role, roles } from '../../domain/kernel/tenant/member.ts'
import { changePerson } from '../../domain/tenants/people/change-person.ts'
import { deactivatePerson } from '../../domain/tenants/people/deactivate-person.ts'
import { inviteAgain } from '../../domain/tenants/people/invite-again.ts'
import { inviteMember } from '../../domain/tenants/people/invite-member.ts'
import { type Joining, listPeople, type SecondFactorState } from '../../domain/tenants/people/list-people.ts'
import { reactivatePerson } from '../../domain/tenants/people/reactivate-person.ts'
import { resetSecondFactor } from '../../domain/tenants/people/reset-second-factor.ts'
import { withdrawInvitation } from '../../domain/tenants/people/withdraw-invitation.ts'
import type { LinkWriting } from '../../domain/tenants/people/write-invitation.ts'
import { orderReassignment } from '../../domain/tenants/reassignments/order-reassignment.ts'
import { readWork } from '../../domain/tenants/reassignments/read-work.ts'
import type { Reassignment } from '../../domain/tenants/reassignments/reassignment.ts'
import { oneOf } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import type { Parts } from '../parts.ts'
import { Seen } from './seen.ts'
import { contextOf } from './sessions.ts'

export interface PersonShown {
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

export interface PeopleShown {
  people: PersonShown[]
  /** The email after which the next page begins; null on the last one. */
  next: string | null
}

/** What a person has in hand, and whether it is on its way to another. */
export interface WorkShown {
  open: number
  reassignment: {
    toMemberId: string
    state: 'running' | 'done' | 'failed'
    failure: string | null
    done: number
    total: number
  } | null
}

const email = Type.String({ format: 'email', maxLength: 254 })
const company = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }))
const pageSize = 100

const PeopleQuery = Type.Object(
  {
    company,
    after: Type.Optional(email),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  { additionalProperties: false },
)

const InvitationBody = Type.Object(
  {
    email,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    role: oneOf(roles),
    company,
  },
  { additionalProperties: false },
)

const PersonParams = Type.Object({ id: Type.String() })
const memberId = Type.String({ minLength: 1, maxLength: 64 })

const PersonBody = Type.Object(
  {
    seen: Type.Optional(Seen),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    phone: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 50 })),
    role: Type.Optional(Type.Unsafe<Role>({ type: 'string', enum: [...roles] })),
  },
  { additionalProperties: false, minProperties: 1 },
)
type PersonBody = Static<typeof PersonBody>

/** To whom the open work goes; it stays where nobody is named. */
const DeactivationBody = Type.Object({ workTo: Type.Optional(memberId) }, { additionalProperties: false })
type DeactivationBody = Static<typeof DeactivationBody>

const WorkBody = Type.Object({ to: memberId }, { additionalProperties: false })
type WorkBody = Static<typeof WorkBody>

type ById = { Params: { id: string } }
const byId = { schema: { params: PersonParams } }

/** The people of a company, and for installers of their dealers: for those who let others in. */
export function peopleRoutes(app: FastifyInstance, parts: Parts): void {
  app.get<{ Querystring: Static<typeof PeopleQuery> }>(
    '/people',
    { schema: { querystring: PeopleQuery } },
    async (request, reply) => {
      const { company, after: afterEmail = '', limit = pageSize } = request.query
      const found = await listPeople(contextOf(parts, request), { company, afterEmail, limit: limit + 1 })
      const people = found.slice(0, limit)
      const shown: PeopleShown = {
        people: people.map(({ invitedUntil, companyId: _, ...person }) => ({
          ...person,
          invitedUntil: invitedUntil?.toISOString() ?? null,
        })),
        next: found.length > limit ? people.at(-1)!.email : null,
      }
      return sendJson(reply, JSON.stringify(shown))
    },
  )

  app.post<{ Body: Static<typeof InvitationBody> }>(
    '/people/invitations',
    { schema: { body: InvitationBody } },
    async (request, reply) => {
      const { id } = await inviteMember(
        contextOf(parts, request),
        linksOf(parts),
        request.body as Static<typeof InvitationBody> & { role: Role },
      )
      return sendJson(reply.code(201), JSON.stringify({ id }))
    },
  )

  app.post<{ Params: { id: string } }>('/people/:id/invitation', async (request, reply) => {
    await inviteAgain(contextOf(parts, request), linksOf(parts), request.params.id)
    return sendJson(reply, '{}')
  })

  app.post<ById>('/people/:id/invitation/withdraw', byId, async (request, reply) => {
    await withdrawInvitation(contextOf(parts, request), request.params.id)
    return sendJson(reply, '{}')
  })

  app.patch<ById & { Body: PersonBody }>(
    '/people/:id',
    { schema: { params: PersonParams, body: PersonBody } },
    async (request, reply) => {
      const { seen, ...patch } = request.body
      await changePerson(contextOf(parts, request), request.params.id, patch, seen)
      return sendJson(reply, '{}')
    },
  )

  app.post<ById & { Body: DeactivationBody }>(
    '/people/:id/deactivate',
    { schema: { params: PersonParams, body: DeactivationBody } },
    async (request, reply) => {
      const { workTo = null } = request.body
      await deactivatePerson(contextOf(parts, request), request.params.id, workTo)
      return sendJson(reply, '{}')
    },
  )

  app.post<ById>('/people/:id/reactivate', byId, async (request, reply) => {
    await reactivatePerson(contextOf(parts, request), request.params.id)
    return sendJson(reply, '{}')
  })

  app.post<ById>('/people/:id/second-factor/reset', byId, async (request, reply) => {
    await resetSecondFactor(contextOf(parts, request), parts.addresses.baseUrl, request.params.id)
    return sendJson(reply, '{}')
  })

  app.get<ById>('/people/:id/work', byId, async (request, reply) => {
    const { open, reassignment } = await readWork(contextOf(parts, request), request.params.id)
    const shown: WorkShown = { open, reassignment: reassignment && reassignmentShown(reassignment) }
    return sendJson(reply, JSON.stringify(shown))
  })

  app.post<ById & { Body: WorkBody }>(
    '/people/:id/work',
    { schema: { params: PersonParams, body: WorkBody } },
    async (request, reply) => {
      await orderReassignment(contextOf(parts, request), request.params.id, request.body.to)
      return sendJson(reply.code(201), '{}')
    },
  )
}

function linksOf({ addresses, box }: Parts): LinkWriting {
  return { baseUrl: addresses.baseUrl, box }
}

function reassignmentShown({ toMemberId, state, failure, done, total }: Reassignment) {
  return { toMemberId, state, failure, done, total }
}
