import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sweepSubmissions } from '../../src/domain/journal/submissions/submission.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, leadBody, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { tracesInDatabase } from '../support/traces.ts'

type Session = Awaited<ReturnType<typeof signedIn>>

let app: App
let world: World
let person: Person
let owner: Session
let colleague: Session
let stranger: Session

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  person = await addPerson(app, world.installer.company.id, 'owner')
  owner = await signedIn(app, person)
  colleague = await signedIn(app, await addPerson(app, world.installer.company.id, 'rep'))
  stranger = await signedIn(app, await addPerson(app, world.other.company.id, 'owner'))
})

const send = (key: string, path: string, body: object = {}, who = owner, method = 'POST') =>
  who.call(method, path, { body, headers: { 'idempotency-key': key } })
const newLead = (key: string, lastName: string, who = owner) =>
  send(key, '/leads', { ...leadBody, lastName }, who)
const count = async (lastName: string) =>
  (await app.database.rows(`select id from leads where last_name = $1`, [lastName])).length
const isReplayed = ({ headers }: { headers: Record<string, unknown> }) =>
  headers['idempotency-replayed'] === 'true'
const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000)

describe('what a form sends twice', () => {
  test('is done once: one after the other, and at the same time', async () => {
    const first = await newLead('once', 'Once')
    const again = await newLead('once', 'Once')
    assert.deepEqual([first.status, again.status], [201, 201])
    assert.deepEqual(again.body, first.body)
    assert.deepEqual([isReplayed(first), isReplayed(again)], [false, true])
    const taps = await Promise.all(Array.from({ length: 8 }, () => newLead('taps', 'Taps')))
    assert.deepEqual(new Set(taps.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(taps.map(({ body }) => body.leadId)).size, 1)
    assert.equal(taps.filter(isReplayed).length, 7)
    assert.deepEqual([await count('Once'), await count('Taps')], [1, 1])
  })

  test('shows a secret again that is shown once, and keeps it readable nowhere', async () => {
    const keys = await Promise.all([1, 2].map(() => send('a-key', '/keys', { name: 'Impatient' })))
    assert.match(keys[0]!.body.secret, /^psk_/)
    assert.deepEqual(keys[1]!.body, keys[0]!.body)
    const { body } = await owner.get('/keys')
    assert.equal(body.keys.filter(({ name }: { name: string }) => name === 'Impatient').length, 1)
    assert.deepEqual(await tracesInDatabase(app.database, keys[0]!.body.secret), [])
  })

  test('with something else in it is refused, and nothing is done', async () => {
    await newLead('other', 'Before')
    const other = await newLead('other', 'After')
    assert.deepEqual([other.status, other.body.error.code], [400, 'already_done'])
    const elsewhere = await send('other', '/keys', { name: 'Other' })
    assert.equal(elsewhere.body.error.code, 'already_done')
    assert.equal(await count('After'), 0)
  })

  test('is each person’s own: nobody is answered what another was', async () => {
    const made = await Promise.all([owner, colleague, stranger].map((who) => newLead('same', 'Same', who)))
    assert.deepEqual(made.map(isReplayed), [false, false, false])
    assert.equal(new Set(made.map(({ body }) => body.leadId)).size, 3)
  })

  test('may be sent again where it was refused, by the same key', async () => {
    const refused = await send('corrected', '/leads', { ...leadBody, salesRepId: 'mem_none' })
    assert.equal(refused.status, 400)
    assert.equal((await newLead('corrected', 'Corrected')).status, 201)
    for (const notes of ['x', 'y'])
      assert.equal((await send('foreign', '/leads/lead_none000000', { notes }, owner, 'PATCH')).status, 404)
  })

  test('needs a key that can be one', async () => {
    for (const key of ['x'.repeat(256), 'with space', 'ümlaut']) {
      const answer = await newLead(Buffer.from(key).toString('latin1'), 'Malformed')
      assert.equal(answer.status, 400, key)
    }
    assert.equal(await count('Malformed'), 0)
    assert.equal((await owner.call('GET', '/leads', { headers: { 'idempotency-key': 'read' } })).status, 200)
    assert.equal((await owner.call('GET', '/leads', { headers: { 'idempotency-key': 'read' } })).status, 200)
  })

  test('is known for a day, and its answer for an hour', async () => {
    const { db } = app.server.deps
    await newLead('aged', 'Aged')
    await sweepSubmissions(db, hoursAhead(0.9))
    assert.ok(isReplayed(await newLead('aged', 'Aged')))
    await sweepSubmissions(db, hoursAhead(1.1))
    const late = await newLead('aged', 'Aged')
    assert.deepEqual([late.status, late.body.error.code], [400, 'already_done'])
    await sweepSubmissions(db, hoursAhead(23))
    assert.equal((await newLead('aged', 'Aged')).status, 400)
    assert.equal(await count('Aged'), 1)
    await sweepSubmissions(db, hoursAhead(25))
    assert.deepEqual(await app.database.rows('select key from submissions'), [])
  })

  test('after the server was killed in the middle is not done twice in the dark', async () => {
    const began = (minutes: number, key: string) =>
      app.database.rows(
        `insert into submissions (installer_id, member_id, key, request_hash, begun_at)
         select installer_id, member_id, $1, request_hash, $2 from submissions where key = 'killed' returning key`,
        [key, new Date(Date.now() - minutes * 60_000)],
      )
    await newLead('killed', 'Killed')
    await began(3, 'killed-before')
    const dark = await newLead('killed-before', 'Killed')
    assert.deepEqual([dark.status, dark.body.error.code], [400, 'already_done'])
    assert.match(dark.body.error.message, /Look whether it is there/)
    assert.equal(await count('Killed'), 1)
  })
})
