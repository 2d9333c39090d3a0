import type { Db } from '../../../platform/db.ts'
import { writeMail } from '../../journal/mails/write-mail.ts'
import { listByEmail } from './invitation-queries.ts'
import { passwordMail } from './password-mail.ts'
import { listMemberships } from './queries.ts'
import type { LinkWriting } from './write-invitation.ts'

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
export const passwordLinkMs = 3_600_000

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
