import type { Db } from '../../../platform/db.ts'
import { linkPlace, writeMail } from '../../journal/mails/write-mail.ts'
import { listByEmail } from './invitation-queries.ts'
import { listMemberships } from './queries.ts'
import type { LinkWriting } from './write-invitation.ts'

/** To somebody who wants to choose a new password, or whom somebody else takes for that. */
export function passwordMail({ name, link = linkPlace }: { name: string; link?: string }) {
  return {
    subject: 'Choose a new password',
    body: `Hello ${name},\n\nWe received a request to reset your Sunstead password. Choose a new one within an hour:\n\n${link}\n\nIf you didn’t ask for this, you can ignore this email.\n`,
  }
}

interface Addressee {
  id: string
  email: string
  name: string
}

/**
 * Writes to a person, in the name of the company they used last, or of one that invites them; to nobody who works for
 * none and is invited by none.
 */
export async function sendPersonMail(
  db: Db,
  now: Date,
  person: Pick<Addressee, 'id' | 'email'>,
  words: { subject: string; body: string },
  letsIn?: Parameters<typeof writeMail>[3],
): Promise<void> {
  const [first] = [
    ...(await listMemberships(db, { userId: person.id })),
    ...(await listByEmail(db, { email: person.email, now })),
  ]
  if (!first) return
  const { installerId, companyId } = first
  await writeMail(db, now, { installerId, companyId, to: person.email, ...words }, letsIn)
}

/** How long a link to choose a password works, as better-auth has it. */
const passwordLinkMs = 3_600_000

export async function sendPasswordLink(
  db: Db,
  now: Date,
  { baseUrl, box }: LinkWriting,
  person: Addressee,
  token: string,
): Promise<void> {
  const link = {
    kind: 'password' as const,
    ref: person.id,
    url: `${baseUrl}/reset-password?token=${token}`,
    expiresAt: new Date(now.getTime() + passwordLinkMs),
  }
  await sendPersonMail(db, now, person, passwordMail(person), { link, box })
}
