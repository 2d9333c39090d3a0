import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { IdParams } from './schema-words.ts'

/** What a request brings is typed by the schemas that it is checked against. */
export interface FromSchemas extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** Where routes are added whose requests are typed by their schemas. */
export type Routes = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  FromSchemas
>

/** Of one record, by its id. */
export const byId = { schema: { params: IdParams } }
