import type { FastifyInstance } from 'fastify'
import { keyedInterface } from '../http/interface.ts'
import type { Parts } from '../parts.ts'
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
export async function legacyApi(app: FastifyInstance, parts: Parts): Promise<void> {
  await keyedInterface(app, parts, {
    name: 'legacy',
    description: legacyOpenApi(parts),
    errorShape: (code, message) => JSON.stringify({ success: false, message, code }),
    schemas: answerSchemas,
    routes(guarded) {
      projectRoutes(guarded, parts)
      stageRoutes(guarded, parts)
      fileRoutes(guarded, parts)
      activityRoutes(guarded, parts)
      leadRoutes(guarded, parts)
      listRoutes(guarded, parts)
      catalogueRoutes(guarded, parts)
    },
  })
}
