import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { errorBody } from '../http/errors.ts'
import { keyedInterface } from '../http/interface.ts'
import { catalogueRoutes } from './catalogue.ts'
import { leadRoutes } from './leads.ts'
import { meRoute } from './me.ts'
import { companyOpenApi } from './openapi.ts'
import { projectRoutes } from './projects.ts'
import { answerSchemas } from './schemas.ts'

/** The company-key API, under /v1. */
export async function companyApi(app: FastifyInstance, deps: Deps): Promise<void> {
  await keyedInterface(app, deps, {
    name: 'company',
    description: companyOpenApi(deps),
    errorShape: (code, message) => errorBody(code, message, deps.addresses.baseUrl),
    schemas: answerSchemas,
    routes(guarded) {
      meRoute(guarded)
      leadRoutes(guarded, deps)
      projectRoutes(guarded, deps)
      catalogueRoutes(guarded, deps)
    },
  })
}
