import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'
import pino from 'pino'
import { resetAccess } from '../../src/domain/tenants/people/reset-access.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, type World } from '../support/factories.ts'
import { addPerson, type Person, password, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>
interface Entry {
  type: string
  actor: { kind: string; id: string | null; name: string | null }
  name: string | null
  address: string | null
  device: string | null
  times: number
  changes: { field: string; to: unknown }[]
}

let app: App
let world: World
let owner: Client
const lines: string[] = []
const device = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1'

before(async () => {
  app = await startApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  world = await createWorld(app.database.db)
  app.server.deps.log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
})

let people = 0
const somebody = (name: string): Promise<Person> =>
  addPerson(app, world.installer.company.id, 'manager', name, `person${++people}@example.com`)

interface Asked {
  body?: object
  cookie?: string
  address?: string
}

async function ask(method: string, path: string, { body, cookie, address = '203.0.113.9' }: Asked = {}) {
  const answer = await app.send(method, `/console/auth/${path}`, {
    ...(method === 'POST' ? { body: body ?? {} } : {}),
    headers: {
      origin: app.url,
      'user-agent': device,
      'x-forwarded-for': address,
      ...(cookie ? { cookie } : {}),
    },
  })
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0]!)
  return { ...answer, cookie: cookies.join('; ') }
}

/** What the log tells of a person, the oldest first. */
async function told(client: Client, { id }: Person): Promise<Entry[]> {
  const { status, body } = await client.get(`/audit?kind=security&actor=${id}&limit=200`)
  assert.equal(status, 200)
  return body.entries.toReversed()
}

const short = (entries: Entry[]) =>
  entries.map(({ type, changes }) =>
    [type.slice('security.'.length), ...changes.map(({ to }) => to)].join(' '),
  )

