import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { migrateQueue } from '../../src/platform/queue.ts'
import { type App, startApp } from '../support/app.ts'
import { dropDatabase, onServer, type TestDatabase, withDatabase } from '../support/database.ts'
import { createWorld, leadBody, member, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { root } from '../support/process.ts'

/** One whose C library makes letters small: it takes a dotted capital I for an i. */
async function libcDatabase(): Promise<TestDatabase> {
  const name = `test_libc_${process.pid}_${randomBytes(4).toString('hex')}`
  await onServer(
    `create database ${name} template template0 encoding 'UTF8' locale_provider libc locale 'C.UTF-8'`,
  )
  const url = withDatabase(process.env.TEST_DATABASE_URL!, name)
  const db = openDatabase(url, () => {})
  await migrate(url)
  await migrateQueue(url, createLog('silent'))
  return {
    url,
    db,
    rows: (text, values = []) => db.query({ name: '', text }, values),
    async drop() {
      await db.close()
      await dropDatabase(name)
    },
  }
}

let app: App
let database: TestDatabase
let world: World

before(async () => {
  database = await libcDatabase()
  app = await startApp({ database })
  world = await createWorld(database.db)
})
after(async () => {
  await app.stop()
  await database.drop()
})

const auth = (path: string, body: object) =>
  app.send('POST', `/console/auth${path}`, { body, headers: { origin: app.url } })

describe('on a database whose locale makes capitals small in its own way', () => {
  test('nobody gets another’s link or account by a letter that becomes the same', async () => {
    const { db } = app.server.deps
    const [{ same }] = (await database.rows<{ same: boolean }>(`select lower('İ') = 'i' as same`)) as [
      { same: boolean },
    ]
    const other = (await createCompany(db, new Date(), { name: 'Other Solar' })).id
    const leon = await addPerson(app, world.installer.company.id, 'owner', 'Leon', 'leon@brightridge.example')
    const attacker = await signedIn(app, await addPerson(app, other, 'owner'))
    const typed = 'leon@brİghtridge.example'
    const body = { email: typed, name: 'Leon', role: 'rep' }
    assert.equal((await attacker.call('POST', '/people/invitations', { body })).status, 201)
    const [mail] = (await attacker.get(`/mails?to=${encodeURIComponent(typed)}`)).body.mails
    assert.equal(mail.to, 'leon@xn--brightridge-6lg.example')
    const token = /token=([\w-]+)/.exec((await attacker.get(`/mails/${mail.id}`)).body.body)![1]!
    const accepted = await app.send('POST', '/console/api/invitation-link/accept', {
      body: { token, password: 'the attackers password' },
      headers: { 'x-sunstead-console': '1' },
    })
    assert.equal(accepted.status, 200, 'another person, by another account')
    const asLeon = await signedIn(app, leon)
    assert.equal((await asLeon.get('/session')).body.choices.length, 1)
    const session = await signedIn(app, { email: typed, password: 'the attackers password' })
    assert.equal((await session.get('/session')).body.company.name, 'Other Solar')

    // Nor is a link for Leon's password written to what is typed.
    const count = async () =>
      (await database.rows(`select 1 from mails where to_address = $1`, [leon.email])).length
    assert.equal((await auth('/request-password-reset', { email: typed })).status, 200)
    assert.equal(await count(), 0)
    assert.equal((await auth('/request-password-reset', { email: ' LEON@Brightridge.EXAMPLE ' })).status, 200)
    assert.equal(await count(), 1)
    for (const email of [
      '\u212Aim@example.com',
      'leon@@brightridge.example',
      'leon\u202e@brightridge.example',
    ])
      assert.equal((await auth('/sign-in/email', { email, password: leon.password })).status, 400, email)
    assert.ok(same, 'this database would have taken one for the other')
  })

  test('a rep is known by any way to write their address; a customer’s is answered as it came', async () => {
    const rep = await member(world, world.installer, 'Bea Bücher')
    await database.rows(`update members set email = 'bea@xn--bcher-kva.example' where id = $1`, [rep.id])
    await database.rows('update tenant_clocks set directory_version = directory_version + 1')
    const { key } = world.installer
    for (const salesRepEmail of ['Bea@BÜCHER.example', 'bea@xn--bcher-kva.EXAMPLE']) {
      const body = { ...leadBody, email: 'Ada.M@Example.COM', salesRepEmail }
      const made = (await app.call('POST', '/v1/leads', { key, body })).body
      const read = (await app.get(`/v1/leads/${made.leadId}`, key)).body
      assert.equal(read.salesRep?.name, 'Bea Bücher', salesRepEmail)
      assert.equal(read.customer.email, 'Ada.M@Example.COM')
    }
  })
})

test('no statement lets the database make an address small', () => {
  const found = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /\b(?:i?like|lower|upper)\([^)]*(?:email|address)[^)]*\)/gi,
      ),
    ].map(([text]) => `${file}: ${text}`),
  )
  assert.deepEqual(found, [])
})
