import assert from 'node:assert/strict'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keyFileIn } from '../../../../src/platform/secret-keys.ts'
import { type App, startApp } from '../../../support/app.ts'
import { sunstead } from '../../../support/commands.ts'
import { createTestDatabase, secretKey, type TestDatabase } from '../../../support/database.ts'
import { createWorld, type World } from '../../../support/factories.ts'
import { addPerson, signedIn } from '../../../support/people.ts'
import { temporaryFolder } from '../../../support/process.ts'
import { type Receiver, startPlainReceiver, verify } from '../../../support/webhook-receiver.ts'

const another = 'another key for tests that is long enough'

let database: TestDatabase
let world: World
let receiver: Receiver

before(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.db)
  receiver = await startPlainReceiver()
})
after(async () => {
  await receiver.close()
  await database.drop()
})

const start = (env: Record<string, string> = {}) =>
  startApp({ database, env: { OUTBOUND_TRUSTED_HOSTS: receiver.host, ...env } })

async function register(app: App, path: string): Promise<{ id: string; secret: string }> {
  const body = { url: receiver.url + path, events: ['*'] }
  const made = await app.call('POST', '/catalog/v1/webhooks', { key: world.installer.key, body })
  assert.equal(made.status, 201, made.text)
  return made.body
}

/** Sends a message to the endpoint and answers what arrived. */
async function tested(app: App, id: string, path: string) {
  const seen = receiver.at(path).length
  await app.call('POST', `/catalog/v1/webhooks/${id}/test`, { key: world.installer.key })
  return (await receiver.arrived(path, seen + 1)).at(-1)!
}

/** Every row of every table, as text. */
async function everything({ rows }: TestDatabase): Promise<string> {
  const tables = await rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const texts = await Promise.all(
    tables.map(({ name }) =>
      rows<{ all: string | null }>(`select string_agg(t::text, e'\\n') as all from ${name} t`),
    ),
  )
  return texts.map(([row]) => row!.all ?? '').join('\n')
}

test('who reads the whole database finds no session, no signing secret and no authenticator seed in it', async () => {
  const app = await start()
  const person = await addPerson(app, world.installer.company.id, 'owner')
  const { cookie, get } = await signedIn(app, person)
  const token = decodeURIComponent(/session_token=([^;]+)/.exec(cookie)![1]!).split('.')[0]!
  const { secret } = await register(app, '/copied')
  const own = 'a secret that the caller brought'
  await app.call('POST', '/catalog/v1/webhooks', {
    key: world.installer.key,
    body: { url: `${receiver.url}/own`, events: ['*'], secret: own },
  })
  const asked = await app.send('POST', '/console/auth/two-factor/enable', {
    body: { password: person.password },
    headers: { cookie, origin: app.url },
  })
  assert.equal(asked.status, 200, asked.text)
  const seed = new URL(asked.body.totpURI).searchParams.get('secret')!

  const copy = await everything(database)
  assert.ok(copy.includes(`${receiver.url}/copied`), 'the endpoint itself is there')
  for (const kept of [token, secret, own, seed, ...asked.body.backupCodes]) {
    assert.ok(kept.length > 5)
    assert.ok(!copy.includes(kept), `${kept.slice(0, 6)}… can be read`)
  }

  // What is kept instead lets nobody in.
  assert.equal((await get('/session')).status, 200)
  const [{ token: hash } = { token: '' }] = await database.rows<{ token: string }>(
    'select token from auth_sessions limit 1',
  )
  const forged = cookie.replace(encodeURIComponent(token), encodeURIComponent(hash))
  const answer = await app.send('GET', '/console/api/session', {
    headers: { cookie: forged, 'x-sunstead-console': '1' },
  })
  assert.equal(answer.status, 401)

  // Signed out, the session is over for good.
  await app.send('POST', '/console/auth/sign-out', { body: {}, headers: { cookie, origin: app.url } })
  assert.equal((await get('/session')).status, 401)
  await app.stop()
})

test('a new key stands before the old one, then alone; the old one alone is refused', async () => {
  const first = await start()
  const { id, secret } = await register(first, '/rotated')
  verify(await tested(first, id, '/rotated'), secret)
  await first.stop()

  const both = await start({ SECRET_KEY: `${another},${secretKey}` })
  verify(await tested(both, id, '/rotated'), secret)
  await both.stop()

  const alone = await start({ SECRET_KEY: another })
  verify(await tested(alone, id, '/rotated'), secret)
  const person = await addPerson(alone, world.installer.company.id, 'admin')
  await signedIn(alone, person)
  await alone.stop()

  await assert.rejects(start({ SECRET_KEY: secretKey }), /SECRET_KEY is not the key/)

  const back = await start({ SECRET_KEY: `${secretKey},${another}` })
  verify(await tested(back, id, '/rotated'), secret)
  await back.stop()
})

