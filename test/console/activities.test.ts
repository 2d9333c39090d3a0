import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Session = Awaited<ReturnType<typeof signedIn>>
interface Entry {
  id: string
  type: string
  body: string
  internal: boolean
  customerFacing: boolean
  author: string
  replies: Entry[]
}

describe('the activity of a lead', () => {
  let app: App
  let world: World
  const as: Record<string, Session> = {}

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    for (const role of ['owner', 'admin', 'manager', 'rep'] as const)
      as[role] = await signedIn(app, await addPerson(app, world.installer.company.id, role))
    as.dealerOwner = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner'))
  })

  const write = (id: string, body: object, who = 'owner') =>
    as[who]!.call('POST', `/leads/${id}/notes`, { body })
  const feed = async (id: string, who = 'owner', query = '') => {
    const answer = await as[who]!.get(`/leads/${id}/activities${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body as { activities: Entry[]; next: string | null }
  }
  const notes = async (id: string, who?: string) =>
    (await feed(id, who)).activities.filter(({ type }) => type === 'note')

  test('a note is in the feed, its replies under it, and in the API', async () => {
    const id = await lead(world.installer)
    assert.equal((await write(id, { body: 'Called', customerFacing: true })).status, 201)
    const [note] = await notes(id)
    assert.deepEqual([note!.author, note!.customerFacing, note!.internal], ['The owner', true, false])
    assert.equal((await write(id, { body: 'And?', replyTo: note!.id }, 'manager')).status, 201)
    const [reply] = (await notes(id))[0]!.replies
    assert.equal((await write(id, { body: 'Yes', replyTo: reply!.id })).status, 201)
    const all = await notes(id)
    assert.deepEqual(
      all.map(({ body, replies }) => [body, replies.map((one) => `${one.author}: ${one.body}`)]),
      [['Called', ['The manager: And?', 'The owner: Yes']]],
    )
    const { data } = (await app.get(`/v1/leads/${id}/activities`, world.installer.key)).body
    assert.equal(data[0].body, 'Yes')
    assert.equal(data[0].replyTo, note!.id)
  })

  test('internal notes are for the owners and admins of the company that wrote them', async () => {
    const id = await lead(world.dealer)
    assert.equal((await write(id, { body: 'Margin', internal: true })).status, 201)
    const [note] = await notes(id)
    assert.equal(note!.internal, true)
    assert.equal((await write(id, { body: 'Thin', replyTo: note!.id }, 'admin')).status, 201)
    assert.equal((await notes(id, 'admin'))[0]!.replies[0]!.internal, true)
    for (const who of ['manager', 'dealerOwner']) {
      assert.deepEqual(await notes(id, who), [], who)
      assert.equal((await write(id, { body: 'What?', replyTo: note!.id }, who)).status, 400, who)
    }
    const refused = await write(id, { body: 'Secret', internal: true }, 'manager')
    assert.equal(refused.status, 403)
    assert.match(refused.body.error.message, /owners and admins/)
    assert.equal((await write(id, { body: 'Own', internal: true }, 'dealerOwner')).status, 201)
    assert.deepEqual(
      (await notes(id)).map(({ body }) => body),
      ['Margin'],
    )
    const { data } = (await app.get(`/v1/leads/${id}/activities`, world.dealer.key)).body
    assert.deepEqual(data.map((a: Entry) => a.body).slice(0, 1), ['Own'])
  })

  test('what cannot be a note is refused', async () => {
    const id = await lead(world.installer)
    const elsewhere = await lead(world.installer)
    await write(elsewhere, { body: 'There' })
    const [there] = await notes(elsewhere)
    const created = (await feed(id)).activities.find(({ type }) => type === 'leadCreated')!
    for (const body of [
      {},
      { body: '' },
      { body: '  ' },
      { body: 'x'.repeat(20_001) },
      { body: 'x', replyTo: there!.id },
      { body: 'x', replyTo: created.id },
      { body: 'x', replyTo: 'nonsense' },
      { body: 'x', internal: true, customerFacing: true },
      { body: 'x', author: 'me' },
    ])
      assert.equal((await write(id, body)).status, 400, JSON.stringify(body).slice(0, 60))
    assert.equal((await notes(id)).length, 0)
  })

  test('the feed is read in pages, the newest first, with the project’s activity', async () => {
    const { leadId } = await project(world.installer)
    for (const body of ['one', 'two', 'three']) await write(leadId, { body })
    const walked: Entry[] = []
    let query = '?limit=2'
    for (;;) {
      const { activities, next } = await feed(leadId, 'owner', query)
      walked.push(...activities)
      if (!next) break
      query = `?limit=2&after=${next}`
    }
    assert.deepEqual(walked, (await feed(leadId, 'owner', '?limit=100')).activities)
    assert.deepEqual(
      walked.slice(0, 3).map(({ body }) => body),
      ['three', 'two', 'one'],
    )
    assert.ok(walked.some(({ type }) => type === 'projectCreated'))
    for (const bad of ['?after=x', '?after=1-', '?limit=0', '?limit=101', '?before=1'])
      assert.equal((await as.owner!.get(`/leads/${leadId}/activities${bad}`)).status, 400, bad)
    assert.deepEqual((await feed(leadId, 'owner', '?after=1-99999')).activities, [])
  })
})
