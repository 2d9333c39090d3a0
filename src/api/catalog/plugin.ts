import type { FastifyInstance } from 'fastify'
import { ErrorAnswer } from '../http/error-schema.ts'
import { errorBody } from '../http/errors.ts'
import { keyedInterface } from '../http/interface.ts'
import type { Parts } from '../parts.ts'
import { alertRoutes, alertSchemas } from './alerts.ts'
import { billingRoutes } from './billing.ts'
import { billingSchemas } from './billing-schemas.ts'
import { energyRoutes, energySchemas } from './energy.ts'
import { installationRoutes, installationSchemas } from './installations.ts'
import { catalogOpenApi } from './openapi.ts'
import { panelRoutes, panelSchemas } from './panels.ts'
import { quarantineRoutes, quarantineSchemas } from './quarantine.ts'
import { webhookSchemas } from './webhook-schemas.ts'
import { webhookRoutes } from './webhooks.ts'

/** The catalogue API, under /catalog/v1. */
export async function catalogApi(app: FastifyInstance, parts: Parts): Promise<void> {
  await keyedInterface(app, parts, {
    name: 'catalog',
    description: catalogOpenApi(parts),
    errorShape: (code, message) => errorBody(code, message, parts.addresses.baseUrl),
    schemas: [
      ...panelSchemas,
      ...installationSchemas,
      ...energySchemas,
      ...quarantineSchemas,
      ...alertSchemas,
      ...billingSchemas,
      ...webhookSchemas,
      ErrorAnswer,
    ],
    routes(guarded) {
      panelRoutes(guarded, parts)
      installationRoutes(guarded, parts)
      energyRoutes(guarded, parts)
      quarantineRoutes(guarded, parts)
      alertRoutes(guarded, parts)
      billingRoutes(guarded, parts)
      webhookRoutes(guarded, parts)
    },
  })
}
