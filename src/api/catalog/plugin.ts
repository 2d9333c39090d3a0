import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
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
import { eventSchemas } from './webhook-events.ts'
import { webhookSchemas } from './webhook-schemas.ts'
import { webhookRoutes } from './webhooks.ts'

/** The catalogue API, under /catalog/v1. Its webhooks also tell of leads and projects, which others describe. */
export async function catalogApi(
  app: FastifyInstance,
  deps: Deps,
  dealSchemas: readonly TSchema[],
): Promise<void> {
  await keyedInterface(app, deps, {
    name: 'catalog',
    description: catalogOpenApi(deps),
    errorShape: (code, message, fields) =>
      errorBody(
        code,
        inFieldNames(message),
        deps.addresses.baseUrl,
        fields.map(({ path, message }) => ({ path: inFieldNames(path), message: inFieldNames(message) })),
      ),
    schemas: [
      ...panelSchemas,
      ...installationSchemas,
      ...energySchemas,
      ...quarantineSchemas,
      ...alertSchemas,
      ...billingSchemas,
      ...webhookSchemas,
      ...dealSchemas,
      ...eventSchemas,
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