test('what an earlier version kept as it was is sealed at the next start, and goes on working', async () => {
  const app = await start()
  const { id, secret } = await register(app, '/earlier')
  await app.stop()
  const plain = JSON.stringify([{ text: secret, own: false, expiresAt: null }])
  await database.rows('update webhooks set secrets = $2 where id = $1', [id, plain])
  await database.rows(`delete from settings where name like 'secret-key%'`)
  await database.rows(`update settings set value = $1 where name = 'cursors'`, [
    Buffer.from('x'.repeat(32)).toString('base64'),
  ])

  const upgraded = await start()
  verify(await tested(upgraded, id, '/earlier'), secret)
  await upgraded.stop()
  const copy = await everything(database)
  assert.ok(!copy.includes(secret))
  assert.ok(!copy.includes(Buffer.from('x'.repeat(32)).toString('base64')))
})

test('without SECRET_KEY a file is made once, readable by its owner alone; another key or none is refused', async () => {
  const mine = await createTestDatabase()
  const folder = await temporaryFolder()
  const env = { DATA_DIR: folder.path, DATABASE_URL: mine.url }
  try {
    const open = () => startApp({ database: mine, env: { SECRET_KEY: '', DATA_DIR: folder.path } })
    await (await open()).stop()
    const path = keyFileIn(folder.path)
    const made = await readFile(path, 'utf8')
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    await (await open()).stop()
    assert.equal(await readFile(path, 'utf8'), made, 'the same file serves again')

    const rotated = await sunstead(['secret', 'rotate'], env)
    assert.equal(rotated.code, 0, rotated.stderr)
    const [newest, before] = (await readFile(path, 'utf8')).split('\n')
    assert.equal(before, made.trim())
    assert.notEqual(newest, before)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    // A server needs no more than the newest.
    await writeFile(path, `${newest}\n`)
    await (await open()).stop()

    await rm(path)
    await assert.rejects(open(), /is missing or does not hold the key/)
    await assert.rejects(stat(path), 'no new one was made beside what another sealed')
    await writeFile(path, made)
    await assert.rejects(open(), /is missing or does not hold the key/)
  } finally {
    await mine.drop()
    await folder.remove()
  }
})

test('a lost key is given up only when asked for twice: nobody is signed in, endpoints wait for a new secret', async () => {
  const mine = await createTestDatabase()
  const folder = await temporaryFolder()
  const env = { DATA_DIR: join(folder.path, 'data'), DATABASE_URL: mine.url }
  const options = { database: mine, env: { OUTBOUND_TRUSTED_HOSTS: receiver.host } }
  try {
    const app = await startApp(options)
    const actors = await createWorld(mine.db)
    const company = actors.installer.company.id
    const person = await addPerson(app, company, 'owner')
    const { get } = await signedIn(app, person)
    const registered = await app.call('POST', '/catalog/v1/webhooks', {
      key: actors.installer.key,
      body: { url: `${receiver.url}/lost`, events: ['*'] },
    })
    assert.equal(registered.status, 201)
    await app.stop()

    const asked = await sunstead(['secret', 'reset'], env)
    assert.equal(asked.code, 1)
    assert.match(asked.stderr, /--yes/)
    const done = await sunstead(['secret', 'reset', '--yes', '--json'], env)
    assert.equal(done.code, 0, done.stderr)
    assert.deepEqual(JSON.parse(done.stdout), { reset: true, webhooksDisabled: 1 })
    // With the right key there is nothing to give up.
    const again = await sunstead(['secret', 'reset', '--yes', '--json'], env)
    assert.deepEqual(JSON.parse(again.stdout), { reset: false, webhooksDisabled: 0 })

    const later = await startApp({
      ...options,
      env: { ...options.env, SECRET_KEY: '', DATA_DIR: env.DATA_DIR },
    })
    assert.equal((await get('/session').catch(() => ({ status: 0 }))).status !== 200, true)
    await signedIn(later, person)
    const list = await later.get('/catalog/v1/webhooks', actors.installer.key)
    assert.deepEqual(
      list.body.data.map(({ status }: { status: string }) => status),
      ['disabled'],
    )
    const mails = await mine.rows<{ body: string }>('select body from mails where to_address = $1', [
      person.email,
    ])
    assert.match(mails.map(({ body }) => body).join('\n'), /secret that signs its messages was lost/)
    await later.stop()
  } finally {
    await mine.drop()
    await folder.remove()
  }
})
