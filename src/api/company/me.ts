import type { FastifyInstance } from 'fastify'
import { answers } from '../http/answers.ts'
import { sendJson } from '../http/send-json.ts'
import { NoQuery } from './request-schemas.ts'

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
      const { keyName, keyPrefix, companyName } = request.caller!
      return sendJson(
        reply,
        JSON.stringify({ key: { name: keyName, prefix: keyPrefix }, company: { name: companyName } }),
      )
    },
  )
}
