import type { Db } from '../../../platform/db.ts'
import type { Origin } from '../../journal/audit/security-event.ts'
import { sendPersonMail } from './person-mails.ts'

/** What happened to how somebody signs in. */
export type AccountChange =
  | 'newDevice'
  | 'passwordChanged'
  | 'codesTurnedOn'
  | 'codesTurnedOff'
  | 'backupCodesRenewed'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'secondFactorReset'
  | 'companyLeft'

const words: Record<AccountChange, { subject: string; what: string }> = {
  newDevice: {
    subject: 'New sign-in to your account',
    what: 'Your Sunstead account was just used to sign in from a new browser or device.',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    what: 'Your Sunstead password was changed. You’ve been signed out on all other devices.',
  },
  codesTurnedOn: {
    subject: 'Authenticator codes turned on',
    what: 'Signing in to Sunstead now requires a code from your authenticator app.',
  },
  codesTurnedOff: {
    subject: 'Authenticator codes turned off',
    what: 'Signing in to Sunstead no longer requires a code from your authenticator app.',
  },
  backupCodesRenewed: {
    subject: 'New backup codes were created',
    what: 'New backup codes were created for your Sunstead account. Your previous ones no longer work.',
  },
  passkeyAdded: {
    subject: 'A passkey was added',
    what: 'A passkey was added to your Sunstead account.',
  },
  passkeyRemoved: {
    subject: 'A passkey was removed',
    what: 'A passkey was removed from your Sunstead account.',
  },
  secondFactorReset: {
    subject: 'Your second factor was reset',
    what: 'The second factor of your Sunstead account was reset. Your previous one no longer works. Set up a new one the next time you sign in.',
  },
  companyLeft: {
    subject: 'You left a company',
    what: 'You left a company in Sunstead and no longer have access to it. To come back, you need a new invitation.',
  },
}

export interface AccountNews {
  name: string
  change: AccountChange
  at: Date
  /** Null where somebody else did it. */
  from: Origin | null
  /** Who did it instead; whoever runs the server where nobody is named. */
  by?: string
  /** The one that it is about. */
  company?: string
  baseUrl: string
}

/** No link in it leads further than the page of the account: what a stranger reads of it opens nothing. */
export function accountMail({ name, change, at, from, by, company, baseUrl }: AccountNews) {
  const { subject, what } = words[change]
  const facts = [
    `When: ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    ...(from
      ? [`From: ${from.address ?? 'unknown'}`, `Browser: ${from.device ?? 'unknown'}`]
      : [`By: ${by ?? 'whoever runs the server'}`]),
    ...(company ? [`Company: ${company}`] : []),
  ]
  return {
    subject,
    body: `Hello ${name},\n\n${what}\n\n${facts.join('\n')}\n\nIf this was you, there’s nothing to do. If not, change your password right away, which signs out all other devices, and check your other sign-in methods:\n\n${baseUrl}/account\n`,
  }
}

/** Tells a person what happened to their account. */
export async function notifyPerson(
  db: Db,
  person: { id: string; email: string },
  news: AccountNews,
): Promise<void> {
  await sendPersonMail(db, news.at, person, accountMail(news))
}
