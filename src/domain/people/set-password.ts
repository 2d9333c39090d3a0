import { hashPassword } from 'better-auth/crypto'
import type { Db } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { DomainError } from '../domain-error.ts'
import { findUserId, insertUser, savePassword } from './queries.ts'

export const passwordLength = { min: 10, max: 128 }

/** Lets the person of this email sign in with a password, whether they could before or not. */
export async function setPassword(
  db: Db,
  now: Date,
  person: { email: string; name: string; password: string },
): Promise<void> {
  const { password } = person
  if (password.length < passwordLength.min || password.length > passwordLength.max) {
    throw new DomainError(
      'invalid',
      `password: must have ${passwordLength.min} to ${passwordLength.max} characters.`,
    )
  }
  await givePassword(db, now, [person], password)
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
