import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { type App, startApp } from '../support/app.ts'
import { mailSender } from '../support/mail-sender.ts'
import { addPerson, password, signedIn } from '../support/people.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let installer: string
let other: string
let owner: Client
let admin: Client

before(async () => {
  app = await startApp()
  smtp = await startSmtpServer()
  const { db } = app.server.deps
  installer = (await createCompany(db, new Date(), { name: 'Sun & Sons' })).id
  other = (await createCompany(db, new Date(), { name: 'Other Power' })).id
  owner = await signedIn(app, await addPerson(app, installer, 'owner', 'Olga Owner'))
  admin = await signedIn(app, await addPerson(app, installer, 'admin'))
})
after(() => smtp.close())

const auth = (path: string, body: object) =>
  app.send('POST', `/console/auth${path}`, { body, headers: { origin: app.url } })
const signInStatus = async (email: string, secret: string) =>
  (await auth('/sign-in/email', { email, password: secret })).status

/** Sends what is due by SMTP, and answers the text of the newest mail to this address that holds these words. */
async function mailTo(email: string, words = ''): Promise<string> {
  const sender = mailSender(app.server.deps.db, smtp.url)
  await sender.sendDue(new AbortController().signal)
  sender.close()
  // Long lines of quoted-printable are put together again.
  const texts = smtp.mails
    .filter(({ to }) => to === email)
    .map(({ data }) => data.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))
  // Several that are due go out beside each other.
  return texts.findLast((text) => text.includes(words)) ?? assert.fail(`no mail to ${email}`)
}

const tokenIn = (mail: string, page: string) =>
  new RegExp(`/${page}\\?token=([\\w-]+)`).exec(mail)?.[1] ?? assert.fail(mail)

const open = (path: string, body: object) =>
  app.send('POST', `/console/api${path}`, { body, headers: { 'x-sunstead-console': '1' } })
const invite = (client: Client, body: object) => client.call('POST', '/people/invitations', { body })
const maria = { email: 'Maria@example.com', name: 'Maria', role: 'rep' }