describe('signing in, in the security trail', () => {
  test('who came and went, from where, with what', async () => {
    const rita = await somebody('Rita')
    const { cookie } = await ask('POST', 'sign-in/email', { body: { email: rita.email, password } })
    assert.equal((await ask('POST', 'sign-out', { cookie })).status, 200)
    const entries = await told(owner, rita)
    assert.deepEqual(short(entries), ['signed_in password', 'signed_out'])
    for (const entry of entries)
      assert.deepEqual([entry.actor.name, entry.address, entry.device], ['Rita', '203.0.113.9', device])
    await ask('POST', 'sign-out', { cookie })
    assert.equal((await told(owner, rita)).length, 2)
  })

  test('failures are counted, by whomever they were, and hold nothing that was typed', async () => {
    const rita = await somebody('Rita')
    for (let n = 0; n < 4; n++)
      await ask('POST', 'sign-in/email', {
        body: { email: rita.email.toUpperCase(), password: 'typed wrongly' },
      })
    const entries = await told(owner, rita)
    assert.deepEqual(
      entries.map(({ type, actor, name, times }) => [type, actor.kind, actor.name, name, times]),
      [['security.sign_in_failed', 'visitor', null, 'Rita', 4]],
    )
    assert.doesNotMatch(JSON.stringify(entries), /typed wrongly/)
  })

  test('tries that come too early are noted too, once for each place', async () => {
    const rita = await somebody('Rita')
    const statuses = []
    for (let n = 0; n < 8; n++)
      statuses.push(
        (
          await ask('POST', 'sign-in/email', {
            body: { email: rita.email, password: 'typed wrongly' },
            address: '203.0.113.77',
          })
        ).status,
      )
    assert.ok(statuses.filter((status) => status === 429).length > 1, statuses.join())
    const held = (await told(owner, rita)).filter(({ type }) => type === 'security.sign_in_held_back')
    assert.deepEqual(
      held.map(({ actor, name, address, changes }) => [actor.kind, name, address, changes[0]!.to]),
      [['visitor', 'Rita', '203.0.113.77', 'password']],
    )
  })

  test('who is not here is a line of the log and a count, without what was typed', async () => {
    await ask('POST', 'sign-in/email', {
      body: { email: 'secret-pass@example.com', password: 'typed wrongly' },
    })
    assert.ok(lines.some((line) => /no account here/.test(line)))
    assert.doesNotMatch(lines.join('\n'), /secret-pass|typed wrongly/)
    assert.match((await app.send('GET', '/metrics')).text, /sign_in_failures_total [1-9]/)
  })

  test('passwords and factors, changed by the person', async () => {
    const rita = await somebody('Rita')
    const { cookie } = await ask('POST', 'sign-in/email', { body: { email: rita.email, password } })
    const next = 'another horse battery 77'
    await ask('POST', 'change-password', { cookie, body: { currentPassword: 'not this', newPassword: next } })
    const changed = await ask('POST', 'change-password', {
      cookie,
      body: { currentPassword: password, newPassword: next },
    })
    assert.equal(changed.status, 200, changed.text)
    const now = changed.cookie || cookie
    const { body } = await ask('POST', 'two-factor/enable', { cookie: now, body: { password: next } })
    const seed = new URL(body.totpURI).searchParams.get('secret')!
    const code = await createOTP(new TextDecoder().decode(base32.decode(seed))).totp()
    const turned = await ask('POST', 'two-factor/verify-totp', { cookie: now, body: { code } })
    assert.equal(turned.status, 200, turned.text)
    const strong = turned.cookie || now
    const made = await ask('POST', 'two-factor/generate-backup-codes', {
      cookie: strong,
      body: { password: next },
    })
    assert.equal(made.status, 200, made.text)
    const challenge = await ask('POST', 'sign-in/email', { body: { email: rita.email, password: next } })
    await ask('POST', 'two-factor/verify-totp', { cookie: challenge.cookie, body: { code: '000000' } })
    const backup = { code: made.body.backupCodes[0] }
    const came = await ask('POST', 'two-factor/verify-backup-code', {
      cookie: challenge.cookie,
      body: backup,
    })
    assert.equal(came.status, 200, came.text)
    const off = await ask('POST', 'two-factor/disable', { cookie: came.cookie, body: { password: next } })
    assert.equal(off.status, 200, off.text)
    const entries = await told(owner, rita)
    assert.deepEqual(short(entries), [
      'signed_in password',
      'sign_in_failed password',
      'password_changed',
      'codes_turned_on',
      'backup_codes_made',
      'sign_in_failed code',
      'signed_in backupCode',
      'codes_turned_off',
    ])
    const text = JSON.stringify(entries)
    for (const secret of [next, seed, code, backup.code]) assert.ok(!text.includes(secret), secret)
  })

  test('a link to a password: asked for by anybody, used by who has it', async () => {
    const rita = await somebody('Rita')
    await ask('POST', 'request-password-reset', { body: { email: rita.email } })
    const [mail] = await app.database.rows<{ sealed: string; installerId: string; id: string }>(
      `select link_sealed as sealed, installer_id as "installerId", id from mails
       where to_address = $1 and subject = 'Choose a new password'`,
      [rita.email],
    )
    const { sealed, installerId, id } = mail!
    const link = app.server.deps.box.open(sealed, `mail-link:${installerId}:${id}`)
    const token = new URL(link).searchParams.get('token')!
    const chosen = await ask('POST', 'reset-password', {
      body: { token, newPassword: 'another horse battery 78' },
    })
    assert.equal(chosen.status, 200, chosen.text)
    const entries = await told(owner, rita)
    assert.deepEqual(short(entries), ['password_reset_asked', 'password_reset'])
    assert.deepEqual(
      entries.map(({ actor }) => actor.kind),
      ['visitor', 'member'],
    )
    assert.ok(!JSON.stringify(entries).includes(token))
  })

  test('whoever runs the server gives a password', async () => {
    const rita = await somebody('Rita')
    const { password: given } = await resetAccess(app.server.deps.db, new Date(), app.url, {
      email: rita.email,
    })
    const { body } = await owner.get(`/audit?kind=security&record=${rita.id}`)
    const [entry] = body.entries as Entry[]
    assert.deepEqual(
      [entry?.type, entry?.actor.name, entry?.name],
      ['security.password_given', 'Command line', 'Rita'],
    )
    assert.ok(!JSON.stringify(body).includes(given))
  })

  test('sessions that somebody ends, and the company they go over to', async () => {
    const email = 'sam@example.com'
    const sam = await addPerson(app, world.installer.company.id, 'manager', 'Sam', email)
    const there = await addPerson(app, world.dealer.company.id, 'owner', 'Sam', email)
    await signedIn(app, sam)
    const client = await signedIn(app, sam)
    const [other] = (await client.get('/account')).body.sessions.filter(
      ({ current }: { current: boolean }) => !current,
    )
    assert.equal((await client.call('DELETE', `/account/sessions/${other.id}`)).status, 200)
    assert.equal((await client.call('DELETE', '/account/sessions')).status, 200)
    assert.equal(
      (await client.call('POST', '/session/company', { body: { memberId: there.id } })).status,
      200,
    )
    assert.deepEqual(short(await told(client, there)), [
      'signed_in password',
      'signed_in password',
      'session_ended',
      'sessions_ended',
      'company_entered',
    ])
    assert.ok(!short(await told(owner, sam)).includes('company_entered'))
  })
})
