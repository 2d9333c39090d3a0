import type { FastifyInstance } from 'fastify'
import { errorBody } from '../http/errors.ts'
import { keyedInterface } from '../http/interface.ts'
import type { Parts } from '../parts.ts'
import { catalogueRoutes } from './catalogue.ts'
import { leadRoutes } from './leads.ts'
import { meRoute } from './me.ts'
import { companyOpenApi } from './openapi.ts'
import { projectRoutes } from './projects.ts'
import { answerSchemas } from './schemas.ts'

/** The company-key API, under /v1. */
export async function companyApi(app: FastifyInstance, parts: Parts): Promise<void> {
  await keyedInterface(app, parts, {
    name: 'company',
    description: companyOpenApi(parts),
    errorShape: (code, message) => errorBody(code, message, parts.addresses.baseUrl),
    schemas: answerSchemas,
    routes(guarded) {
      meRoute(guarded)
      leadRoutes(guarded, parts)
      projectRoutes(guarded, parts)
      catalogueRoutes(guarded, parts)
    },
  })
}
