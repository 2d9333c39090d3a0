import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { milestoneKeys, productLines } from '../../domain/kernel/tenant/stage.ts'
import { readLadderStages } from '../../domain/tenants/ladders/read-ladder-stages.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { Answer, oneOf, orNull, text } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { NoQuery } from './request-schemas.ts'

export const stageExample = {
  id: 'stg_01m7egde1e01h969t2e9nkny',
  name: 'Permitting',
  productLine: 'solar',
  position: 4,
  milestone: null,
  allowedDays: 21,
}

export const Stage = Answer(
  {
    id: text('As in the `stage` of a project'),
    name: text('As the ladder shows it'),
    productLine: oneOf(productLines, { description: 'Whose ladder it is on' }),
    position: Type.Integer({ minimum: 1, description: 'Where on its ladder it stands, from 1' }),
    milestone: orNull(oneOf(milestoneKeys), 'The milestone that is set to the day of entry'),
    allowedDays: orNull(Type.Integer(), 'For how many days a project may stand in it before it is late'),
  },
  { $id: 'Stage', description: 'A step of the ladder that projects climb.', examples: [stageExample] },
)

export function stageRoute(app: FastifyInstance, deps: Deps): void {
  app.get(
    '/stages',
    {
      schema: {
        operationId: 'listStages',
        tags: ['Projects'],
        summary: 'List stages',
        description: 'The stages of both ladders of the installer, each ladder in its order.',
        querystring: NoQuery,
        response: answers({ 200: ['StageList', 'The stages'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const data = await readLadderStages(contextOf(deps, request))
      return sendJson(reply, JSON.stringify({ data }))
    },
  )
}
