import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { roles } from '../../domain/kernel/tenant/member.ts'
import { listColleagues } from '../../domain/tenants/members/list-colleagues.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { Answer, Fields, oneOf, optional, orNull, text } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { cursor, limit } from './request-schemas.ts'

export const memberExample = {
  id: 'memb_01m7egde1e01h969t2e9nkny',
  companyId: 'comp_01m7egde1e01h969t2e9nkny',
  name: 'Sam Ortiz',
  email: 'sam@example.com',
  phone: '+1 619 555 0110',
  role: 'rep',
  active: true,
}

export const Member = Answer(
  {
    id: text("The service's own id"),
    companyId: text('Whose member it is: the key’s company, or a dealer of it'),
    name: text('First and last name'),
    email: text('Email address'),
    phone: orNull(text(), 'As it was given'),
    role: oneOf(roles, { description: 'What they may do in the console' }),
    active: Type.Boolean({ description: 'False for who has left; records may still show them' }),
  },
  { $id: 'Member', description: 'Somebody who works for the company.', examples: [memberExample] },
)

const MemberQuery = Fields({
  limit,
  cursor,
  companyId: optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only the members of this company' }),
  ),
})
type MemberQuery = Static<typeof MemberQuery>

export function memberRoute(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: MemberQuery }>(
    '/members',
    {
      schema: {
        operationId: 'listMembers',
        tags: ['Members'],
        summary: 'List members',
        description: 'In the order in which they were added. An installer sees its dealers’ members too.',
        querystring: MemberQuery,
        response: answers({ 200: ['MemberPage', 'A page of members'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { limit = 50, cursor, companyId = null } = request.query
      const binding = ['members', request.caller!.actor.companyId, limit, companyId]
      const after = cursor === undefined ? '' : deps.cursors.readId(cursor, binding)
      const { members, next } = await listColleagues(contextOf(deps, request), { companyId, after, limit })
      return sendJson(
        reply,
        JSON.stringify({ data: members, next: next && deps.cursors.writeId(next, binding) }),
      )
    },
  )
}
