import type { preValidationHookHandler } from 'fastify'

/** A call without a body is told which fields it needs, as one with an empty body is. */
export const absentIsEmpty: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {}
  done()
}
