import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let world: World
let person: Person
let owner: Client
let dealersOwner: Client

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  person = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
  owner = await signedIn(app, person)
  dealersOwner = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner', 'Dora Owner'))
})

test('a lead that a dealer calls as it likes takes nothing of the installer along when it is erased', async () => {
  const body = { email: 'vera@example.com', name: 'Vera', role: 'rep' }
  assert.equal((await owner.call('POST', '/people/invitations', { body })).status, 201)
  const view = { page: 'leads', name: 'New ones', query: 'status=new' }
  const saved = await owner.call('POST', '/views', { body: view })
  assert.ok(saved.status < 300, saved.text)
  await app.get('/v1/projects', world.installer.key)
  await app.server.deps.requests!.flush()
  const state = () =>
    app.database.rows(
      `select (select count(*)::int from mails where installer_id = company_id) as mails,
        (select count(*)::int from saved_views) as views,
        (select coalesce(sum(length(lines)), 0)::int from request_batches) as calls`,
    )
  const there = await state()
  for (const about of [
    { firstName: 'Leon', lastName: 'Quintero', email: person.email },
    { firstName: 'invites', lastName: 'you to', externalId: '/v1/projects' },
    { firstName: 'Any', lastName: 'status', phone: '/v1/projects' },
  ]) {
    const id = await lead(world.dealer, about)
    const erased = await dealersOwner.call('POST', `/leads/${id}/erase`, {
      body: { name: `${about.firstName} ${about.lastName}` },
    })
    assert.equal(erased.status, 200, erased.text)
  }
  assert.deepEqual(await state(), there)
})

test('what the installer keeps of a sold project is not a dealer’s to take away', async () => {
  const { leadId } = await project(world.dealer, { firstName: 'Ada', lastName: 'Moreno' })
  const body = { name: 'Ada Moreno' }
  assert.equal((await dealersOwner.call('POST', `/leads/${leadId}/erase`, { body })).status, 403)
  assert.equal((await owner.call('POST', `/leads/${leadId}/erase`, { body })).status, 200)
})

test('an address that a dealer’s people shared works only while their company does', async () => {
  const { projectId } = await project(world.dealer)
  const shared = await dealersOwner.call('POST', `/projects/${projectId}/links`, {
    body: { kind: 'folder', folder: 'permit' },
  })
  assert.equal(shared.status, 201, shared.text)
  const path = new URL(shared.body.url ?? shared.body.address, app.url).pathname
  assert.equal((await app.send('GET', path)).status, 200)
  const { id } = world.dealer.company
  await owner.call('POST', `/companies/${id}/suspend`)
  assert.equal((await app.send('GET', path)).status, 404)
  await owner.call('POST', `/companies/${id}/resume`)
})

test('the name of an internal file does not reach the dealer by the log of what was shared', async () => {
  const { projectId } = await project(world.dealer)
  const shared = await owner.call('POST', `/projects/${projectId}/links`, {
    body: { kind: 'folder', folder: 'internal' },
  })
  assert.equal(shared.status, 201, shared.text)
  await owner.call('DELETE', `/projects/${projectId}/links/${shared.body.id}`)
  const types = async (client: Client) =>
    (await client.get('/audit?limit=200')).body.entries
      .filter(({ subjectId }: { subjectId: string }) => subjectId === shared.body.id)
      .map(({ type }: { type: string }) => type)
  assert.deepEqual(await types(owner), ['link.ended', 'link.created'])
  assert.deepEqual(await types(dealersOwner), [])
})

test('a cookie that nobody signed is no error of ours', async () => {
  for (const cookie of ['sunstead.two_factor=%00abc.def', 'sunstead.two_factor=%ff', 'sunstead.two_factor=.'])
    assert.equal(
      (
        await app.send('POST', '/console/auth/two-factor/verify-totp', {
          body: { code: '123456' },
          headers: { origin: app.url, cookie },
        })
      ).status,
      401,
      cookie,
    )
})
