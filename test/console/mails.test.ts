import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { writeMail } from '../../src/domain/journal/mails/write-mail.ts'
import { type App, startApp } from '../support/app.ts'
import { type Actors, createWorld, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>
interface Row {
  id: string
  to: string
  subject: string
  state: string
}

let app: App
let world: World
let olga: Person
let owner: Client
let admin: Client
let dealersOwner: Client

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  const { installer, dealer } = world
  olga = await addPerson(app, installer.company.id, 'owner', 'Olga Owner')
  owner = await signedIn(app, olga)
  admin = await signedIn(app, await addPerson(app, installer.company.id, 'admin', 'Adam Admin'))
  dealersOwner = await signedIn(app, await addPerson(app, dealer.company.id, 'owner', 'Dora Owner'))
})

async function mail(of: Actors, subject: string, { to = 'ada@example.com', state = 'queued' } = {}) {
  const { installerId, id: companyId } = of.company
  const id = await writeMail(world.db, new Date(), { installerId, companyId, to, subject, body: 'Hello Ada' })
  await app.database.rows(
    `update mails set state = $2, attempts = 5, last_error = 'no such box' where id = $1`,
    [id, state],
  )
  return id
}

const invite = (client: Client, email: string, role: string, company?: string) =>
  client.call('POST', '/people/invitations', {
    body: { email, role, name: 'Maria', ...(company ? { company } : {}) },
  })
const mailsTo = async (client: Client, to: string): Promise<Row[]> =>
  (await client.get(`/mails?to=${encodeURIComponent(to)}`)).body.mails
const readTo = async (client: Client, to: string) =>
  (await client.get(`/mails/${(await mailsTo(client, to))[0]!.id}`)).body

describe('the outbox', () => {
  test('lists the newest first, by state and address, in pages', async () => {
    const first = await mail(world.installer, 'First', { state: 'sent' })
    const second = await mail(world.dealer, 'Second', { state: 'failed', to: 'Bo@Example.com' })
    const third = await mail(world.installer, 'Third')
    const ids = async (query: string) =>
      (await owner.get(`/mails${query}`)).body.mails.map(({ id }: Row) => id)
    assert.deepEqual(await ids(''), [third, second, first])
    assert.deepEqual(await ids('?state=failed'), [second])
    assert.deepEqual(await ids('?state=sent'), [first])
    assert.deepEqual(await ids('?state=queued&to=ada@example.com'), [third])
    assert.deepEqual(await ids('?to=bo@example.com'), [second])
    await app.database.rows(`update mails set lease = 'a sender' where id = $1`, [third])
    assert.deepEqual([await ids('?state=sending'), await ids('?state=queued')], [[third], []])
    assert.equal((await owner.get(`/mails/${third}`)).body.state, 'sending')
    await app.database.rows('update mails set lease = null where id = $1', [third])
    const page = (await owner.get('/mails?limit=2')).body
    assert.deepEqual([page.mails.length, page.sendsMail], [2, false])
    assert.deepEqual(await ids(`?limit=2&after=${page.next}`), [first])
    for (const query of ['?state=lost', '?limit=0', '?after=x', '?to=', '?x=1'])
      assert.equal((await owner.get(`/mails${query}`)).status, 400, query)
  })

  test('a dealer reads their own; foreign ones are not there', async () => {
    const installers = await mail(world.installer, 'Ours')
    const dealers = await mail(world.dealer, 'Theirs')
    const foreign = await mail(world.other, 'Foreign')
    const subjects = (await dealersOwner.get('/mails')).body.mails.map(({ subject }: Row) => subject)
    assert.deepEqual(subjects, ['Theirs', 'Second'])
    assert.equal((await dealersOwner.get(`/mails/${dealers}`)).body.body, 'Hello Ada')
    for (const [client, id] of [
      [dealersOwner, installers],
      [owner, foreign],
      [owner, 'mail_none000000'],
      [owner, '%00'],
    ] as const)
      assert.equal((await client.get(`/mails/${id}`)).status, 404, id)
    assert.equal((await owner.get(`/mails/${dealers}`)).status, 200)
  })

  test('what has failed is sent again, and nothing else', async () => {
    const failed = await mail(world.installer, 'Failed', { state: 'failed' })
    assert.equal((await owner.get(`/mails/${failed}`)).body.lastError, 'no such box')
    assert.equal((await admin.call('POST', `/mails/${failed}/again`)).status, 200)
    const { state, attempts } = (await owner.get(`/mails/${failed}`)).body
    assert.deepEqual([state, attempts], ['queued', 0])
    assert.equal((await admin.call('POST', `/mails/${failed}/again`)).status, 400)
    assert.equal((await dealersOwner.call('POST', `/mails/${failed}/again`)).status, 404)
  })

  test('every kind is shown with made-up names', async () => {
    const { samples } = (await owner.get('/mails/samples')).body
    const kinds = new Set(samples.map(({ kind }: { kind: string }) => kind))
    for (const kind of ['invitation', 'password', 'stageAlert', 'webhookDisabled'])
      assert.ok(kinds.has(kind), kind)
    assert.match(samples[0].body, /Olga Owner has invited you to join Sunrise Solar/)
  })
})

