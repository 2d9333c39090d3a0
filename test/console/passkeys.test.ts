import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { type App, startApp } from '../support/app.ts'
import { createPasskey } from '../support/passkey.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

let app: App
let company: string
let owner: Awaited<ReturnType<typeof signedIn>>

before(async () => {
  app = await startApp()
  company = (await createCompany(app.server.deps.db, new Date(), { name: 'Sun & Sons' })).id
  owner = await signedIn(app, await addPerson(app, company, 'owner', 'Olga Owner'))
})

/** A browser: what it is given as cookies it sends along. */
function browser(cookie = '') {
  const kept = new Map(cookie.split('; ').map((one) => one.split('=', 2) as [string, string]))
  return async (method: 'GET' | 'POST', path: string, body: object = {}) => {
    const answer = await app.send(method, path, {
      ...(method === 'POST' ? { body } : {}),
      headers: {
        origin: app.url,
        'x-sunstead-console': '1',
        cookie: [...kept].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name, value] = set.split(';')[0]!.split('=', 2) as [string, string]
      kept.set(name, value)
    }
    return answer
  }
}
type Browser = ReturnType<typeof browser>

const device = () => createPasskey(app.server.deps.addresses.baseUrl)

async function add(send: Browser, passkey: ReturnType<typeof device>, name = 'Phone') {
  const options = await send('GET', '/console/auth/passkey/generate-register-options')
  assert.equal(options.status, 200, options.text)
  const response = passkey.register(options.body.challenge)
  return send('POST', '/console/auth/passkey/verify-registration', { response, name })
}

async function signInBy(send: Browser, passkey: ReturnType<typeof device>) {
  const options = await send('GET', '/console/auth/passkey/generate-authenticate-options')
  const response = passkey.authenticate(options.body.challenge)
  return { response, answer: await send('POST', '/console/auth/passkey/verify-authentication', { response }) }
}

const mailsTo = async ({ email }: Person) =>
  (
    await app.database.rows<{ subject: string; body: string }>(
      'select subject, body from mails where to_address = $1 order by created_at, id',
      [email],
    )
  ).filter(({ subject }) => /passkey/.test(subject))

async function trailOf({ id }: Person): Promise<string[]> {
  const { entries } = (await owner.get(`/audit?kind=security&actor=${id}&limit=200`)).body
  return entries
    .toReversed()
    .map(({ type, changes }: { type: string; changes: { to: string }[] }) =>
      [type.slice('security.'.length), ...changes.map(({ to }) => to)].join(' '),
    )
}

describe('a passkey', () => {
  test('is added and removed, each told to its person and noted for the company', async () => {
    const person = await addPerson(app, company, 'rep', 'Ada', 'ada@example.com')
    const send = browser((await signedIn(app, person)).cookie)
    const passkey = device()
    const added = await add(send, passkey)
    assert.equal(added.status, 200, added.text)

    const fresh = browser()
    const { answer, response } = await signInBy(fresh, passkey)
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await fresh('GET', '/console/api/session')).body.person.email, person.email)
    // What was sent once lets nobody in again.
    const replayed = await fresh('POST', '/console/auth/passkey/verify-authentication', { response })
    assert.ok(replayed.status >= 400)
    assert.ok((await signInBy(browser(), device())).answer.status >= 400, 'nor another one')

    const [{ id }] = (await send('GET', '/console/auth/passkey/list-user-passkeys')).body
    const stranger = await addPerson(app, company, 'rep', 'Sid', 'sid@example.com')
    const others = browser((await signedIn(app, stranger)).cookie)
    assert.ok((await others('POST', '/console/auth/passkey/delete-passkey', { id })).status >= 400)
    assert.deepEqual(
      (await mailsTo(person)).map(({ subject }) => subject),
      ['A passkey was added'],
    )
    assert.deepEqual(await mailsTo(stranger), [])
    const removed = await send('POST', '/console/auth/passkey/delete-passkey', { id })
    assert.equal(removed.status, 200, removed.text)
    const mails = await mailsTo(person)
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['A passkey was added', 'A passkey was removed'],
    )
    for (const { body } of mails) assert.match(body, /From: 127\.0\.0\.1/)
    const trail = await trailOf(person)
    assert.deepEqual(
      trail.filter((entry) => !entry.startsWith('signed_in password')),
      ['passkey_added Phone', 'signed_in passkey', 'passkey_removed'],
    )
    assert.ok((await signInBy(browser(), passkey)).answer.status >= 400, 'it is gone')
  })

  test('is shown before anything is accepted or left, where a company requires one', async () => {
    const { db } = app.server.deps
    const { id: careful } = await createCompany(db, new Date(), { name: 'Careful Solar' })
    const { id: inviting } = await createCompany(db, new Date(), { name: 'Inviting Solar' })
    const person = await addPerson(app, careful, 'admin', 'Bea', 'bea@example.com')
    const inviter = await signedIn(app, await addPerson(app, inviting, 'owner', 'Ina'))
    const passkey = device()
    assert.equal((await add(browser((await signedIn(app, person)).cookie), passkey)).status, 200)
    await app.database.rows('update companies set second_factor_required = true where id = $1', [careful])
    await app.database.rows('update auth_users set "emailVerified" = true where email = $1', [person.email])
    const invited = { email: person.email, name: 'Bea', role: 'rep' }
    assert.equal((await inviter.call('POST', '/people/invitations', { body: invited })).status, 201)
    const [mail] = (await inviter.get(`/mails?to=${person.email}`)).body.mails
    const { body } = (await inviter.get(`/mails/${mail.id}`)).body
    const token = /token=([\w-]+)/.exec(body)![1]!
    const [invitation] = await app.database.rows<{ id: string }>(
      'select id from invitations where company_id = $1',
      [inviting],
    )

    // Who knows the password only.
    const weak = browser((await signedIn(app, person)).cookie)
    const paths: [method: 'GET' | 'POST', path: string, body?: object][] = [
      ['GET', '/invitations'],
      ['POST', `/invitations/${invitation!.id}/accept`],
      ['POST', `/invitations/${invitation!.id}/decline`],
      ['POST', '/invitation-link/accept', { token }],
      ['POST', `/account/memberships/${person.id}/leave`],
    ]
    for (const [method, path, sent] of paths) {
      const answer = await weak(method, `/console/api${path}`, sent)
      assert.equal(answer.status, 403, path)
      assert.equal(answer.body.error.code, 'second_factor_required', path)
    }
    const strong = browser()
    await signInBy(strong, passkey)
    assert.equal((await strong('GET', '/console/api/invitations')).body.invitations.length, 1)
    const accepted = await strong('POST', `/console/api/invitations/${invitation!.id}/accept`)
    assert.equal(accepted.status, 200, accepted.text)
  })

  test('is the last one that stays where one is required, also when two go at the same time', async () => {
    const { id: careful } = await createCompany(app.server.deps.db, new Date(), { name: 'Guarded Solar' })
    const person = await addPerson(app, careful, 'owner', 'Cleo', 'cleo@example.com')
    const first = device()
    assert.equal((await add(browser((await signedIn(app, person)).cookie), first)).status, 200)
    await app.database.rows('update companies set second_factor_required = true where id = $1', [careful])
    const send = browser()
    await signInBy(send, first)
    for (let round = 0; round < 4; round++) {
      assert.equal((await add(send, device(), `Key ${round}`)).status, 200)
      const passkeys: { id: string }[] = (await send('GET', '/console/auth/passkey/list-user-passkeys')).body
      assert.equal(passkeys.length, 2)
      const gone = await Promise.all(
        passkeys.map(({ id }) => send('POST', '/console/auth/passkey/delete-passkey', { id })),
      )
      const statuses = gone.map(({ status }) => status).sort()
      assert.equal(statuses[0], 200, JSON.stringify(statuses))
      assert.ok([403, 503].includes(statuses[1]!), JSON.stringify(statuses))
      const left = (await send('GET', '/console/auth/passkey/list-user-passkeys')).body
      assert.equal(left.length, 1)
      const last = await send('POST', '/console/auth/passkey/delete-passkey', { id: left[0].id })
      assert.equal(last.status, 403, last.text)
      assert.match(last.text, /Guarded Solar requires a second factor/)
    }
  })
})
