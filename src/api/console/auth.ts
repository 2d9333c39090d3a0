import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { twoFactor } from 'better-auth/plugins'
import { passwordMail } from '../../domain/people/password-mail.ts'
import { sendPersonMail } from '../../domain/people/person-mails.ts'
import { deleteVerifications } from '../../domain/people/queries.ts'
import { passwordLength } from '../../domain/people/set-password.ts'
import type { Parts } from '../parts.ts'
import { openAuthPool } from './auth-pool.ts'
import { sessionsHashed } from './hashed-sessions.ts'
import { addressHeader } from './request-headers.ts'

const dayMs = 86_400_000

/** Where people's sessions, passwords, codes and passkeys are seen to. */
export function openAuth(parts: Parts, secret: Buffer) {
  const { baseUrl } = parts.addresses
  const tries = { window: 60, max: Math.ceil((parts.limiter?.limit ?? 0) / 5) }
  const { pool, timesLost, close } = openAuthPool(parts.databaseUrl, parts.log)
  const auth = betterAuth({
    appName: 'Sunstead',
    baseURL: baseUrl,
    basePath: '/console/auth',
    secret: secret.toString('base64'),
    database: sessionsHashed(pool),
    telemetry: { enabled: false },
    // Also the name under which the request found us: localhost for 127.0.0.1, say.
    trustedOrigins: (request) => [new URL(baseUrl).origin, ...(request ? [new URL(request.url).origin] : [])],
    logger: {
      log: (level, message) => {
        if (level === 'error') parts.log.warn({ auth: message.slice(0, 300) }, 'signing in reports')
      },
    },
    emailAndPassword: {
      enabled: true,
      // Accounts are made by invitation only.
      disableSignUp: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      revokeSessionsOnPasswordReset: true,
      // Links that were sent before are worth nothing now.
      onPasswordReset: ({ user }) => deleteVerifications(parts.db, user.id),
      sendResetPassword: async ({ user, token }) =>
        sendPersonMail(
          parts.db,
          new Date(),
          user.email,
          passwordMail({
            name: user.name,
            link: `${parts.addresses.baseUrl}/reset-password?token=${token}`,
          }),
        ),
    },
    user: { modelName: 'auth_users' },
    account: { modelName: 'auth_accounts' },
    verification: { modelName: 'auth_verifications', storeIdentifier: 'hashed' },
    session: {
      modelName: 'auth_sessions',
      expiresIn: (30 * dayMs) / 1000,
      updateAge: dayMs / 1000,
      additionalFields: { memberId: { type: 'string', required: false, input: false } },
    },
    rateLimit: parts.limiter
      ? {
          enabled: true,
          window: 60,
          max: parts.limiter.limit,
          // From one address: an office shares one.
          customRules: { '/sign-in/*': tries, '/two-factor/*': tries, '/request-password-reset': tries },
        }
      : { enabled: false },
    advanced: {
      cookiePrefix: 'sunstead',
      ipAddress: { ipAddressHeaders: [addressHeader] },
      useSecureCookies: baseUrl.startsWith('https:'),
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true, path: '/' },
    },
    plugins: [
      twoFactor({ issuer: 'Sunstead', twoFactorTable: 'auth_two_factors' }),
      passkey({
        rpID: new URL(baseUrl).hostname,
        rpName: 'Sunstead',
        origin: new URL(baseUrl).origin,
        schema: { passkey: { modelName: 'auth_passkeys' } },
      }),
    ],
  })
  return { auth, timesLost, close }
}

export type Auth = ReturnType<typeof openAuth>['auth']
