import { hashPassword } from '@better-auth/utils/password'
import type { Role } from '../../src/domain/kernel/tenant/member.ts'
import { requireCompany } from '../../src/domain/kernel/tenant/require-company.ts'
import { addMember } from '../../src/domain/tenants/members/add-member.ts'
import { noteDevice } from '../../src/domain/tenants/people/devices.ts'
import { joinCompany, savePassword } from '../../src/domain/tenants/people/queries.ts'
import { requireUser } from '../../src/domain/tenants/people/set-password.ts'
import { newId } from '../../src/platform/ids.ts'
import type { App } from './app.ts'

export const password = 'correct horse battery'

export interface Person {
  id: string
  email: string
  name: string
  password: string
  /** The secret of a browser in which they have signed in before. */
  device?: string
}

/** Everybody has the same: it is hashed once. */
let hash: Promise<string> | undefined

/** A member of a company who can sign in. */
export async function addPerson(
  { server: { deps } }: App,
  company: string,
  role: Role,
  name = `The ${role}`,
  email = `${role}-${company.slice(-6)}@example.com`,
): Promise<Person> {
  const now = new Date()
  const { id } = await addMember(deps.db, now, { company, role, name, email })
  const { installerId } = await requireCompany(deps.db, company)
  const userId = await requireUser(deps.db, now, { email, name })
  hash ??= hashPassword(password)
  await savePassword(deps.db, { id: newId('acct'), userId, hash: await hash, now })
  await joinCompany(deps.db, { installerId, id, userId, now })
  const { token: device } = await noteDevice(deps.db, now, userId, null)
  return { id, email, name, password, device }
}

export interface ConsoleCall {
  body?: unknown
  headers?: Record<string, string>
}

/** Calls the console's API as a person who has signed in. */
export async function signedIn(
  app: App,
  { email, password, device }: Pick<Person, 'email' | 'password' | 'device'>,
) {
  const answer = await app.send('POST', '/console/auth/sign-in/email', {
    body: { email, password },
    headers: { origin: app.url, ...(device ? { cookie: `sunstead.device=${device}` } : {}) },
  })
  const cookie = [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((one) => one.split(';')[0])
    .join('; ')
  if (answer.status !== 200 || !cookie) throw new Error(`could not sign in: ${answer.status} ${answer.text}`)
  const call = (method: string, path: string, { body, headers }: ConsoleCall = {}) =>
    app.send(method, `/console/api${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { cookie, 'x-sunstead-console': '1', ...headers },
    })
  return { cookie, call, get: (path: string) => call('GET', path) }
}
