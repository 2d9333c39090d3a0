import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { type Role, roles } from '../../domain/members/member.ts'
import { inviteAgain } from '../../domain/people/invite-again.ts'
import { inviteMember } from '../../domain/people/invite-member.ts'
import { listPeople } from '../../domain/people/list-people.ts'
import { oneOf } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import type { Parts } from '../parts.ts'
import { contextOf } from './sessions.ts'

export interface PersonShown {
  id: string
  name: string
  email: string
  role: Role
  active: boolean
  /** Has chosen a password, so can sign in. */
  joined: boolean
}

export interface PeopleShown {
  people: PersonShown[]
  /** The email after which the next page begins; null on the last one. */
  next: string | null
}

const email = Type.String({ format: 'email', maxLength: 254 })
const pageSize = 100

const PeopleQuery = Type.Object(
  {
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
  },
  { additionalProperties: false },
)

/** The company's people, for those who let others in. */
export function peopleRoutes(app: FastifyInstance, parts: Parts): void {
  app.get<{ Querystring: Static<typeof PeopleQuery> }>(
    '/people',
    { schema: { querystring: PeopleQuery } },
    async (request, reply) => {
      const { after = '', limit = pageSize } = request.query
      const found = await listPeople(contextOf(parts, request), after, limit + 1)
      const people = found.slice(0, limit)
      const shown: PeopleShown = {
        people: people.map(({ id, name, email, role, active, joined }) => ({
          id,
          name,
          email,
          role,
          active,
          joined,
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
        parts.addresses.baseUrl,
        request.body as Static<typeof InvitationBody> & { role: Role },
      )
      return sendJson(reply.code(201), JSON.stringify({ id }))
    },
  )

  app.post<{ Params: { id: string } }>('/people/:id/invitation', async (request, reply) => {
    await inviteAgain(contextOf(parts, request), parts.addresses.baseUrl, request.params.id)
    return sendJson(reply, '{}')
  })
}
