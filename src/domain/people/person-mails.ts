import type { Db } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { insertPersonMail, listMemberships } from './queries.ts'

/** Writes to a person, in the name of the first company they work for; to nobody who works for none. */
export async function sendPersonMail(
  db: Db,
  now: Date,
  email: string,
  { subject, body }: { subject: string; body: string },
): Promise<void> {
  const [first] = await listMemberships(db, email)
  if (!first) return
  const { installerId, companyId } = first
  await insertPersonMail(db, newId('mail'), { installerId, companyId, to: email, subject, body }, now)
}