describe('an address that lets somebody in', () => {
  test('is readable in an invitation where no mail is sent, by who decides about it', async () => {
    assert.equal((await invite(owner, 'maria@example.com', 'rep')).status, 201)
    for (const client of [owner, admin]) {
      const { body, hidesLink } = await readTo(client, 'maria@example.com')
      assert.match(body, /\/invitation\?token=[\w-]{20,}/)
      assert.equal(hidesLink, false)
    }
    const dealer = world.dealer.company.id
    assert.equal((await invite(owner, 'dina@example.com', 'rep', dealer)).status, 201)
    for (const client of [admin, dealersOwner])
      assert.match((await readTo(client, 'dina@example.com')).body, /token=/)
  })

  test('of an owner is for owners only', async () => {
    assert.equal((await invite(owner, 'second@example.com', 'owner')).status, 201)
    assert.match((await readTo(owner, 'second@example.com')).body, /token=/)
    const hidden = await readTo(admin, 'second@example.com')
    assert.doesNotMatch(hidden.body, /token/)
    assert.equal(hidden.hidesLink, true)
  })

  test('of somebody who is invited elsewhere too is each company’s own', async () => {
    const otherOwner = await signedIn(
      app,
      await addPerson(app, world.other.company.id, 'owner', 'Otto Owner'),
    )
    assert.equal((await invite(owner, 'both@example.com', 'rep')).status, 201)
    assert.equal((await invite(otherOwner, 'both@example.com', 'admin')).status, 201)
    const tokens = []
    for (const client of [owner, otherOwner]) {
      assert.equal((await mailsTo(client, 'both@example.com')).length, 1)
      tokens.push(/token=([\w-]+)/.exec((await readTo(client, 'both@example.com')).body)?.[1])
    }
    assert.notEqual(tokens[0], tokens[1])
  })

  test('stands in no table as it is, and is erased when it is of no use any more', async () => {
    assert.equal((await invite(owner, 'erased@example.com', 'rep')).status, 201)
    const { id, body } = await readTo(owner, 'erased@example.com')
    const token = /token=([\w-]+)/.exec(body)![1]!
    const kept = async () =>
      JSON.stringify([
        await app.database.rows('select * from mails where id = $1', [id]),
        await app.database.rows('select * from invitations'),
        await app.database.rows('select * from auth_verifications'),
      ])
    assert.ok(!(await kept()).includes(token))
    assert.match(await kept(), /"link_sealed":"sealed:/)
    const { people } = (await owner.get('/people')).body
    const person = people.find(({ email }: { email: string }) => email === 'erased@example.com')
    assert.equal((await owner.call('POST', `/people/${person.id}/invitation/withdraw`)).status, 200)
    const after = await readTo(owner, 'erased@example.com')
    assert.deepEqual([after.hidesLink, after.state], [true, 'failed'])
    assert.doesNotMatch(after.body, /token/)
    const [row] = await app.database.rows<{ link_sealed: string | null }>(
      'select link_sealed from mails where id = $1',
      [id],
    )
    assert.equal(row!.link_sealed, null)
    const again = await owner.call('POST', `/mails/${id}/again`)
    assert.equal(again.status, 400)
    assert.match(again.body.error.message, /Write another one/)
  })

  test('to choose a new password is shown to nobody', async () => {
    const { email } = await addPerson(app, world.installer.company.id, 'rep', 'Fay', 'fay@example.com')
    await app.send('POST', '/console/auth/request-password-reset', {
      body: { email },
      headers: { origin: app.url },
    })
    const { subject, body, hidesLink } = await readTo(owner, email)
    assert.equal(subject, 'Choose a new password')
    assert.equal(hidesLink, true)
    assert.doesNotMatch(body, /token/)
  })

  test('is shown to nobody where mail is sent', async () => {
    const sending = await startApp({ database: app.database, env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    const there = await signedIn(sending, olga)
    const { body, hidesLink } = await readTo(there, 'maria@example.com')
    assert.equal(hidesLink, true)
    assert.doesNotMatch(body, /token/)
    await sending.stop()
  })
})
