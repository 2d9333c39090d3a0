import type pg from 'pg'
import { givePassword } from '../../src/domain/tenants/people/set-password.ts'
import { openDatabase } from '../../src/platform/db.ts'
import type { Person } from './plan.ts'

const password = 'measured by the load model'

/** Lets the people of the plan sign in. */
export async function givePasswords(
  client: pg.Client,
  url: string,
  people: readonly Person[],
): Promise<void> {
  const emails = [...new Set(people.map(({ email }) => email))]
  const { rows } = await client.query<{ id: string; installerId: string; name: string; email: string }>(
    `select id, installer_id as "installerId", name, email from members where email = any($1) and user_id is null`,
    [emails],
  )
  const db = openDatabase(url, () => {})
  await givePassword(db, new Date(), rows, password).finally(() => db.close())
}

/** Each begins a session as a browser does. */
export async function signInAll(port: number, people: readonly Person[]): Promise<Person[]> {
  const origin = `http://127.0.0.1:${port}`
  const signedIn: Person[] = []
  for (const person of people) {
    const answer = await fetch(`${origin}/console/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password }),
    })
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    if (answer.status !== 200 || !cookie) throw new Error(`could not sign in: ${await answer.text()}`)
    await answer.arrayBuffer()
    signedIn.push({ ...person, cookie })
  }
  return signedIn
}
