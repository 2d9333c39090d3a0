import { isIP } from 'node:net'
import { Type } from 'typebox'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { setUp } from '../../domain/tenants/companies/set-up.ts'
import { isFresh } from '../../domain/tenants/companies/set-up-code.ts'
import { readPasswordLink } from '../../domain/tenants/people/password-link.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'
import { acceptJson } from '../http/json-body.ts'
import type { Routes } from '../http/routes.ts'
import { Fields } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { rememberDevice } from './device-cookie.ts'
import { byLink, guessing } from './guessing.ts'

/** What the pages before signing in need to know. */
export interface EntranceResponse {
  /** No company is here yet: the first one is to be made. */
  fresh: boolean
  /** The host name that passkeys are made for; null where it is an address that they cannot be made for. */
  passkeysAt: string | null
  /** Whether mail is sent from here; where not, it is only kept. */
  sendsMail: boolean
}

/** Whose password a link lets choose. */
export interface PasswordLinkResponse {
  name: string
  email: string
  expiresAt: string
}

const SetUpBody = Fields({
  code: Type.String({ maxLength: 100 }),
  company: Type.String({ minLength: 1, maxLength: 200 }),
  timezone: Type.String({ minLength: 1, maxLength: 100 }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  email: Type.String({ format: 'email', maxLength: 254 }),
  password: Type.String(),
})

const LinkBody = Fields({ token: Type.String({ minLength: 1, maxLength: 200 }) })

/** What is open to who is not signed in: the first run, and the links that come by mail. */
export function setUpRoutes(app: Routes, deps: Deps): void {
  // A password is what was typed, with the spaces around it.
  acceptJson(app, { asTyped: ['password'] })

  app.get('/entrance', async (_request, reply) => {
    const { hostname } = new URL(deps.addresses.baseUrl)
    const entrance: EntranceResponse = {
      fresh: await isFresh(deps.db),
      passkeysAt: isIP(hostname) || hostname.startsWith('[') ? null : hostname,
      sendsMail: deps.sendsMail,
    }
    return sendJson(reply, JSON.stringify(entrance))
  })

  app.post('/set-up', { schema: { body: SetUpBody } }, async (request, reply) => {
    const { userId } = await guessing(deps, request, { what: 'setUp', wrong: 'forbidden' }, () =>
      setUp(deps.db, deps.box, currentTime(), request.body),
    )
    await rememberDevice(deps, request, reply, userId)
    return sendJson(reply, '{}')
  })

  // The secret goes in the body: addresses are logged by whatever stands in between.
  app.post('/password-link', { schema: { body: LinkBody } }, async (request, reply) => {
    const { name, email, expiresAt } = await guessing(deps, request, byLink, async () => {
      const found = await readPasswordLink(deps.db, currentTime(), request.body.token)
      if (!found) throw notFound('link')
      return found
    })
    const link: PasswordLinkResponse = { name, email, expiresAt: expiresAt.toISOString() }
    return sendJson(reply, JSON.stringify(link))
  })
}
