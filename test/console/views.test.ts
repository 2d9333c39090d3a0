import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

describe('saved views', () => {
  let app: App
  let owner: Awaited<ReturnType<typeof signedIn>>
  let rep: typeof owner

  before(async () => {
    app = await startApp()
    const { installer } = await createWorld(app.database.db)
    owner = await signedIn(app, await addPerson(app, installer.company.id, 'owner'))
    rep = await signedIn(app, await addPerson(app, installer.company.id, 'rep'))
  })

  const save = (body: object, session = owner) => session.call('POST', '/views', { body })
  const list = async (page: string, session = owner) =>
    (await session.get(`/views?page=${page}`)).body.views.map(({ name, query }: Record<string, string>) => [
      name,
      query,
    ])

  test('are kept by name for one member and page, and forgotten', async () => {
    const saved = await save({ page: 'leads', name: 'Mine', query: 'status=new' })
    assert.equal(saved.status, 201)
    await save({ page: 'leads', name: 'All', query: '' })
    await save({ page: 'board', name: 'Late', query: 'late=yes' })
    assert.deepEqual(await list('leads'), [
      ['All', ''],
      ['Mine', 'status=new'],
    ])
    assert.deepEqual(await list('board'), [['Late', 'late=yes']])
    assert.deepEqual(await list('leads', rep), [])
    const again = await save({ page: 'leads', name: 'Mine', query: 'status=lost' })
    assert.equal(again.body.id, saved.body.id)
    assert.deepEqual((await list('leads'))[1], ['Mine', 'status=lost'])
    assert.equal((await rep.call('DELETE', `/views/${saved.body.id}`)).status, 404)
    assert.equal((await owner.call('DELETE', `/views/${saved.body.id}`)).status, 200)
    assert.equal((await owner.call('DELETE', `/views/${saved.body.id}`)).status, 404)
    assert.deepEqual(await list('leads'), [['All', '']])
  })

  test('wrong ones are refused', async () => {
    for (const body of [
      {},
      { page: 'home', name: 'x', query: '' },
      { page: 'leads', name: ' ', query: '' },
      { page: 'leads', name: 'x'.repeat(61), query: '' },
      { page: 'leads', name: 'x', query: 'x'.repeat(2_001) },
      { page: 'leads', name: 'x', query: '', shared: true },
    ])
      assert.equal((await save(body)).status, 400, JSON.stringify(body).slice(0, 60))
    assert.equal((await owner.get('/views')).status, 400)
  })

  test('there are so many at most', async () => {
    for (let i = 0; i < 50; i++) await save({ page: 'board', name: `View ${i}`, query: '' }, rep)
    const one = await save({ page: 'board', name: 'One too many', query: '' }, rep)
    assert.equal(one.status, 400)
    assert.match(one.body.error.message, /Remove one/)
    assert.equal((await save({ page: 'board', name: 'View 7', query: 'line=hi' }, rep)).status, 201)
  })
})
