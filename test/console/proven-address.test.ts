import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { type App, startApp } from '../support/app.ts'
import { turnOnCodes } from '../support/codes.ts'
import { mailSender } from '../support/mail-sender.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let owner: Client
let otherOwner: Client

before(async () => {
  app = await startApp()
  smtp = await startSmtpServer()
  const { db } = app.server.deps
  const company = (await createCompany(db, new Date(), { name: 'Sun & Sons' })).id
  const other = (await createCompany(db, new Date(), { name: 'Other Power' })).id
  owner = await signedIn(app, await addPerson(app, company, 'owner'))
  otherOwner = await signedIn(app, await addPerson(app, other, 'owner'))
})
after(() => smtp.close())

/** Sends what waits, and answers the secret in the newest mail to an address that has one for this page. */
async function mailedToken(email: string, page: 'invitation' | 'reset-password'): Promise<string> {
  const sender = mailSender(app.server.deps.db, smtp.url)
  await sender.sendDue(new AbortController().signal)
  sender.close()
  const texts = smtp.mails
    .filter(({ to }) => to === email)
    .map(({ data }) => data.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))
  // Several that wait go out beside each other.
  const tokens = texts.flatMap((text) => new RegExp(`/${page}\\?token=([\\w-]+)`).exec(text)?.[1] ?? [])
  return tokens.at(-1) ?? assert.fail(`no link to ${email}: ${texts.join('\n')}`)
}

async function keptToken(client: Client, email: string): Promise<string> {
  const [mail] = (await client.get(`/mails?to=${email}`)).body.mails
  return /token=([\w-]+)/.exec((await client.get(`/mails/${mail.id}`)).body.body)![1]!
}

const addPasskeyRow = (id: string, email: string) =>
  app.database.rows(
    `insert into auth_passkeys (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
      select $1, 'x', id, $1, 0, 'singleDevice', false from auth_users where email = $2`,
    [id, email],
  )

const invite = (client: Client, email: string) =>
  client.call('POST', '/people/invitations', { body: { email, role: 'rep', name: 'Vera' } })
const accept = (token: string, password: string) =>
  app.send('POST', '/console/api/invitation-link/accept', {
    body: { token, password },
    headers: { 'x-sunstead-console': '1' },
  })
const auth = (path: string, body: object) =>
  app.send('POST', `/console/auth${path}`, { body, headers: { origin: app.url } })
const pendingOf = async (client: Client): Promise<number> =>
  (await client.get('/invitations')).body.invitations.length

