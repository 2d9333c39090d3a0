import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { checkPassword } from '../../src/domain/tenants/people/password-rules.ts'
import { resetAccess } from '../../src/domain/tenants/people/reset-access.ts'
import { sweepSignIns } from '../../src/domain/tenants/people/sign-in-times.ts'
import { type App, startApp } from '../support/app.ts'
import { turnOnCodes } from '../support/codes.ts'
import { sunstead } from '../support/commands.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

const dayMs = 86_400_000

test('a password is neither short nor common, nor who one is', async () => {
  const owner = {
    email: 'olga.meyer@brightridge.example',
    name: 'Olga Meyer',
    companies: ['Bright Ridge Solar'],
  }
  const refused: [string, RegExp][] = [
    ['short-one', /10 to 128 characters/],
    ['😀😁😂🤣😃😄', /10 to 128 characters/],
    ['x'.repeat(129), /10 to 128 characters/],
    ['aaaaaaaaaaaa', /too simple/],
    ['1234567890', /too simple/],
    ['9876543210', /too simple/],
    ['abcdefghijkl', /too simple/],
    ['password123', /too common/],
    ['Password2024!', /too common/],
    ['P@$$w0rd2024', /too common/],
    ['basketball', /too common/],
    ['sunshinesunshine', /too common/],
    ['qwertyuiop', /too common/],
    ['olga.meyer@brightridge.example', /must not be made of your address/],
    ['Olga.Meyer1985', /must not be made of your address/],
    ['brightridge1', /must not be made of your address/],
    ['BrightRidgeSolar', /must not be made of your address/],
    ['Sunstead2026!', /must not be made of your address/],
  ]
  for (const [password, message] of refused)
    await assert.rejects(checkPassword(password, owner), message, password)
  const taken = [
    'correct horse battery',
    'a first password ',
    'olga rides a red bike',
    'Bright Ridge sells roofs',
    '8391-7720-5516-02',
    'пароль для солнца',
    '😀🚲🌞🏠🔑🌧️🧰🐢🎈🍎',
    `${'x7'.repeat(60)}abcdefgh`,
  ]
  for (const password of taken) await assert.doesNotReject(checkPassword(password, owner), password)
})

