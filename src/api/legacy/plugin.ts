import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { keyedInterface } from '../http/interface.ts'
import { activityRoutes } from './activities.ts'
import { catalogueRoutes } from './catalogue.ts'
import { fileRoutes } from './files.ts'
import { leadRoutes } from './leads.ts'
import { listRoutes } from './lists.ts'
import { legacyOpenApi } from './openapi.ts'
import { projectRoutes } from './projects.ts'
import { answerSchemas } from './schemas.ts'
import { stageRoutes } from './stages.ts'

/** The legacy workflow API, under /legacy: the same domain in the words of an older system. */
export async function legacyApi(app: FastifyInstance, deps: Deps): Promise<void> {
  await keyedInterface(app, deps, {
    name: 'legacy',
    description: legacyOpenApi(deps),
    errorShape: (code, message, fields) =>
      JSON.stringify({ success: false, message, code, ...(fields.length > 0 ? { fields } : {}) }),
    schemas: answerSchemas,
    routes(guarded) {
      projectRoutes(guarded, deps)
      stageRoutes(guarded, deps)
      fileRoutes(guarded, deps)
      activityRoutes(guarded, deps)
      leadRoutes(guarded, deps)
      listRoutes(guarded, deps)
      catalogueRoutes(guarded, deps)
    },
  })
}
