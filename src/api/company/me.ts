import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { accesses, interfaces } from '../../domain/tenants/keys/key.ts'
import { answers } from '../http/answers.ts'
import { Answer, oneOf, orNull, text, timestamp } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { NoQuery } from './request-schemas.ts'

const companyKinds = ['installer', 'dealer'] as const

export const KeyInfo = Answer(
  {
    key: Answer(
      {
        id: text('The key’s id'),
        name: text('What its company calls it'),
        prefix: text('psk_ and the first 8 digits'),
        scopes: Answer(
          {
            access: oneOf(accesses, { description: '`read`: it changes nothing' }),
            interfaces: Type.Array(oneOf(interfaces), { description: 'Which interfaces it may call' }),
            proposes: Type.Boolean({
              description:
                'Whether it only proposes to move stages, sell and bill, through `/mcp`: a person then decides. Elsewhere these calls answer 403',
            }),
          },
          { description: 'What the key was made for' },
        ),
        agent: orNull(text(), 'The agent that it was made for, as activity names it; null: none'),
        expiresAt: orNull(timestamp(), 'When it ends by itself; null: never'),
      },
      { description: 'The key itself' },
    ),
    company: Answer(
      {
        id: text("The service's own id"),
        name: text('What it is called'),
        kind: oneOf(companyKinds, { description: 'A dealer sells for its installer' }),
        orgId: Type.Integer({ description: 'The company’s number, which the legacy API calls `org_id`' }),
        timezone: text('Where its days begin and end, as IANA names it'),
      },
      { description: 'Whose key it is' },
    ),
  },
  {
    $id: 'KeyInfo',
    description: 'A key and whose it is.',
    examples: [
      {
        key: {
          id: 'key_01m7egde1e01h969t2e9nkny',
          name: 'CRM sync',
          prefix: 'psk_1a2b3c4d',
          scopes: { access: 'full', interfaces: ['company'], proposes: false },
          agent: null,
          expiresAt: null,
        },
        company: {
          id: 'comp_01m7egde1e01h969t2e9nkny',
          name: 'Solar Co',
          kind: 'installer',
          orgId: 1001,
          timezone: 'America/Los_Angeles',
        },
      },
    ],
  },
)

export function meRoute(app: FastifyInstance): void {
  app.get(
    '/me',
    {
      schema: {
        operationId: 'readMe',
        tags: ['Key'],
        summary: 'Prove that a key works',
        querystring: NoQuery,
        response: answers({ 200: ['KeyInfo', 'The key and its company'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const caller = request.caller!
      const { actor, expiresAt, timezone } = caller
      const access = actor.canWrite ? 'full' : 'read'
      return sendJson(
        reply,
        JSON.stringify({
          key: {
            id: actor.id,
            name: caller.keyName,
            prefix: caller.keyPrefix,
            scopes: { access, interfaces: caller.interfaces, proposes: caller.agent?.proposes ?? false },
            agent: caller.agent?.name ?? null,
            expiresAt,
          },
          company: {
            id: actor.companyId,
            name: caller.companyName,
            kind: actor.companyKind,
            orgId: caller.companyNumber,
            timezone,
          },
        }),
      )
    },
  )
}