describe('an address is proven by a link that went out by mail and came back', () => {
  test('an invitation that made the account does it; the link is erased once it is sent', async () => {
    const email = 'mailed@example.com'
    await invite(owner, email)
    const token = await mailedToken(email, 'invitation')
    const [mail] = await app.database.rows('select state, link_sealed from mails where to_address = $1', [
      email,
    ])
    assert.deepEqual(mail, { state: 'sent', link_sealed: null })
    const [row] = (await owner.get(`/mails?to=${email}`)).body.mails
    assert.equal((await owner.get(`/mails/${row.id}`)).body.hidesLink, true)
    assert.equal((await accept(token, 'a password of vera')).status, 200)
    await invite(otherOwner, email)
    assert.equal(await pendingOf(await signedIn(app, { email, password: 'a password of vera' })), 1)
  })

  test('one that was read in the outbox does not, until a password is chosen by mail', async () => {
    const email = 'squatted@example.com'
    await invite(owner, email)
    assert.equal((await accept(await keptToken(owner, email), 'the squatters password')).status, 200)
    const squatter = await signedIn(app, { email, password: 'the squatters password' })
    await addPasskeyRow('squatters', email)
    await invite(otherOwner, email)
    assert.equal(await pendingOf(squatter), 0)

    // Who reads the mail chooses another password: the account is theirs alone.
    assert.equal((await auth('/request-password-reset', { email })).status, 200)
    const token = await mailedToken(email, 'reset-password')
    assert.equal((await auth('/reset-password', { token, newPassword: 'the real password' })).status, 200)
    assert.equal((await squatter.get('/session')).status, 401)
    assert.deepEqual(await app.database.rows(`select 1 from auth_passkeys where id = 'squatters'`), [])
    assert.equal((await auth('/sign-in/email', { email, password: 'the squatters password' })).status, 401)
    const real = await signedIn(app, { email, password: 'the real password' })
    assert.equal(await pendingOf(real), 1)
  })

  test('nor does one that was read in the outbox and went out by mail later', async () => {
    const email = 'later@example.com'
    await invite(owner, email)
    const token = await keptToken(owner, email)
    assert.equal(await mailedToken(email, 'invitation'), token)
    assert.equal((await accept(token, 'the squatters password')).status, 200)
    await invite(otherOwner, email)
    assert.equal(await pendingOf(await signedIn(app, { email, password: 'the squatters password' })), 0)
  })

  test('a mailbox alone is not the second factor that a company requires', async () => {
    const { db } = app.server.deps
    const { id: company } = await createCompany(db, new Date(), { name: 'Careful Solar' })
    const careful = await signedIn(app, await addPerson(app, company, 'owner', 'Olga Careful'))
    const adam = await addPerson(app, company, 'admin', 'Adam', 'adam@example.com')
    await addPasskeyRow('adams', adam.email)
    await app.database.rows('update companies set second_factor_required = true where id = $1', [company])
    await app.database.rows(`update auth_sessions set "secondFactor" = true`)

    await auth('/request-password-reset', { email: adam.email })
    const token = await mailedToken(adam.email, 'reset-password')
    const newPassword = 'who reads the mailbox'
    assert.equal((await auth('/reset-password', { token, newPassword })).status, 200)
    const reader = await signedIn(app, { email: adam.email, password: newPassword })
    const refused = await reader.get('/session')
    assert.equal(refused.body.error.code, 'second_factor_required')
    assert.match(refused.body.error.message, /Ask another owner or admin/)
    assert.equal((await reader.get('/account')).body.factorGap, 'lost')

    // Nor is one that they set up themselves.
    const { cookie } = await turnOnCodes(app, { password: newPassword }, reader.cookie)
    const strong = (path: string) => app.send('GET', `/console/api${path}`, { headers: { cookie } })
    assert.equal((await strong('/session')).status, 403)
    const shown = (await careful.get('/people')).body.people.find(
      ({ email }: { email: string }) => email === adam.email,
    )
    assert.equal(shown.secondFactor, 'lost')
    const trail = (await careful.get(`/audit?kind=security&actor=${adam.id}`)).body.entries
    assert.ok(trail.some(({ type }: { type: string }) => type === 'security.passkey_removed'))
    const [mail] = await app.database.rows(
      `select 1 from mails where to_address = $1 and subject = 'A passkey was removed'`,
      [adam.email],
    )
    assert.ok(mail, 'they are told')

    // The company says that it is them.
    assert.equal((await careful.call('POST', `/people/${adam.id}/second-factor/reset`)).status, 200)
    assert.equal((await strong('/session')).status, 200)
  })

  test('who is proven keeps their passkeys when they choose another password', async () => {
    const email = 'mailed@example.com'
    await addPasskeyRow('veras', email)
    await auth('/request-password-reset', { email })
    const token = await mailedToken(email, 'reset-password')
    assert.equal((await auth('/reset-password', { token, newPassword: 'another one of vera' })).status, 200)
    assert.equal((await app.database.rows(`select 1 from auth_passkeys where id = 'veras'`)).length, 1)
  })

  test('who works for nobody, but is invited, still gets a link to choose a password', async () => {
    const { db } = app.server.deps
    const gone = await createCompany(db, new Date(), { name: 'Gone' })
    const person = await addPerson(app, gone.id, 'rep', 'Lou', 'lou@example.com')
    await app.database.rows('update members set deactivated_at = now() where id = $1', [person.id])
    const count = async () =>
      (
        await app.database.rows(`select 1 from mails where link_kind = 'password' and to_address = $1`, [
          person.email,
        ])
      ).length
    await auth('/request-password-reset', { email: person.email })
    assert.equal(await count(), 0)
    await invite(owner, person.email)
    await auth('/request-password-reset', { email: person.email })
    assert.equal(await count(), 1)
  })
})
