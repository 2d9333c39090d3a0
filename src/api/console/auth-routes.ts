import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'
import { headersOf } from './request-headers.ts'
import type { Sessions } from './sessions.ts'

/** The attestation of a passkey is the longest, with a chain of certificates. */
const bodyLimitBytes = 16 * 1024

/** What the console's pages ask for. better-auth answers to more, and none of that is wanted here. */
const paths = new Set([
  'POST sign-in/email',
  'POST sign-out',
  'POST request-password-reset',
  'POST reset-password',
  'POST change-password',
  'POST two-factor/enable',
  'POST two-factor/disable',
  'POST two-factor/verify-totp',
  'POST two-factor/verify-backup-code',
  'POST two-factor/generate-backup-codes',
  'GET passkey/generate-register-options',
  'POST passkey/verify-registration',
  'GET passkey/generate-authenticate-options',
  'POST passkey/verify-authentication',
  'GET passkey/list-user-passkeys',
  'POST passkey/delete-passkey',
])

/** Hands requests about signing in to better-auth as they came. */
export function authRoutes(app: FastifyInstance, sessions: Sessions): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.route<{ Body: Buffer | undefined; Params: { '*': string } }>({
    method: ['GET', 'POST'],
    url: '/console/auth/*',
    bodyLimit: bodyLimitBytes,
    async handler(request, reply) {
      const { method, body } = request
      if (!paths.has(`${method} ${request.params['*']}`))
        throw new DomainError('not_found', 'There is no such address for signing in.')
      const url = URL.parse(request.url, `${request.protocol}://${request.headers.host}`)
      if (!url) throw new DomainError('invalid', 'The Host header is no host name. Send the one you called.')
      const asked = new Request(url, {
        method,
        headers: headersOf(request),
        ...(body?.length ? { body: new Uint8Array(body) } : {}),
      })
      const answer = await sessions.ask(
        (auth) => auth.handler(asked),
        ({ status }) => status >= 400,
      )
      reply.code(answer.status).header('cache-control', 'no-store')
      answer.headers.forEach((value, name) => {
        if (name !== 'set-cookie') reply.header(name, value)
      })
      for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
      return reply.send(Buffer.from(await answer.arrayBuffer()))
    },
  })
}
