import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAccount } from '../../domain/journal/audit/record-account.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { type AccountChange, notifyPerson } from '../../domain/tenants/people/account-mails.ts'
import { forgetDevices } from '../../domain/tenants/people/devices.ts'
import { type PasswordLink, readPasswordLink } from '../../domain/tenants/people/password-link.ts'
import { proveAddress } from '../../domain/tenants/people/prove-address.ts'
import { deleteSession, findAccount, listMemberships } from '../../domain/tenants/people/queries.ts'
import { deleteFactor, type Factor } from '../../domain/tenants/people/second-factor.ts'
import { checkNewPassword } from '../../domain/tenants/people/set-password.ts'
import { takeCode } from '../../domain/tenants/people/sign-in-times.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'
import { requestOrigin } from './auth-trail.ts'
import { deviceOf, rememberDevice } from './device-cookie.ts'
import type { Outcome, Who } from './sign-in-tries.ts'

/** What was known before, for what follows. */
interface Noted {
  /** Whose password is chosen by a link, and whether they could sign in before. */
  chooser: (PasswordLink & { had: boolean }) | null
}

const codeForm = /^\d{6}$/

/** What we ask for beyond better-auth, before it is asked. May add to the body. */
export async function beforehand(
  { db }: Deps,
  path: string,
  { here, challenged }: Who,
  body: Record<string, unknown>,
): Promise<Noted> {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
  const noted: Noted = { chooser: null }
  switch (path) {
    case 'POST change-password':
      await checkNewPassword(db, here!, text('newPassword'))
      body['revokeOtherSessions'] = true
      break
    case 'POST reset-password': {
      const person = await readPasswordLink(db, currentTime(), text('token'))
      if (!person) break
      await checkNewPassword(db, person, text('newPassword'))
      noted.chooser = { ...person, had: (await findAccount(db, { email: person.email }))?.used === true }
      break
    }
    case 'POST two-factor/verify-totp': {
      const userId = here?.userId ?? challenged?.userId
      if (!codeForm.test(text('code'))) throw new DomainError('invalid', 'code: must be six digits.')
      if (userId && !(await takeCode(db, currentTime(), userId, text('code')))) body['code'] = ''
      break
    }
    case 'POST passkey/verify-registration':
      // Who has just used it need not do so again.
      body['createSession'] = true
      break
  }
  return noted
}

const removed: Record<string, Factor> = {
  'POST two-factor/disable': 'codes',
  'POST passkey/delete-passkey': 'passkey',
}

/** Asks better-auth; what removes a factor only where another one is left. */
export function askedOf<T>({ db }: Deps, path: string, who: Who, ask: () => Promise<T>): Promise<T> {
  const factor = removed[path]
  return factor ? deleteFactor(db, who.here!, who.memberships, factor, ask) : ask()
}

interface Done {
  who: Who
  noted: Noted
  outcome: Outcome
  request: FastifyRequest
  reply: FastifyReply
}

/** What follows from a call about signing in; answers what the page is told. */
export async function afterwards(
  deps: Deps,
  path: string,
  { who, noted, outcome, request, reply }: Done,
): Promise<unknown> {
  const { db } = deps
  const { body } = outcome
  if (outcome.kind === 'wrong') deps.metrics.signInFailed()
  if (outcome.kind !== 'right') return { code: body['code'], message: body['message'] }
  const notify = (change: AccountChange, person: { userId: string; email: string; name: string }) =>
    notifyPerson(
      db,
      { id: person.userId, email: person.email },
      {
        name: person.name,
        change,
        at: currentTime(),
        from: requestOrigin(request),
        baseUrl: deps.addresses.baseUrl,
      },
    )

  switch (path) {
    case 'POST sign-in/email':
    case 'POST two-factor/verify-totp':
    case 'POST two-factor/verify-backup-code':
    case 'POST passkey/verify-authentication': {
      if (body['twoFactorRedirect']) return { twoFactorRedirect: true }
      if (who.here) {
        if (path === 'POST two-factor/verify-totp' && !who.here.asksForCodes)
          await notify('codesTurnedOn', who.here)
        return {}
      }
      const user = body['user'] as { id: string; email: string; name: string }
      const { isNew } = await rememberDevice(deps, request, reply, user.id)
      if (isNew) await notify('newDevice', { ...user, userId: user.id })
      return {}
    }
    case 'POST reset-password': {
      const { userId, had, mailed, ...person } = noted.chooser!
      const passkeysEnded = mailed && (await proveAddress(db, currentTime(), userId))
      const { token } = await rememberDevice(deps, request, reply, userId)
      await forgetDevices(db, userId, token)
      if (had) await notify('passwordChanged', { ...person, userId })
      if (passkeysEnded) {
        const memberships = await listMemberships(db, { userId })
        const event = { type: 'security.passkey_removed' } as const
        await recordAccount(db, currentTime(), memberships, requestOrigin(request), event)
        await notify('passkeyRemoved', { ...person, userId })
      }
      return {}
    }
    case 'POST change-password':
      await forgetDevices(db, who.here!.userId, deviceOf(request))
      await notify('passwordChanged', who.here!)
      return {}
    case 'POST two-factor/disable':
      await notify('codesTurnedOff', who.here!)
      return {}
    case 'POST two-factor/generate-backup-codes':
      await notify('backupCodesRenewed', who.here!)
      return { backupCodes: body['backupCodes'] }
    case 'POST two-factor/enable':
      return { totpURI: body['totpURI'], backupCodes: body['backupCodes'] }
    case 'POST passkey/verify-registration':
      await deleteSession(db, { userId: who.here!.userId, id: who.here!.sessionId })
      await notify('passkeyAdded', who.here!)
      return {}
    case 'POST passkey/delete-passkey':
      await notify('passkeyRemoved', who.here!)
      return {}
    case 'GET passkey/generate-authenticate-options':
      return { ...body, userVerification: 'required' }
    case 'GET passkey/list-user-passkeys':
      return (body['items'] as { id: string; name: string | null; createdAt: string | null }[]).map(
        ({ id, name, createdAt }) => ({ id, name, createdAt }),
      )
    case 'GET passkey/generate-register-options':
      return body
    default:
      return {}
  }
}
