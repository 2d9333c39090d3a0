import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'
import { keyAuthentication, requireInterface } from '../http/authenticate.ts'
import { answerError } from '../http/errors.ts'
import { acceptJson } from '../http/json-body.ts'
import { sendJson } from '../http/send-json.ts'
import { compileSchema } from '../http/validation.ts'
import type { Parts } from '../parts.ts'
import { catalogueRoutes } from './catalogue.ts'
import { leadRoutes } from './leads.ts'
import { meRoute } from './me.ts'
import { companyOpenApi } from './openapi.ts'
import { projectRoutes } from './projects.ts'
import { answerSchemas } from './schemas.ts'

/** The company-key API, under /v1. */
export async function companyApi(app: FastifyInstance, parts: Parts): Promise<void> {
  acceptJson(app)
  app.setValidatorCompiler(compileSchema)
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, parts.addresses.baseUrl))
  for (const schema of answerSchemas) app.addSchema(schema)

  await app.register(swagger, companyOpenApi(parts))
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    sendJson(reply, JSON.stringify(app.swagger())),
  )

  await app.register(async (guarded) => {
    guarded.decorateRequest('caller', null)
    guarded.addHook('onRequest', keyAuthentication(parts))
    // An unknown address is that before its body is read or its key's scopes are looked at.
    guarded.addHook('onRequest', (request, _reply, done) => done(request.is404 ? noSuchAddress() : undefined))
    guarded.addHook('preHandler', requireInterface('company'))
    guarded.setNotFoundHandler(() => {
      throw noSuchAddress()
    })
    meRoute(guarded)
    leadRoutes(guarded, parts)
    projectRoutes(guarded, parts)
    catalogueRoutes(guarded, parts)
  })
}

function noSuchAddress(): DomainError {
  return new DomainError('not_found', 'There is no such address. The addresses are listed in the reference.')
}
