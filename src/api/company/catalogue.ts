import type { FastifyInstance } from 'fastify'
import { listAdders, listEquipment } from '../../domain/catalogue/queries.ts'
import { authorize } from '../../domain/kernel/policy.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { sendJson } from '../http/send-json.ts'
import { EquipmentQuery, NoQuery } from './request-schemas.ts'

const tags = ['Catalogue']

export function catalogueRoutes(app: FastifyInstance, deps: Deps): void {
  app.get(
    '/adders',
    {
      schema: {
        operationId: 'listAdders',
        tags,
        summary: 'List adders and HI products',
        description: 'The installer’s active ones, in the installer’s own order. Only the installer’s key.',
        querystring: NoQuery,
        response: answers({ 200: ['AdderList', 'The adders'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      authorize(actor, 'catalogue.read')
      return sendJson(reply, `{"data":[${await listAdders(deps.db, { installerId: actor.installerId })}]}`)
    },
  )

  app.get<{ Querystring: EquipmentQuery }>(
    '/equipment',
    {
      schema: {
        operationId: 'listEquipment',
        tags,
        summary: 'List panels, inverters and batteries',
        description: 'The installer’s active equipment. Only the installer’s key.',
        querystring: EquipmentQuery,
        response: answers({ 200: ['EquipmentList', 'The equipment'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { actor } = request.caller!
      authorize(actor, 'catalogue.read')
      const rows = await listEquipment(deps.db, {
        installerId: actor.installerId,
        kind: request.query.kind ?? null,
      })
      return sendJson(reply, `{"data":[${rows}]}`)
    },
  )
}
