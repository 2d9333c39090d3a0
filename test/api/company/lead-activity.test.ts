import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, lead, project } from '../../support/factories.ts'
import { assertStatuses, erase, lesserKeys } from '../../support/key-holders.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const { key } = installer
const keys = await lesserKeys(world)

const write = (id: string, body: unknown, by = key) =>
  app.call('POST', `/v1/leads/${id}/activity`, { key: by, body })
const feed = async (id: string, by = key) => (await app.get(`/v1/leads/${id}/activities`, by)).body.data

test('a note is answered as the feed reads it, and the lead stays as it was', async () => {
  const id = await lead(dealer)
  const before = (await app.get(`/v1/leads/${id}`, key)).body
  const { status, body } = await write(id, { body: '  The gate code is 4711 ' }, dealer.key)
  assert.equal(status, 201)
  const { id: noteId, createdAt, ...rest } = body
  assert.match(noteId, /^act_/)
  assert.ok(Date.parse(createdAt) > Date.parse(before.updatedAt))
  assert.deepEqual(rest, {
    type: 'note',
    body: 'The gate code is 4711',
    internal: false,
    customerFacing: false,
    replyTo: null,
    author: 'Bright Doors CRM',
  })
  assert.deepEqual((await feed(id))[0], body)
  assert.deepEqual((await app.get(`/v1/leads/${id}`, key)).body, before)
})

test('a reply stands under the note it answers, as does a reply to a reply', async () => {
  const { leadId, projectId } = await project(dealer)
  const note = (await write(leadId, { body: 'Is the roof steep?', customerFacing: true })).body
  assert.equal(note.customerFacing, true)
  const reply = (await write(leadId, { body: 'Very', replyTo: note.id }, dealer.key)).body
  assert.equal(reply.replyTo, note.id)
  const again = (await write(leadId, { body: 'Take ropes', replyTo: reply.id, internal: false })).body
  assert.equal(again.replyTo, note.id)
  assert.equal((await write(leadId, { body: 'By itself', replyTo: null })).body.replyTo, null)
  // A project answers to its own address, and a lead to the lead's.
  assert.equal((await write(projectId, { body: 'x' })).status, 404)
  for (const replyTo of ['act_0000000000', (await write(await lead(dealer), { body: 'y' })).body.id]) {
    const refused = await write(leadId, { body: 'x', replyTo })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /^replyTo: there is no such note on this lead/)
  }
})

test('an internal note is for the company that wrote it, its replies too', async () => {
  const id = await lead(dealer)
  const note = (await write(id, { body: 'Our margin is 40 %', internal: true })).body
  assert.equal(note.internal, true)
  assert.equal((await feed(id))[0].id, note.id)
  assert.ok(!(await feed(id, dealer.key)).some((a: { id: string }) => a.id === note.id))
  assert.equal((await write(id, { body: 'Is it?', replyTo: note.id }, dealer.key)).status, 400)
  assert.equal((await write(id, { body: 'It is', replyTo: note.id })).body.internal, true)
  const refused = await write(id, { body: 'x', internal: true, customerFacing: true })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /^customerFacing: an internal note is not for the customer/)
})

test('what is no note is 400 naming the field', async () => {
  const id = await lead(dealer)
  const wrong: [unknown, RegExp][] = [
    [{}, /body is required/],
    [undefined, /the body must be an object/],
    [{ body: '  ' }, /body must not be empty/],
    [{ body: 'x'.repeat(20_001) }, /body must have at most 20000/],
    [{ body: 'a\0' }, /NUL/],
    [{ body: 'x', internal: 1 }, /internal must be true or false/],
    [{ body: 'x', reply_to: 'y' }, /reply_to is not a field here: did you mean replyTo/],
    [{ body: 'x', replyTo: 'z'.repeat(65) }, /replyTo must have at most 64/],
  ]
  for (const [body, message] of wrong) {
    const answer = await write(id, body)
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.error.message, message)
  }
  assert.equal((await write(id, { body: 'x'.repeat(20_000) })).status, 201)
  assert.equal((await feed(id)).length, 2)
})

test('who may', async () => {
  const own = `/v1/leads/${await lead(dealer)}/activity`
  const note = { body: 'Called' }
  await assertStatuses(app, [
    ['dealer', dealer.key, 'POST', own, note, 201],
    ['a sister', world.sister.key, 'POST', own, note, 404],
    ['foreign', key, 'POST', `/v1/leads/${await lead(other)}/activity`, note, 404],
    ['unknown', key, 'POST', '/v1/leads/lead_0000000000/activity', note, 404],
    ['reader', keys.readOnly, 'POST', own, note, 403],
    ['other interface', keys.catalogOnly, 'POST', own, note, 403],
    ['nobody', keys.nobody, 'POST', own, note, 401],
    ['suspended', keys.suspended, 'POST', own, note, 401],
  ])
})

test('nothing is written about an erased customer', async () => {
  const id = await lead(dealer)
  await erase(app, installer, id)
  const refused = await write(id, { body: 'She liked tea' })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /was erased/)
})