describe('how people sign in', () => {
  let app: App
  let company: string

  before(async () => {
    app = await startApp()
    company = (await createCompany(app.server.deps.db, new Date(), { name: 'Sun & Sons' })).id
  })

  const auth = (path: string, body: unknown, cookie = '') =>
    app.send('POST', `/console/auth/${path}`, { body, headers: { origin: app.url, cookie } })
  const cookiesOf = (answer: { headers: Record<string, string | undefined> }) =>
    [answer.headers['set-cookie'] ?? []]
      .flat()
      .map((one) => one.split(';')[0])
      .join('; ')
  const mailsTo = (email: string) =>
    app.database.rows<{ subject: string; body: string }>(
      'select subject, body from mails where to_address = $1 order by created_at, id',
      [email],
    )
  const call = (method: string, path: string, cookie: string, body?: unknown) =>
    app.send(method, `/console/api${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { cookie, 'x-sunstead-console': '1' },
    })

  /** The secret of a link as better-auth keeps it: what is mailed of it is read by nobody else. */
  async function passwordLink(email: string): Promise<string> {
    const token = 'a-link-to-choose-a-password'
    const identifier = createHash('sha256').update(`reset-password:${token}`).digest('base64url')
    await app.database.rows(
      `insert into auth_verifications (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
        select 'verf_test', $1, id, now() + interval '1 hour', now(), now() from auth_users where email = $2`,
      [identifier, email],
    )
    return token
  }

  test('every way to choose a password asks for a good one', async () => {
    const person = await addPerson(app, company, 'rep', 'Ada Ash', 'ada@example.com')
    const { cookie } = await signedIn(app, person)
    const weak = 'password123'
    const change = await auth(
      'change-password',
      { currentPassword: person.password, newPassword: weak },
      cookie,
    )
    assert.equal(change.status, 400)
    assert.match(change.body.error.message, /Password is too common/)

    const token = await passwordLink(person.email)
    const reset = await auth('reset-password', { token, newPassword: 'ada@example.com' })
    assert.equal(reset.status, 400)
    assert.match(reset.body.error.message, /must not be made of your address/)
    // The link is not used up by that.
    assert.equal((await auth('reset-password', { token, newPassword: 'ten green bottles' })).status, 200)

    const given = { email: person.email, password: weak }
    const { db, addresses } = app.server.deps
    await assert.rejects(resetAccess(db, new Date(), addresses.baseUrl, given), /too common/)
  })

  test('a password of 128 characters works, however it is typed', async () => {
    const person = await addPerson(app, company, 'rep', 'Bea', 'bea@example.com')
    const { cookie } = await signedIn(app, person)
    const long = `${'🌞é'.repeat(60)}🐢ö sunup`
    const body = { currentPassword: person.password, newPassword: long.normalize('NFD').normalize('NFC') }
    assert.equal((await auth('change-password', body, cookie)).status, 200)
    await signedIn(app, { ...person, password: long.normalize('NFD') })
  })

  test('a changed password ends the other sessions and is told of; the company stays', async () => {
    const person = await addPerson(app, company, 'rep', 'Cora', 'cora@example.com')
    const dealer = (
      await createCompany(app.server.deps.db, new Date(), { name: 'Doors', installer: company })
    ).id
    const { id: memberId } = await addPerson(app, dealer, 'rep', 'Cora', person.email)
    const [here, there] = [await signedIn(app, person), await signedIn(app, person)]
    await here.call('POST', '/session/company', { body: { memberId } })
    const passwords = { currentPassword: person.password, newPassword: 'nine blue whales' }
    // Nobody has to ask for it.
    const answer = await auth('change-password', { ...passwords, revokeOtherSessions: false }, here.cookie)
    assert.equal(answer.status, 200)
    assert.ok(!answer.text.includes('token'))
    assert.equal((await there.get('/session')).status, 401)
    const session = await call('GET', '/session', cookiesOf(answer))
    assert.equal(session.body.company.id, dealer)
    const mail = (await mailsTo(person.email)).at(-1)!
    assert.equal(mail.subject, 'Your password was changed')
    assert.match(mail.body, /From: 127\.0\.0\.1/)
    assert.ok(!mail.body.includes('token='))
  })

  test('a browser is new once, and its person is told', async () => {
    const { device: _, ...person } = await addPerson(app, company, 'rep', 'Dora', 'dora@example.com')
    const first = await auth('sign-in/email', person)
    const device = /sunstead\.device=[\w-]+/.exec(cookiesOf(first))![0]
    const setting = [first.headers['set-cookie']].flat().find((one) => one!.startsWith('sunstead.device='))
    assert.match(setting!, /HttpOnly; SameSite=Lax/)
    assert.deepEqual(
      (await mailsTo(person.email)).map(({ subject }) => subject),
      ['New sign-in to your account'],
    )
    await auth('sign-in/email', person, device)
    assert.equal((await mailsTo(person.email)).length, 1)
    // Nothing that would let anybody in is kept of it.
    const kept = await app.database.rows<{ row: string }>(`select d::text as row from auth_devices d`)
    assert.ok(!kept.some(({ row }) => row.includes(device.split('=')[1]!)))
    await auth('sign-in/email', person, `sunstead.device=${'A'.repeat(43)}`)
    assert.equal((await mailsTo(person.email)).length, 2)
  })

  test('a code counts once, also for two who use it at the same time', async () => {
    const person = await addPerson(app, company, 'rep', 'Eva', 'eva@example.com')
    const { cookie } = await signedIn(app, person)
    const { code } = await turnOnCodes(app, person, cookie)
    const challenge = async () => cookiesOf(await auth('sign-in/email', person))
    const [one, two, three] = [await challenge(), await challenge(), await challenge()]
    const used = await code(0)
    const answers = await Promise.all(
      [one, two].map((c) => auth('two-factor/verify-totp', { code: used }, c)),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
    assert.equal((await auth('two-factor/verify-totp', { code: used }, three)).body.code, 'INVALID_CODE')
    assert.equal((await auth('two-factor/verify-totp', { code: 'x' }, three)).status, 400)
    assert.equal((await auth('two-factor/verify-totp', { code: await code(1) }, three)).status, 200)
  })

  test('codes that are guessed wait, whoever starts over with the password', async () => {
    const person = await addPerson(app, company, 'rep', 'Fritz', 'fritz@example.com')
    const { cookie } = await signedIn(app, person)
    const { code } = await turnOnCodes(app, person, cookie)
    const statuses = []
    for (let i = 0; i < 8; i++) {
      const challenge = cookiesOf(
        await auth('sign-in/email', { email: person.email, password: person.password }),
      )
      const path = i % 2 ? 'two-factor/verify-backup-code' : 'two-factor/verify-totp'
      statuses.push((await auth(path, { code: `00000${i}` }, challenge)).status)
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 401, 429, 429])
    // Not in the browser that is known.
    const known = `sunstead.device=${person.device}`
    const challenge = cookiesOf(await auth('sign-in/email', person, known))
    const answer = await auth('two-factor/verify-totp', { code: await code(0) }, `${known}; ${challenge}`)
    assert.equal(answer.status, 200, answer.text)
  })

  test('changed factors are told of', async () => {
    const person = await addPerson(app, company, 'rep', 'Gina', 'gina@example.com')
    const { cookie } = await signedIn(app, person)
    const on = await turnOnCodes(app, person, cookie)
    const { password } = person
    assert.equal((await auth('two-factor/generate-backup-codes', { password }, on.cookie)).status, 200)
    assert.equal((await auth('two-factor/disable', { password }, on.cookie)).status, 200)
    assert.deepEqual(
      (await mailsTo(person.email)).map(({ subject }) => subject),
      ['Authenticator codes turned on', 'New backup codes were created', 'Authenticator codes turned off'],
    )
  })

  test('a session ends 90 days after it began, or 30 days after its last use', async () => {
    const person = await addPerson(app, company, 'rep', 'Hans', 'hans@example.com')
    const { get } = await signedIn(app, person)
    const rows = () =>
      app.database.rows<{ id: string; createdAt: Date; expiresAt: Date; updatedAt: Date }>(
        `select s.* from auth_sessions s join auth_users u on u.id = s."userId" where u.email = $1`,
        [person.email],
      )
    const [session] = await rows()
    const lifetime = session!.expiresAt.getTime() - session!.createdAt.getTime()
    assert.ok(Math.abs(lifetime - 90 * dayMs) < 60_000)
    const move = (column: string, days: number) =>
      app.database.rows(`update auth_sessions set "${column}" = $2 where id = $1`, [
        session!.id,
        new Date(Date.now() - days * dayMs),
      ])

    await move('updatedAt', 29)
    assert.equal((await get('/session')).status, 200)
    const [used] = await rows()
    assert.ok(Date.now() - used!.updatedAt.getTime() < 60_000)
    assert.deepEqual(used!.expiresAt, session!.expiresAt)

    await move('updatedAt', 31)
    assert.equal((await get('/session')).status, 401)
    assert.deepEqual(await rows(), [])

    const again = await signedIn(app, person)
    await app.database.rows(
      `update auth_sessions s set "expiresAt" = now() - interval '1 second' from auth_users u
        where u.id = s."userId" and u.email = $1`,
      [person.email],
    )
    assert.equal((await again.get('/session')).status, 401)
    const old = { currentPassword: person.password, newPassword: 'seven green geese' }
    assert.equal((await auth('change-password', old, again.cookie)).status, 401)
    await signedIn(app, person)
    const db = app.server.deps.db
    const notNow = new AbortController().signal
    // More than go at once: ended, and idle for too long.
    await app.database.rows(
      `insert into auth_sessions (id, "expiresAt", token, "createdAt", "updatedAt", "userId")
        select 'swept_' || n, now() + (n % 3 - 1) * interval '1 day', 'swept_' || n, now(),
          now() - (n % 2) * interval '31 days', u.id
        from generate_series(1, 12003) n, auth_users u where u.email = $1`,
      [person.email],
    )
    await sweepSignIns(db, new Date(), notNow)
    const left = await app.database.rows(
      `select distinct "expiresAt" > now() as lasts, "updatedAt" > now() - interval '1 day' as used, count(*)::int
        from auth_sessions where token like 'swept_%' group by 1, 2`,
    )
    assert.deepEqual(left, [{ lasts: true, used: true, count: 2001 }])
    // Idle for too long, and one of the first that go has expired, too.
    await app.database.rows(
      `insert into auth_sessions (id, "expiresAt", token, "createdAt", "updatedAt", "userId")
        select 'idle_' || n, now() + case n when 1 then -1 else 1 end * interval '1 day', 'idle_' || n, now(),
          now() - interval '31 days' - (n % 7) * interval '1 second', u.id
        from generate_series(1, 12000) n, auth_users u where u.email = $1`,
      [person.email],
    )
    await sweepSignIns(db, new Date(), notNow)
    assert.deepEqual(await app.database.rows(`select id from auth_sessions where token like 'idle_%'`), [])
    await sweepSignIns(db, new Date(Date.now() + 31 * dayMs), notNow)
    assert.deepEqual(await rows(), [])
  })
})

describe('a second factor that the company requires', () => {
  let app: App
  let company: string
  let owner: Person

  before(async () => {
    app = await startApp()
    company = (await createCompany(app.server.deps.db, new Date(), { name: 'Sun & Sons' })).id
    owner = await addPerson(app, company, 'owner', 'Olga Owner', 'olga@example.com')
  })

  const auth = (path: string, body: unknown, cookie: string) =>
    app.send('POST', `/console/auth/${path}`, { body, headers: { origin: app.url, cookie } })

  test('is an owner’s to require, of owners and admins, for their own company', async () => {
    const admin = await addPerson(app, company, 'admin', 'Adam', 'adam@example.com')
    const rep = await addPerson(app, company, 'rep', 'Rosa', 'rosa@example.com')
    const dealer = (
      await createCompany(app.server.deps.db, new Date(), { name: 'Doors', installer: company })
    ).id
    const dealerOwner = await addPerson(app, dealer, 'owner', 'Dirk', 'dirk@example.com')
    const asOwner = await signedIn(app, owner)
    const asAdmin = await signedIn(app, admin)
    const refused = await asAdmin.call('PUT', '/company/second-factor', { body: { required: true } })
    assert.equal(refused.status, 403)
    const set = await asOwner.call('PUT', '/company/second-factor', { body: { required: true } })
    assert.equal(set.status, 200)

    for (const { call, get } of [asOwner, asAdmin]) {
      for (const path of ['/session', '/leads', `/companies/${company}`, '/people', '/live']) {
        const answer = await get(path)
        assert.equal(answer.status, 403, path)
        assert.equal(answer.body.error.code, 'second_factor_required')
        assert.match(answer.body.error.message, /Set one up/)
      }
      assert.equal((await call('PUT', '/company/second-factor', { body: { required: false } })).status, 403)
      assert.equal((await get('/account')).body.factorGap, 'none')
    }
    for (const person of [rep, dealerOwner])
      assert.equal((await (await signedIn(app, person)).get('/session')).status, 200)
    const [event] = await app.database.rows<{ changes: unknown }>(
      `select changes from events where type = 'company.changed' and subject_id = $1`,
      [company],
    )
    assert.deepEqual(event!.changes, { secondFactorRequired: [false, true] })
  })

  test('is set up on the way in; with less than that nothing of it is changed', async () => {
    const { cookie } = await signedIn(app, owner)
    const { cookie: strong } = await turnOnCodes(app, owner, cookie)
    const get = (path: string, held: string) =>
      app.send('GET', `/console/api${path}`, { headers: { cookie: held } })
    assert.equal((await get('/session', strong)).status, 200)
    assert.equal((await get(`/companies/${company}`, strong)).body.secondFactorRequired, true)

    // The last one stays while it is required.
    const off = await auth('two-factor/disable', { password: owner.password }, strong)
    assert.equal(off.status, 403)
    assert.match(off.body.error.message, /Sun & Sons requires a second factor/)

    // A session from before knows the password only: it may not make codes of its own.
    await app.database.rows('update auth_sessions set "secondFactor" = false')
    assert.equal((await get('/account', strong)).body.factorGap, 'unused')
    for (const path of ['two-factor/generate-backup-codes', 'two-factor/disable']) {
      const weak = await auth(path, { password: owner.password }, strong)
      assert.equal(weak.body.error.code, 'second_factor_required', path)
    }
    await app.database.rows('update auth_sessions set "secondFactor" = true')
    const dropped = await app.send('PUT', '/console/api/company/second-factor', {
      body: { required: false },
      headers: { cookie: strong, 'x-sunstead-console': '1' },
    })
    assert.equal(dropped.status, 200)
    assert.equal((await auth('two-factor/disable', { password: owner.password }, strong)).status, 200)
  })

  test('is required and not by the command line too', async () => {
    const env = { DATABASE_URL: app.database.url }
    const on = await sunstead(['company', 'second-factor', company, '--json'], env)
    assert.equal(JSON.parse(on.stdout).secondFactorRequired, true, on.stderr)
    assert.equal((await (await signedIn(app, owner)).get('/session')).status, 403)
    await sunstead(['company', 'second-factor', company, '--off'], env)
    assert.equal((await (await signedIn(app, owner)).get('/session')).status, 200)
  })
})
