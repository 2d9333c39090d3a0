import type { Guess } from '../../domain/tenants/people/sign-in-limits.ts'

export interface AuthPath {
  /** What of the body is handed on; all else is left out. */
  fields: readonly string[]
  /** What a stranger could guess there, or ask for. */
  guess?: Guess
  /** Whether it is for those who are signed in, or looks whether somebody is. */
  session?: 'needed' | 'asked'
  /** Whether it changes how the person signs in: not with a session that lacks the second factor they have. */
  guarded?: true
}

const password = { fields: ['password'], guess: 'password', session: 'needed', guarded: true } as const
const code = { fields: ['code'], guess: 'code', session: 'asked' } as const

/** What the console's pages ask for. better-auth answers to more, and none of that is wanted here. */
export const authPaths: Record<string, AuthPath> = {
  'POST sign-in/email': { fields: ['email', 'password'], guess: 'password' },
  'POST sign-out': { fields: [], session: 'asked' },
  'POST request-password-reset': { fields: ['email'], guess: 'reset' },
  'POST reset-password': { fields: ['newPassword', 'token'], guess: 'link' },
  'POST change-password': {
    fields: ['currentPassword', 'newPassword'],
    guess: 'password',
    session: 'needed',
    guarded: true,
  },
  'POST two-factor/enable': password,
  'POST two-factor/disable': password,
  'POST two-factor/generate-backup-codes': password,
  'POST two-factor/verify-totp': code,
  'POST two-factor/verify-backup-code': code,
  'GET passkey/generate-register-options': { fields: [], session: 'needed', guarded: true },
  'POST passkey/verify-registration': { fields: ['response', 'name'], session: 'needed', guarded: true },
  'GET passkey/generate-authenticate-options': { fields: [], guess: 'challenge' },
  'POST passkey/verify-authentication': { fields: ['response'], guess: 'passkey' },
  'GET passkey/list-user-passkeys': { fields: [], session: 'needed' },
  'POST passkey/delete-passkey': { fields: ['id'], session: 'needed', guarded: true },
}
