import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { endPasswordLinks } from '../../domain/tenants/people/password-link.ts'
import { sendPasswordLink } from '../../domain/tenants/people/person-mails.ts'
import { sessionDays } from '../../domain/tenants/people/sign-in-times.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'
import { openAuthPool } from './auth-pool.ts'
import { sessionsHashed } from './hashed-sessions.ts'
import { addressHeader } from './request-headers.ts'

const daySeconds = 86_400
/** Ours are checked before, in characters; a character may be two of these. */
const anyLength = { minPasswordLength: 1, maxPasswordLength: 512 }
/** What begins a session with more than a password. */
const strongPaths = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-registration',
  '/passkey/verify-authentication',
])

/** Where people's sessions, passwords, codes and passkeys are seen to. */
export function openAuth(deps: Deps, secret: Buffer) {
  const { baseUrl } = deps.addresses
  const { pool, timesLost, isAway, close } = openAuthPool(deps.databaseUrl, deps.sessionConnections, deps.log)
  const auth = betterAuth({
    appName: 'Sunstead',
    baseURL: baseUrl,
    basePath: '/console/auth',
    secret: secret.toString('base64'),
    database: sessionsHashed(pool),
    telemetry: { enabled: false },
    // Also the name under which the request found us: localhost for 127.0.0.1, say.
    trustedOrigins: (request) => [new URL(baseUrl).origin, ...(request ? [new URL(request.url).origin] : [])],
    // What it cannot answer is thrown to us; it would print it.
    onAPIError: { throw: true },
    logger: {
      log: (level, message) => {
        // That the database is away is said once, and not for each call.
        if (level === 'error' && !isAway())
          deps.log.warn({ auth: message.slice(0, 300) }, 'signing in reports')
      },
    },
    emailAndPassword: {
      enabled: true,
      // Accounts are made by invitation only.
      disableSignUp: true,
      ...anyLength,
      revokeSessionsOnPasswordReset: true,
      // Links that were sent before are worth nothing now.
      onPasswordReset: ({ user }) => endPasswordLinks(deps.db, user.id),
      sendResetPassword: ({ user, token }) =>
        sendPasswordLink(
          deps.db,
          currentTime(),
          { baseUrl: deps.addresses.baseUrl, box: deps.box },
          user,
          token,
        ),
    },
    user: { modelName: 'auth_users' },
    account: { modelName: 'auth_accounts' },
    verification: { modelName: 'auth_verifications', storeIdentifier: 'hashed' },
    session: {
      modelName: 'auth_sessions',
      expiresIn: sessionDays * daySeconds,
      // When it was used last is noted by us, and never moves its end.
      disableSessionRefresh: true,
      additionalFields: {
        memberId: { type: 'string', required: false, input: false },
        secondFactor: { type: 'boolean', required: false, input: false },
      },
    },
    databaseHooks: {
      session: {
        create: {
          // What goes on in a new session, after a changed password say, is for the same company and as trustworthy.
          before: async (session, context) => {
            const before = context?.context.session?.session
            const now = currentTime()
            const goesOn = before?.userId === session.userId ? before : null
            return {
              data: {
                ...session,
                // By the time that everybody goes by: by a clock that is behind, it would have been idle from the start.
                createdAt: now,
                updatedAt: now,
                expiresAt: new Date(now.getTime() + sessionDays * daySeconds * 1_000),
                memberId: goesOn?.['memberId'] ?? null,
                secondFactor: strongPaths.has(context?.path ?? '') || goesOn?.['secondFactor'] === true,
              },
            }
          },
        },
      },
    },
    // Its limits go by the address alone, and by the API's limit: ours stand before it.
    rateLimit: { enabled: false },
    advanced: {
      // A session and its person by one statement. By two, better-auth would print what goes wrong with the second.
      database: { joins: true },
      cookiePrefix: 'sunstead',
      ipAddress: { ipAddressHeaders: [addressHeader] },
      useSecureCookies: baseUrl.startsWith('https:'),
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true, path: '/' },
    },
    plugins: [
      twoFactor({
        issuer: 'Sunstead',
        twoFactorTable: 'auth_two_factors',
        // Waits grow instead: see sign-in-limits.ts.
        accountLockout: { enabled: false },
      }),
      passkey({
        rpID: new URL(baseUrl).hostname,
        rpName: 'Sunstead',
        origin: new URL(baseUrl).origin,
        schema: { passkey: { modelName: 'auth_passkeys' } },
        // A device that does not ask who holds it would be one factor only.
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        registration: {
          afterVerification: ({ verification }) =>
            requireVerified(verification.registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: ({ verification }) =>
            requireVerified(verification.authenticationInfo.userVerified),
        },
      }),
    ],
  })
  return { auth, timesLost, close }
}

function requireVerified(verified: boolean | undefined): void {
  if (verified) return
  throw new APIError('BAD_REQUEST', {
    code: 'USER_NOT_VERIFIED',
    message: 'The passkey did not ask who you are. Set a PIN or a fingerprint for it, or use another.',
  })
}

export type Auth = ReturnType<typeof openAuth>['auth']