describe('an invitation', () => {
  let token: string

  test('arrives by mail and names its person', async () => {
    assert.equal((await invite(owner, maria)).status, 201)
    const mail = await mailTo('maria@example.com')
    assert.match(mail, /Olga Owner has invited you to join Sun & Sons on Sunstead as a sales rep/)
    token = tokenIn(mail, 'invitation')
    const { body } = await open('/invitation-link', { token })
    const { name, email, company, role, from, next, signedInAs } = body
    assert.deepEqual(
      [name, email, company, role, from, next, signedInAs],
      ['Maria', 'maria@example.com', 'Sun & Sons', 'rep', 'Olga Owner', 'make', null],
    )
  })

  test('is among the people as invited, and can be sent again: the one before is worth nothing then', async () => {
    const { people } = (await owner.get('/people')).body
    const shown = people.find(({ name }: { name: string }) => name === 'Maria')
    assert.deepEqual([shown.role, shown.active, shown.joining], ['rep', true, 'invited'])
    assert.ok(new Date(shown.invitedUntil) > new Date())
    assert.equal((await owner.call('POST', `/people/${shown.id}/invitation`)).status, 200)
    const newer = tokenIn(await mailTo('maria@example.com'), 'invitation')
    assert.notEqual(newer, token)
    assert.equal((await open('/invitation-link', { token })).status, 404)
    token = newer
  })

  test('lets its person choose a password, once', async () => {
    const join = (password: string) => open('/invitation-link/accept', { token, password })
    assert.equal((await join('short')).status, 400)
    assert.equal((await join('maria has a password')).status, 200)
    assert.equal((await join('somebody else does')).status, 404)
    const session = await signedIn(app, { email: 'Maria@Example.com', password: 'maria has a password' })
    assert.equal((await session.get('/session')).body.person.name, 'Maria')
    const { people } = (await owner.get('/people')).body
    const shown = people.find(({ name }: { name: string }) => name === 'Maria')
    assert.equal(shown.joining, 'joined')
    assert.equal((await owner.call('POST', `/people/${shown.id}/invitation`)).status, 400)
  })

  test('to somebody who has an account is accepted while signed in, and changes no password', async () => {
    const otherOwner = await signedIn(app, await addPerson(app, other, 'owner', 'Otto Owner'))
    assert.equal((await invite(otherOwner, { ...maria, name: 'Maria B' })).status, 201)
    const second = tokenIn(await mailTo('maria@example.com', 'to join Other Power'), 'invitation')
    assert.equal((await open('/invitation-link', { token: second })).body.next, 'signIn')
    const chosen = await open('/invitation-link/accept', { token: second, password: 'not marias password' })
    assert.equal(chosen.status, 400)
    assert.match(chosen.body.error.message, /Sign in with it/)
    assert.equal((await open('/invitation-link/accept', { token: second })).status, 401)
    const session = await signedIn(app, { email: 'maria@example.com', password: 'maria has a password' })
    assert.equal((await session.get('/session')).body.choices.length, 1)
    const link = await session.call('POST', '/invitation-link', { body: { token: second } })
    assert.deepEqual([link.body.next, link.body.signedInAs], ['accept', 'maria@example.com'])
    const accepted = await session.call('POST', '/invitation-link/accept', { body: { token: second } })
    assert.equal(accepted.body.company, 'Other Power')
    const { choices, company } = (await session.get('/session')).body
    assert.deepEqual([choices.length, company.name], [2, 'Sun & Sons'])
  })

  test('is for owners and admins, and only owners make owners', async () => {
    for (const role of ['manager', 'rep', 'setter', 'surveyor', 'subcontractor'] as const) {
      const person = await addPerson(app, installer, role)
      const client = await signedIn(app, person)
      assert.equal((await invite(client, { ...maria, email: 'x@example.com' })).status, 403, role)
      assert.equal((await client.get('/people')).status, 403, role)
      assert.equal((await client.call('POST', `/people/${person.id}/invitation`)).status, 403, role)
    }
    assert.equal((await invite(admin, { ...maria, email: 'y@example.com', role: 'owner' })).status, 403)
    assert.equal((await invite(owner, { ...maria, email: 'y@example.com', role: 'owner' })).status, 201)
    assert.equal((await invite(admin, { ...maria, email: 'z@example.com', role: 'admin' })).status, 201)
    assert.equal((await app.send('GET', '/console/api/people')).status, 401)
  })

  test('goes into a dealer by its installer, and into no other company', async () => {
    const dealer = (await createCompany(app.server.deps.db, new Date(), { name: 'Doors', installer })).id
    const dora = { email: 'dora@example.com', name: 'Dora', role: 'owner', company: dealer }
    assert.equal((await invite(admin, dora)).status, 403)
    assert.equal((await invite(owner, dora)).status, 201)
    assert.match(await mailTo('dora@example.com'), /Olga Owner has invited you to join Doors/)
    const { people } = (await owner.get(`/people?company=${dealer}`)).body
    assert.deepEqual(
      people.map(({ name, role }: { name: string; role: string }) => [name, role]),
      [['Dora', 'owner']],
    )
    assert.equal((await owner.call('POST', `/people/${people[0].id}/invitation`)).status, 200)
    const noted = await app.database.rows(
      `select company_id, actor_name from events where type = 'invitation.written' and subject_id = $1 order by at`,
      [people[0].id],
    )
    assert.deepEqual(noted, [
      { company_id: dealer, actor_name: 'Olga Owner' },
      { company_id: dealer, actor_name: 'Olga Owner' },
    ])

    const dealersOwner = await signedIn(app, await addPerson(app, dealer, 'owner'))
    for (const company of [installer, other, 'comp_none000000', '%00']) {
      const body = { ...maria, email: 'w@example.com', company }
      assert.equal((await invite(dealersOwner, body)).status, 404, company)
      assert.notEqual((await dealersOwner.get(`/people?company=${company}`)).status, 200, company)
    }
    for (const company of [other, 'comp_none000000'])
      assert.equal((await invite(owner, { ...maria, email: 'w@example.com', company })).status, 404)
    const { id } = (await owner.get('/people')).body.people[0]
    assert.equal((await dealersOwner.call('POST', `/people/${id}/invitation`)).status, 404)
  })

  test('bad input is refused with what to change', async () => {
    const cases: [object, RegExp][] = [
      [{ ...maria, email: 'nonsense' }, /Email/],
      [{ ...maria, name: ' ' }, /Name/],
      // The mail begins with it, and would go on with it.
      [{ ...maria, name: 'Maria,\n\nyour account is blocked' }, /Name must be one line/],
      [{ ...maria, name: 'Maria \u202Egnp.exe' }, /Name must be one line/],
      [{ ...maria, name: 'Maria, see https://evil.example' }, /Name must not hold an address/],
      [{ ...maria, role: 'king' }, /Role/],
      [{ ...maria, phone: '1' }, /out of date/],
      [maria, /has a member maria@example.com already/],
    ]
    for (const [body, message] of cases) {
      const answer = await invite(owner, body)
      assert.equal(answer.status, 400)
      assert.match(answer.body.error.message, message)
    }
    const stranger = await addPerson(app, other, 'admin')
    for (const id of ['memb_nobody00000', '%00', 'x', stranger.id])
      assert.equal((await owner.call('POST', `/people/${id}/invitation`)).status, 404, id)
  })

  test('people are paged by email', async () => {
    const first = (await owner.get('/people?limit=2')).body
    assert.equal(first.people.length, 2)
    const second = (await owner.get(`/people?limit=2&after=${encodeURIComponent(first.next)}`)).body
    const emails = [...first.people, ...second.people].map(({ email }: { email: string }) =>
      email.toLowerCase(),
    )
    assert.deepEqual(emails, [...new Set(emails)].sort())
    assert.equal((await owner.get('/people?limit=0')).status, 400)
    assert.equal((await owner.get('/people?after=nobody')).status, 400)
  })
})

