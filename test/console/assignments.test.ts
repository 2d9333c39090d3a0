import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { NotificationResponse } from '../../src/api/console/home.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Caller = Awaited<ReturnType<typeof signedIn>>

describe('who is put on a record is told', () => {
  let app: App
  let world: World
  let owner: Caller
  const people: Record<string, Person> = {}
  const as: Record<string, Caller> = {}

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    for (const role of ['owner', 'rep', 'setter', 'surveyor', 'subcontractor', 'manager'] as const) {
      people[role] = await addPerson(app, world.installer.company.id, role)
      as[role] = await signedIn(app, people[role])
    }
    owner = as.owner!
  })

  /** What they were told since they last looked. */
  const news = async (who: string): Promise<NotificationResponse[]> => {
    const { body } = await as[who]!.get('/notifications')
    await as[who]!.call('POST', '/notifications/read', { body: { all: true } })
    return body.notifications.filter(({ read }: NotificationResponse) => !read)
  }
  const texts = async (who: string) => (await news(who)).map(({ text }) => text)

  test('a lead’s rep and setter, once each, with the way to it', async () => {
    const id = await lead(world.installer, { firstName: 'Ada', lastName: 'Moreno' })
    const body = { salesRepId: people.rep!.id, setterId: people.setter!.id }
    assert.equal((await owner.call('PATCH', `/leads/${id}`, { body })).status, 200)
    const [told] = await news('rep')
    assert.deepEqual(
      [told!.text, told!.leadId, told!.projectId],
      ['Ada Moreno: you are now the sales rep', id, null],
    )
    assert.deepEqual(await texts('setter'), ['Ada Moreno: you are now the setter'])
    // The same again, and another field, tell nobody anything.
    await owner.call('PATCH', `/leads/${id}`, { body: { ...body, notes: 'Call after five' } })
    assert.deepEqual(await texts('rep'), [])
    await owner.call('PATCH', `/leads/${id}`, { body: { salesRepId: people.setter!.id } })
    assert.deepEqual(await texts('setter'), ['Ada Moreno: you are now the sales rep'])
    assert.deepEqual(await texts('rep'), [])
  })

  test('whoever is on a new lead, unless they made it', async () => {
    const make = (who: string, more: object) =>
      as[who]!.call('POST', '/leads', {
        body: {
          firstName: 'New',
          lastName: 'Comer',
          address: { line1: '2 Elm St', city: 'Reno', state: 'NV', postalCode: '89501' },
          ...more,
        },
      })
    assert.equal((await make('owner', { salesRepId: people.rep!.id })).status, 201)
    assert.deepEqual(await texts('rep'), ['New Comer: you are now the sales rep'])
    assert.equal((await make('rep', {})).status, 201)
    assert.deepEqual(await texts('rep'), [])
  })

  test('a project’s people, all at once, but not for what they do themselves', async () => {
    const { projectId } = await project(world.installer, { firstName: 'Bo', lastName: 'Diaz' })
    const patch = (who: string, body: object) => as[who]!.call('PATCH', `/projects/${projectId}`, { body })
    await patch('owner', {
      siteSurveyorId: people.surveyor!.id,
      subcontractorId: people.surveyor!.id,
      projectManagerId: people.owner!.id,
    })
    const [told, more] = await news('surveyor')
    assert.equal(more, undefined)
    assert.deepEqual(
      [told!.text, told!.projectId],
      ['Bo Diaz: you are now the site surveyor and the subcontractor', projectId],
    )
    assert.deepEqual(await texts('owner'), [])
    await patch('manager', { projectManagerId: people.manager!.id })
    assert.deepEqual(await texts('manager'), [])
    await patch('manager', { projectManagerId: people.owner!.id })
    assert.deepEqual(await texts('owner'), ['Bo Diaz: you are now the project manager'])
  })

  test('of many leads at once with one word', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => lead(world.installer)))
    const bulk = (leads: string[], assign: object) =>
      owner.call('POST', '/leads/bulk', { body: { ids: leads, assign } })
    assert.equal((await bulk(ids, { rep: people.rep!.id })).body.changed, 6)
    assert.deepEqual(await texts('rep'), ['You are now the sales rep of 6 leads'])
    assert.equal((await bulk(ids, { rep: people.rep!.id })).body.changed, 0)
    assert.deepEqual(await texts('rep'), [])
    await bulk([ids[0]!], { setter: people.setter!.id })
    const [told] = await news('setter')
    assert.match(told!.text, /^First\d+ Last: you are now the setter$/)
    assert.equal(told!.leadId, ids[0])
  })
})
