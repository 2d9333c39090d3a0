import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { ErrorAnswer } from '../http/error-schema.ts'
import { errorBody } from '../http/errors.ts'
import { keyedInterface } from '../http/interface.ts'
import { alertRoutes, alertSchemas } from './alerts.ts'
import { billingRoutes } from './billing.ts'
import { billingSchemas } from './billing-schemas.ts'
import { energyRoutes, energySchemas } from './energy.ts'
import { inFieldNames } from './field-names.ts'
import { installationRoutes, installationSchemas } from './installations.ts'
import { catalogOpenApi } from './openapi.ts'
import { panelRoutes, panelSchemas } from './panels.ts'
import { quarantineRoutes, quarantineSchemas } from './quarantine.ts'
import { webhookSchemas } from './webhook-schemas.ts'
import { webhookRoutes } from './webhooks.ts'

/** The catalogue API, under /catalog/v1. */
export async function catalogApi(app: FastifyInstance, deps: Deps): Promise<void> {
  await keyedInterface(app, deps, {
    name: 'catalog',
    description: catalogOpenApi(deps),
    errorShape: (code, message) => errorBody(code, inFieldNames(message), deps.addresses.baseUrl),
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
      panelRoutes(guarded, deps)
      installationRoutes(guarded, deps)
      energyRoutes(guarded, deps)
      quarantineRoutes(guarded, deps)
      alertRoutes(guarded, deps)
      billingRoutes(guarded, deps)
      webhookRoutes(guarded, deps)
    },
  })
}
