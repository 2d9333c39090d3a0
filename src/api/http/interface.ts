import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { type Interface, shareOf } from '../../domain/kernel/context.ts'
import type { Deps } from '../deps.ts'
import { keyAuthentication, requireInterface } from './authenticate.ts'
import { reserveQuota } from './body-budget.ts'
import { answerError, type ErrorShape } from './errors.ts'
import { acceptJson } from './json-body.ts'
import { noSuchAddress } from './known-routes.ts'
import { makeMatching } from './matching.ts'
import { makeRepeatable } from './repeatable.ts'
import { sendKept } from './send-json.ts'
import { compileSchema } from './validation.ts'

export interface KeyedInterface {
  name: Interface
  description: FastifyDynamicSwaggerOptions
  errorShape: ErrorShape
  /** What its answers are described by. */
  schemas: readonly TSchema[]
  routes: (app: FastifyInstance) => void
}

/** What the interfaces that take a company key have in common: how one is built from its routes. */
export async function keyedInterface(
  app: FastifyInstance,
  deps: Deps,
  { name, description, errorShape, schemas, routes }: KeyedInterface,
): Promise<void> {
  acceptJson(app)
  app.setValidatorCompiler(compileSchema)
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, errorShape))
  for (const schema of schemas) app.addSchema(schema)

  await app.register(swagger, description)
  // Made once for the addresses that are ours: it takes milliseconds, is long, and is there for everybody.
  let kept: { addresses: Deps['addresses']; bytes: Buffer } | null = null
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    const { addresses } = deps
    if (kept?.addresses !== addresses) kept = { addresses, bytes: Buffer.from(JSON.stringify(app.swagger())) }
    return sendKept(reply, kept.bytes)
  })

  await app.register(async (guarded) => {
    guarded.decorateRequest('caller', null)
    guarded.addHook('onRequest', keyAuthentication(deps))
    // An unknown address is that before its body is read or its key's scopes are looked at.
    guarded.addHook('onRequest', (request, reply, done) =>
      done(request.is404 ? noSuchAddress(request, reply, where) : undefined),
    )
    reserveQuota(guarded, deps.bodies, (request) => shareOf(request.caller!.actor))
    guarded.addHook('preHandler', requireInterface(name))
    makeMatching(guarded, deps)
    makeRepeatable(guarded, deps, errorShape)
    guarded.setNotFoundHandler((request, reply) => {
      throw noSuchAddress(request, reply, where)
    })
    routes(guarded)
  })
}

const where = 'The addresses are listed in the reference.'
