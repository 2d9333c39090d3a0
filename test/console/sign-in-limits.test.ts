import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sealedForLink } from '../../src/domain/journal/mails/link-queries.ts'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { type Answer, type App, startApp } from '../support/app.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

interface From {
  /** As a proxy says it. */
  address?: string
  device?: string
  headers?: Record<string, string>
}

describe('tries to sign in', () => {
  let app: App
  let company: string
  let addresses = 0

  before(async () => {
    // The API's limit says nothing about them.
    app = await startApp({ env: { RATE_LIMIT_PER_MINUTE: '0', TRUSTED_PROXIES: '127.0.0.0/8' } })
    company = (await createCompany(app.server.deps.db, new Date(), { name: 'Sun & Sons' })).id
  })

  const newAddress = () => `198.51.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`

  const send = (path: string, body: unknown, { address = newAddress(), device, headers }: From = {}) =>
    app.send('POST', path, {
      body,
      headers: {
        origin: app.url,
        'x-forwarded-for': address,
        ...(device ? { cookie: `sunstead.device=${device}` } : {}),
        ...headers,
      },
    })
  const signIn = (email: string, password: string, from?: From) =>
    send('/console/auth/sign-in/email', { email, password }, from)

  async function wrong(times: number, email: string, from: () => From): Promise<Answer> {
    let last: Answer | undefined
    for (let i = 0; i < times; i++) last = await signIn(email, 'not the password', from())
    return last!
  }

  function assertWaits(answer: Answer): number {
    assert.equal(answer.status, 429, answer.text)
    const seconds = Number(answer.headers['retry-after'])
    assert.ok(Number.isInteger(seconds) && seconds >= 1)
    assert.equal(answer.body.error.code, 'rate_limited')
    assert.match(answer.body.error.message, /Wait \d+ (seconds|minutes), then try again/)
    return seconds
  }

  test('wait longer and longer for one person at one place, and for nobody else', async () => {
    const person = await addPerson(app, company, 'rep', 'Ava', 'ava@example.com')
    const other = await addPerson(app, company, 'rep', 'Ben', 'ben@example.com')
    const address = newAddress()
    assert.equal((await wrong(6, person.email, () => ({ address }))).status, 401)
    const wait = assertWaits(await signIn(person.email, person.password, { address }))
    assert.ok(wait <= 5)
    // Neither others at that place, nor the same person elsewhere.
    assert.equal((await signIn(other.email, other.password, { address })).status, 200)
    assert.equal((await signIn(person.email, person.password)).status, 200)
    // Nor the same person there, in a browser that they used before.
    const known = await signIn(person.email, person.password, { address, device: person.device! })
    assert.equal(known.status, 200)
  })

  test('are the same for who is not known', async () => {
    const person = await addPerson(app, company, 'rep', 'Cid', 'cid@example.com')
    const statuses = async (email: string) => {
      const address = newAddress()
      const answers = []
      for (let i = 0; i < 8; i++) answers.push(await signIn(email, 'not the password', { address }))
      return answers.map(({ status, body, headers }) => [
        status,
        body.code ?? body.error.code,
        headers['retry-after'] !== undefined,
      ])
    }
    assert.deepEqual(await statuses('nobody@example.com'), await statuses(person.email))
  })

  test('get no further all at once than one by one', async () => {
    const person = await addPerson(app, company, 'rep', 'Dan', 'dan@example.com')
    const address = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => signIn(person.email, 'not the password', { address })),
    )
    assert.equal(answers.filter(({ status }) => status === 401).length, 6)
    assert.equal(answers.filter(({ status }) => status === 429).length, 14)
  })

  test('of one place for very many people wait too; networks of IPv6 are one place', async () => {
    let last: Answer | undefined
    for (let i = 0; i < 22; i++)
      last = await signIn(`nobody-${i}@example.com`, 'guess', { address: `2001:db8:5:5::${i + 1}` })
    assertWaits(last!)
    const person = await addPerson(app, company, 'rep', 'Eli', 'eli@example.com')
    assertWaits(await signIn(person.email, person.password, { address: '2001:db8:5:5:ffff::1' }))
    assert.equal((await signIn(person.email, person.password, { address: '2001:db8:5:6::1' })).status, 200)
  })

  test('from very many places make others wait shortly, and no browser that is known', async () => {
    const person = await addPerson(app, company, 'rep', 'Fay', 'fay@example.com')
    await wrong(22, person.email, () => ({}))
    assert.ok(assertWaits(await signIn(person.email, person.password)) <= 30)
    assert.equal((await signIn(person.email, person.password, { device: person.device! })).status, 200)
    // A secret that was made up is none.
    const made = Buffer.alloc(32, 7).toString('base64url')
    assertWaits(await signIn(person.email, person.password, { device: made }))
  })

  test('count also where somebody is signed in and is asked for the password', async () => {
    const person = await addPerson(app, company, 'rep', 'Gus', 'gus@example.com')
    const { cookie } = await signedIn(app, person)
    const change = (currentPassword: string) =>
      send(
        '/console/auth/change-password',
        { currentPassword, newPassword: 'a wholly new one' },
        { headers: { cookie } },
      )
    for (let i = 0; i < 6; i++) assert.equal((await change('not the password')).status, 400)
    assertWaits(await change(person.password))
  })

  test('a link for a password is mailed a few times only, and nobody is told whose address is known', async () => {
    const person = await addPerson(app, company, 'rep', 'Hal', 'hal@example.com')
    const ask = (email: string, address = newAddress()) =>
      send('/console/auth/request-password-reset', { email }, { address })
    const many = await Promise.all(Array.from({ length: 12 }, () => ask(person.email)))
    const unknown = await ask('nobody@example.com')
    for (const { status, text } of many) assert.deepEqual([status, text], [unknown.status, unknown.text])
    const mails = await app.database.rows('select from mails where to_address = $1', [person.email])
    assert.ok(mails.length >= 1 && mails.length <= 4, `${mails.length} mails`)
    const address = newAddress()
    const asked = []
    for (let i = 0; i < 6; i++) asked.push(await ask('somebody@example.com', address))
    assertWaits(asked.at(-1)!)
  })

  test('links that are guessed wait as well', async () => {
    const address = newAddress()
    const answers = []
    for (let i = 0; i < 25; i++) {
      const body = { token: `guess-${i}`, newPassword: 'a good long password' }
      answers.push(await send('/console/auth/reset-password', body, { address }))
    }
    assert.equal(answers[0]!.body.code, 'INVALID_TOKEN')
    assertWaits(answers.at(-1)!)
    const headers = { 'x-sunstead-console': '1' }
    for (const path of ['password-link', 'invitation-link', 'invitation-link/decline'])
      assertWaits(await send(`/console/api/${path}`, { token: 'guess' }, { address, headers }))
    const joining = { token: 'guess', password: 'a good long password' }
    assertWaits(await send('/console/api/invitation-link/accept', joining, { address, headers }))
  })

  test('take only what they need of a body', async () => {
    const person = await addPerson(app, company, 'rep', 'Ivo', 'ivo@example.com')
    const answer = await send('/console/auth/sign-in/email', {
      email: person.email,
      password: person.password,
      callbackURL: 'https://elsewhere.example.com',
      rememberMe: false,
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {})
    assert.equal(answer.headers['location'], undefined)
    for (const body of ['email=a&password=b', '{"email":', '[]', '"x"', '{"email":{"a":1},"password":[]}']) {
      const odd = await app.send('POST', '/console/auth/sign-in/email', {
        raw: body,
        headers: { origin: app.url, 'content-type': 'application/json' },
      })
      assert.equal(odd.status, 400, body)
    }
    const form = await app.send('POST', '/console/auth/sign-in/email', {
      raw: 'email=ivo%40example.com&password=x',
      headers: { origin: app.url, 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(form.status, 400)
  })
})

describe('where a request came from', () => {
  const tries = (app: App, headers: Record<string, string>, times = 1) =>
    Promise.all(
      Array.from({ length: times }, () =>
        app.send('POST', '/console/auth/sign-in/email', {
          body: { email: 'nobody@example.com', password: 'not the password' },
          headers: { origin: app.url, ...headers },
        }),
      ),
    )
  const refused = (answers: Answer[]) => answers.filter(({ status }) => status === 429).length

  async function owner(app: App): Promise<Person> {
    const company = (await createCompany(app.server.deps.db, new Date(), { name: 'Sun & Sons' })).id
    return addPerson(app, company, 'owner')
  }

  async function addressOf(app: App, person: Person, headers: Record<string, string>): Promise<string> {
    const answer = await app.send('POST', '/console/auth/sign-in/email', {
      body: { email: person.email, password: person.password },
      headers: { origin: app.url, ...headers },
    })
    assert.equal(answer.status, 200)
    const [row] = await app.database.rows<{ ipAddress: string }>(
      'select "ipAddress" from auth_sessions order by "createdAt" desc limit 1',
    )
    return row!.ipAddress
  }

  test('is not what strangers say it is', async () => {
    const app = await startApp()
    const person = await owner(app)
    const said = { 'x-forwarded-for': '198.51.100.1', 'x-sunstead-address': '198.51.100.2' }
    assert.match(await addressOf(app, person, said), /^127\.0\.0\.1$/)
    const answers = []
    for (let i = 0; i < 12; i++) answers.push(...(await tries(app, { 'x-forwarded-for': `198.51.100.${i}` })))
    assert.ok(refused(answers) > 0)
    // Nor where they say that it went: mails name the public address.
    const hosts = {
      'x-forwarded-host': 'evil.example.com',
      'x-forwarded-proto': 'https',
      forwarded: 'for=198.51.100.3;host=evil.example.com;proto=https',
    }
    const reset = await app.send('POST', '/console/auth/request-password-reset', {
      body: { email: person.email },
      headers: { origin: app.url, ...hosts },
    })
    assert.equal(reset.status, 200)
    const [mail] = await app.database.rows<{ installer_id: string; id: string; link_sealed: string }>(
      `select installer_id, id, link_sealed from mails where link_kind = 'password'`,
    )
    const { addresses, box } = app.server.deps
    const link = box.open(mail!.link_sealed, sealedForLink(mail!.installer_id, mail!.id))
    assert.ok(link.startsWith(`${addresses.baseUrl}/reset-password?token=`))
    assert.ok(!link.includes('evil'))
    await app.stop()
  })

  test('is what a trusted proxy says, and one client’s tries hold up no other', async () => {
    const app = await startApp({ env: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } })
    const person = await owner(app)
    const via = (address: string) => ({ 'x-forwarded-for': address })
    assert.ok(refused(await tries(app, via('198.51.100.1'), 20)) > 0)
    assert.equal(refused(await tries(app, via('198.51.100.2'))), 0)
    // What a client put there itself stands before what the proxies add.
    assert.equal(await addressOf(app, person, via('192.0.2.9, 203.0.113.5, 10.1.2.3')), '203.0.113.5')
    assert.equal(await addressOf(app, person, via('nonsense')), '127.0.0.1')
    assert.equal(await addressOf(app, person, via('203.0.113.5:41234')), '203.0.113.5')
    await app.stop()
  })
})