describe('a forgotten password', () => {
  test('is chosen again by mail, and ends the sessions there were', async () => {
    const person = await addPerson(app, installer, 'manager', 'Fay', 'fay@example.com')
    const before = await signedIn(app, person)
    assert.equal((await auth('/request-password-reset', { email: 'fay@example.com' })).status, 200)
    const token = tokenIn(await mailTo('fay@example.com'), 'reset-password')
    assert.equal((await auth('/reset-password', { token, newPassword: 'a better password' })).status, 200)
    assert.equal((await before.get('/session')).status, 401)
    assert.equal(await signInStatus('fay@example.com', password), 401)
    assert.equal(await signInStatus('fay@example.com', 'a better password'), 200)
  })

  test('an unknown person is answered like a known one, and nobody is written to', async () => {
    const count = async () => (await app.database.rows('select 1 from mails')).length
    const mails = await count()
    const unknown = await auth('/request-password-reset', { email: 'nobody@example.com' })
    const known = await auth('/request-password-reset', { email: 'fay@example.com' })
    assert.deepEqual([unknown.status, unknown.body], [known.status, known.body])
    assert.equal(await count(), mails + 1)
  })

  test('a link that is none is not found', async () => {
    const open = (body: object) =>
      app.send('POST', '/console/api/password-link', { body, headers: { 'x-sunstead-console': '1' } })
    assert.equal((await open({ token: 'x' })).status, 404)
    assert.equal((await open({})).status, 400)
    assert.equal((await app.send('POST', '/console/api/password-link', { body: { token: 'x' } })).status, 403)
  })
})
