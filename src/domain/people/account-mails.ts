import type { Db } from '../../platform/db.ts'
import type { Origin } from '../audit/security-event.ts'
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
    subject: 'You signed in on a new device',
    what: 'somebody, probably you, has signed in to Sunstead as you in a browser that was not used for it before.',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    what: 'your password for Sunstead was changed. Everywhere else you are signed out.',
  },
  codesTurnedOn: {
    subject: 'Codes from an authenticator app were turned on',
    what: 'from now on a code from your authenticator app is asked for when you sign in to Sunstead.',
  },
  codesTurnedOff: {
    subject: 'Codes from an authenticator app were turned off',
    what: 'no code from an authenticator app is asked for any more when you sign in to Sunstead.',
  },
  backupCodesRenewed: {
    subject: 'Your backup codes were made anew',
    what: 'new backup codes were made for signing in to Sunstead. Those you had before do not work any more.',
  },
  passkeyAdded: {
    subject: 'A passkey was added',
    what: 'a passkey was added with which you can sign in to Sunstead.',
  },
  passkeyRemoved: {
    subject: 'A passkey was removed',
    what: 'a passkey with which you could sign in to Sunstead was removed.',
  },
  secondFactorReset: {
    subject: 'Your second factor was reset',
    what: 'your second factor for Sunstead was reset: what you had before does not count any more. Set up another one when you next sign in.',
  },
  companyLeft: {
    subject: 'You left a company',
    what: 'you have left a company in Sunstead, and work for it no longer. Who wants to come back is invited anew.',
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
    body: `Hello ${name},\n\n${what}\n\n${facts.join('\n')}\n\nIf it was you, nothing needs to be done. If not, change your password at once, which signs everybody else out, and look at what else guards your account:\n\n${baseUrl}/account\n`,
  }
}

/** Tells a person what happened to their account. */
export async function tellPerson(
  db: Db,
  person: { id: string; email: string },
  news: AccountNews,
): Promise<void> {
  await sendPersonMail(db, news.at, person, accountMail(news))
}
