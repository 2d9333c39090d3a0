import { hashPassword } from '@better-auth/utils/password'
import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { requireEmail } from '../../kernel/email.ts'
import { checkPassword } from './password-rules.ts'
import { findAccount, insertUser, joinCompany, listMemberships, savePassword } from './queries.ts'

interface Named {
  email: string
  name: string
}

/** Lets the person of this email sign in with a password, whether they could before or not; answers their account. */
export async function setPassword(
  db: Db,
  now: Date,
  person: Named & { password: string },
  joining: readonly string[] = [],
): Promise<string> {
  await checkNewPassword(db, person, person.password, joining)
  const userId = await requireUser(db, now, person)
  await savePasswordOf(db, now, userId, person.password)
  return userId
}

/** Refuses a password that the person of this email must not choose; `joining` are companies that they come into. */
export async function checkNewPassword(
  db: Db,
  { email, name }: Named,
  password: string,
  joining: readonly string[] = [],
): Promise<void> {
  const account = await findAccount(db, { email: requireEmail(email) })
  const memberships = account ? await listMemberships(db, { userId: account.id }) : []
  const companies = [...memberships.map(({ companyName }) => companyName), ...joining]
  await checkPassword(password, { email, name, companies })
}

export async function savePasswordOf(db: Db, now: Date, userId: string, password: string): Promise<void> {
  await savePassword(db, { id: newId('acct'), userId, hash: await hashPassword(password), now })
}

/** Lets members sign in with one and the same password, by whoever runs the server. */
export async function givePassword(
  db: Db,
  now: Date,
  members: readonly (Named & { id: string; installerId: string })[],
  password: string,
): Promise<void> {
  const hash = await hashPassword(password)
  for (const member of members) {
    const userId = await requireUser(db, now, member)
    await savePassword(db, { id: newId('acct'), userId, hash, now })
    await joinCompany(db, { ...member, userId, now })
  }
}

/** The account of the person of this email, made where there is none. */
export async function requireUser(db: Db, now: Date, { email, name }: Named): Promise<string> {
  const normal = requireEmail(email)
  const known = await findAccount(db, { email: normal })
  if (known) return known.id
  await insertUser(db, { id: newId('user'), name, email: normal, now })
  return (await findAccount(db, { email: normal }))!.id
}
