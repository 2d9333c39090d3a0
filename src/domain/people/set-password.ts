import { hashPassword } from 'better-auth/crypto'
import type { Db } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { checkPassword } from './password-rules.ts'
import { findUserId, insertUser, listMemberships, savePassword } from './queries.ts'

/** Lets the person of this email sign in with a password, whether they could before or not. */
export async function setPassword(
  db: Db,
  now: Date,
  person: { email: string; name: string; password: string },
): Promise<void> {
  const { password } = person
  await checkNewPassword(db, person, password)
  await givePassword(db, now, [person], password)
}

/** Refuses a password that the person of this email must not choose. */
export async function checkNewPassword(
  db: Db,
  { email, name }: { email: string; name: string },
  password: string,
): Promise<void> {
  const companies = (await listMemberships(db, email)).map(({ companyName }) => companyName)
  await checkPassword(password, { email, name, companies })
}

/** Lets people sign in with one and the same password. */
export async function givePassword(
  db: Db,
  now: Date,
  people: readonly { email: string; name: string }[],
  password: string,
): Promise<void> {
  const hash = await hashPassword(password)
  for (const person of people) {
    const userId = await requireUser(db, now, person)
    await savePassword(db, newId('acct'), userId, hash, now)
  }
}

/** The account of the person of this email, made where there is none. */
export async function requireUser(
  db: Db,
  now: Date,
  { email, name }: { email: string; name: string },
): Promise<string> {
  const known = await findUserId(db, email)
  if (known) return known
  await insertUser(db, { id: newId('user'), name, email }, now)
  return (await findUserId(db, email))!
}
