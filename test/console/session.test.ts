import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { updateCompany } from '../../src/domain/tenants/companies/update-company.ts'
import { updateMember } from '../../src/domain/tenants/members/update-member.ts'
import { type App, startApp } from '../support/app.ts'
import { sunstead } from '../support/commands.ts'
import { secretKey } from '../support/database.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

describe('a person’s session', () => {
  let app: App
  let installer: string
  let dealer: string
  let owner: Person

  before(async () => {
    app = await startApp()
    const { db } = app.server.deps
    installer = (await createCompany(db, new Date(), { name: 'Sun & Sons' })).id
    dealer = (await createCompany(db, new Date(), { name: 'Dealer', installer })).id
    owner = await addPerson(app, installer, 'owner', 'Olga Owner', 'olga@example.com')
  })

  test('nobody is told nothing', async () => {
    const answer = await app.send('GET', '/console/api/session')
    assert.equal(answer.status, 401)
    assert.equal(answer.body.error.code, 'unauthorized')
  })

  test('a key is no session', async () => {
    const answer = await app.send('GET', '/console/api/session', { key: 'psk_something' })
    assert.equal(answer.status, 401)
  })

  test('a wrong password does not sign in', async () => {
    await assert.rejects(signedIn(app, { ...owner, password: 'not the password' }), /could not sign in: 401/)
  })

  test('who signed in reads who they are', async () => {
    const { get } = await signedIn(app, owner)
    const { status, body } = await get('/session')
    assert.equal(status, 200)
    assert.equal(body.person.name, 'Olga Owner')
    assert.equal(body.role, 'owner')
    assert.deepEqual(body.can, { runCompany: true, runProjects: true, settings: true, approve: true })
    assert.deepEqual(body.companies.map(({ id }: { id: string }) => id).sort(), [installer, dealer].sort())
  })

  test('a page of another site changes nothing', async () => {
    const { call } = await signedIn(app, owner)
    const { body } = await call('GET', '/session')
    const send = (headers: Record<string, string>) =>
      call('POST', '/session/company', { body: { memberId: body.memberId }, headers })
    assert.equal((await send({ 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await send({ 'sec-fetch-site': 'same-origin' })).status, 200)
  })

  test('a second company is a switch away, a third one is not', async () => {
    await addPerson(app, dealer, 'rep', 'Olga Owner', 'olga@example.com')
    const { call } = await signedIn(app, owner)
    const { body } = await call('GET', '/session')
    const other = body.choices.find(({ companyName }: { companyName: string }) => companyName === 'Dealer')
    assert.equal((await call('POST', '/session/company', { body: { memberId: other.memberId } })).status, 200)
    const after = (await call('GET', '/session')).body
    assert.equal(after.company.id, dealer)
    assert.equal(after.can.runCompany, false)
    assert.deepEqual(
      after.companies.map(({ id }: { id: string }) => id),
      [dealer],
    )
    assert.equal((await call('POST', '/session/company', { body: { memberId: 'memb_nobody' } })).status, 404)
  })
})

describe('an account', () => {
  let app: App
  let company: string

  before(async () => {
    app = await startApp()
    company = (await createCompany(app.server.deps.db, new Date(), { name: 'Sun & Sons' })).id
  })

  test('lists the sessions there are, and ends them', async () => {
    const person = await addPerson(app, company, 'rep', 'Rosa', 'rosa@example.com')
    const [here, there] = [await signedIn(app, person), await signedIn(app, person)]
    await signedIn(app, person)
    const { sessions, asksForCodes } = (await here.get('/account')).body
    assert.equal(asksForCodes, false)
    assert.equal(sessions.length, 3)
    assert.equal(sessions.filter(({ current }: { current: boolean }) => current).length, 1)
    assert.ok(!JSON.stringify(sessions).includes('token'))

    const own = (await there.get('/account')).body.sessions.find((s: { current: boolean }) => s.current)
    const stranger = await signedIn(app, await addPerson(app, company, 'setter'))
    for (const id of [own.id, 'nothing', '%00'])
      assert.equal((await stranger.call('DELETE', `/account/sessions/${id}`)).status, 404)
    assert.equal((await here.call('DELETE', `/account/sessions/${own.id}`)).status, 200)
    assert.equal((await there.get('/session')).status, 401)
    assert.equal((await here.call('DELETE', '/account/sessions')).status, 200)
    assert.equal((await here.get('/account')).body.sessions.length, 1)
    assert.equal((await stranger.get('/session')).status, 200)
  })

  test('who is deactivated has no access at once, nor who works for a suspended company', async () => {
    const { db } = app.server.deps
    const person = await addPerson(app, company, 'manager')
    const { get } = await signedIn(app, person)
    assert.equal((await get('/session')).status, 200)
    await updateMember(db, new Date(), company, person.id, { active: false })
    const refused = await get('/session')
    assert.equal(refused.status, 403)
    assert.match(refused.body.error.message, /your access was ended, or the company is suspended/)
    await updateMember(db, new Date(), company, person.id, { active: true })
    assert.equal((await get('/session')).status, 200)
    await updateCompany(db, new Date(), company, { status: 'suspended' })
    assert.equal((await get('/session')).status, 403)
    await updateCompany(db, new Date(), company, { status: 'active' })
  })

  test('signing out ends the session', async () => {
    const { get, cookie } = await signedIn(app, await addPerson(app, company, 'admin'))
    const out = await app.send('POST', '/console/auth/sign-out', {
      body: {},
      headers: { origin: app.url, cookie },
    })
    assert.equal(out.status, 200)
    assert.equal((await get('/session')).status, 401)
  })

  test('what the pages do not use of signing in is not there', async () => {
    const { cookie } = await signedIn(app, await addPerson(app, company, 'owner'))
    const send = (method: string, path: string) =>
      app.send(method, `/console/auth/${path}`, {
        headers: { origin: app.url, cookie },
        ...(method === 'POST'
          ? { body: { name: 'X', email: 'x@example.com', password: 'correct horse' } }
          : {}),
      })
    for (const path of ['sign-up/email', 'update-user', 'change-email', 'delete-user', 'update-session'])
      assert.equal((await send('POST', path)).status, 404, path)
    for (const path of ['list-sessions', 'get-session', '', '%00'])
      assert.equal((await send('GET', path)).status, 404, path)
    const host = await app.send('POST', '/console/auth/sign-out', { headers: { host: 'a b' }, body: {} })
    assert.equal(host.status, 400)
  })
})

describe('the first run', () => {
  const first = {
    company: 'First Light',
    timezone: 'America/Denver',
    name: 'Fiona First',
    email: 'Fiona@example.com',
    password: 'a first password ',
  }
  let app: App
  let code: string
  const setUp = (body: object) =>
    app.send('POST', '/console/api/set-up', { body, headers: { 'x-sunstead-console': '1' } })

  before(async () => {
    app = await startApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
    code = app.server.setUpCode!
  })

  test('is told of, and refuses what is not right', async () => {
    assert.deepEqual((await app.send('GET', '/console/api/entrance')).body, {
      fresh: true,
      passkeysAt: null,
      sendsMail: false,
    })
    const cases: [object, RegExp][] = [
      [{ ...first, code, password: 'short' }, /Password must have 10 to 128/],
      [{ ...first, code, password: 'password123' }, /Password is too common/],
      [{ ...first, code, timezone: 'Mars/Base' }, /no time zone/],
      [{ ...first, code, email: 'nonsense' }, /Email/],
      [{ ...first, code, company: ' ' }, /Company/],
      [first, /Code is required/],
      [{}, /Company is required/],
    ]
    for (const [body, message] of cases) {
      const answer = await setUp(body)
      assert.equal(answer.status, 400)
      assert.match(answer.body.error.message, message)
    }
    assert.equal((await app.send('GET', '/console/api/entrance')).body.fresh, true)
  })

  test('is not for whoever comes first: it takes the code that the server printed', async () => {
    assert.match(code, /^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$/)
    const guess = (guessed: string, address: string) =>
      app.send('POST', '/console/api/set-up', {
        body: { ...first, code: guessed },
        headers: { 'x-sunstead-console': '1', 'x-forwarded-for': address },
      })
    const answers = []
    for (let i = 0; i < 25; i++) answers.push(await guess('00000-00000-00000-00000', '198.51.100.1'))
    assert.equal(answers[0]!.status, 403)
    assert.match(answers[0]!.body.error.message, /npx sunstead setup-code/)
    assert.equal(answers.at(-1)!.status, 429)
    assert.ok(Number(answers.at(-1)!.headers['retry-after']) >= 1)
    assert.equal((await guess('', '198.51.100.2')).status, 403)
    assert.equal((await app.send('GET', '/console/api/entrance')).body.fresh, true)
    // A second server on this database, and the command line, say the same one.
    const { stdout, stderr } = await sunstead(['setup-code', '--json'], {
      DATABASE_URL: app.database.url,
      SECRET_KEY: secretKey,
    })
    assert.deepEqual(JSON.parse(stdout), { code }, stderr)
  })

  // The password ends with a space, and is what was typed.
  test('makes the company and its owner, who signs in; and it is made once', async () => {
    const typed = { ...first, code: ` ${code.toLowerCase().replaceAll('-', ' ')}` }
    const answers = await Promise.all([setUp(typed), setUp(typed)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    assert.equal((await app.send('GET', '/console/api/entrance')).body.fresh, false)
    const { get } = await signedIn(app, { email: 'fiona@example.com', password: first.password })
    const { company, role } = (await get('/session')).body
    assert.deepEqual([company.name, company.timezone, role], ['First Light', 'America/Denver', 'owner'])
    assert.equal((await setUp({ ...typed, email: 'second@example.com' })).status, 400)
    const { stdout } = await sunstead(['setup-code'], {
      DATABASE_URL: app.database.url,
      SECRET_KEY: secretKey,
    })
    assert.match(stdout, /A company is here already/)
    assert.deepEqual(await app.database.rows(`select from settings where name = 'set-up-code'`), [])
  })
})
