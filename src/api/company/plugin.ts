import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { errorBody } from '../http/errors.ts'
import { keyedInterface } from '../http/interface.ts'
import { batchRoute } from './batch.ts'
import { catalogueRoutes } from './catalogue.ts'
import { eventRoutes } from './events.ts'
import { leadActivityRoute } from './lead-activity.ts'
import { leadListRoute } from './lead-list.ts'
import { leadSaleRoute } from './lead-sale.ts'
import { leadRoutes } from './leads.ts'
import { meRoute } from './me.ts'
import { memberRoute } from './members.ts'
import { companyOpenApi } from './openapi.ts'
import { projectChecklistRoute } from './project-checklist.ts'
import { projectFileRoutes } from './project-files.ts'
import { projectListRoute } from './project-list.ts'
import { projectRoutes } from './projects.ts'
import { answerSchemas } from './schemas.ts'
import { stageRoute } from './stages.ts'

/** The company-key API, under /v1. */
export async function companyApi(app: FastifyInstance, deps: Deps): Promise<void> {
  await keyedInterface(app, deps, {
    name: 'company',
    description: companyOpenApi(deps),
    errorShape: (code, message, fields) => errorBody(code, message, deps.addresses.baseUrl, fields),
    schemas: answerSchemas,
    routes(guarded) {
      meRoute(guarded)
      leadListRoute(guarded, deps)
      leadRoutes(guarded, deps)
      leadActivityRoute(guarded, deps)
      leadSaleRoute(guarded, deps)
      batchRoute(guarded, deps)
      projectListRoute(guarded, deps)
      projectRoutes(guarded, deps)
      projectChecklistRoute(guarded, deps)
      projectFileRoutes(guarded, deps)
      stageRoute(guarded, deps)
      memberRoute(guarded, deps)
      catalogueRoutes(guarded, deps)
      eventRoutes(guarded, deps)
    },
  })
}
