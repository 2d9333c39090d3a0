import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { type App, startApp } from '../support/app.ts'
import { sunstead } from '../support/commands.ts'
import { secretKey } from '../support/database.ts'
import { addPerson, signedIn } from '../support/people.ts'

let app: App
let company: string
let env: Record<string, string>

before(async () => {
  app = await startApp()
  company = (await createCompany(app.server.deps.db, new Date(), { name: 'Sun & Sons' })).id
  env = { DATABASE_URL: app.database.url, BASE_URL: 'https://sun.example.com', SECRET_KEY: secretKey }
})

const member = (...args: string[]) => sunstead(['member', ...args], env)
const invite = (...args: string[]) => member('invite', 'ann@example.com', '--company', company, ...args)

test('an operator lets somebody in by the link that is printed', async () => {
  const refused = await invite()
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /no member ann@example.com yet: say --name and --role/)

  const { code, stdout, stderr } = await invite('--name', 'Ann', '--role', 'owner', '--json')
  assert.equal(code, 0, stderr)
  const token = /^https:\/\/sun\.example\.com\/invitation\?token=([\w-]+)$/.exec(JSON.parse(stdout).link)?.[1]
  const answer = await app.send('POST', '/console/api/invitation-link/accept', {
    body: { token, password: 'ann has a password' },
    headers: { 'x-sunstead-console': '1' },
  })
  assert.equal(answer.status, 200)
  const { get } = await signedIn(app, { email: 'ann@example.com', password: 'ann has a password' })
  assert.equal((await get('/session')).body.role, 'owner')

  // Who has accepted signs in.
  const again = await invite('--json')
  assert.equal(JSON.parse(again.stdout).link, 'https://sun.example.com/sign-in')
})

test('an operator gives a new password, which ends the sessions there are', async () => {
  const person = await addPerson(app, company, 'rep', 'Bo', 'bo@example.com')
  const { get } = await signedIn(app, person)
  await app.database.rows('update auth_users set "twoFactorEnabled" = true where email = $1', [person.email])
  const { code, stdout, stderr } = await member('password', 'Bo@example.com', '--drop-codes', '--json')
  assert.equal(code, 0, stderr)
  assert.equal((await get('/session')).status, 401)
  const session = await signedIn(app, { email: person.email, password: JSON.parse(stdout).password })
  assert.equal((await session.get('/account')).body.asksForCodes, false)

  const unknown = await member('password', 'nobody@example.com')
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /No active member/)
})
