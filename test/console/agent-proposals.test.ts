import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { propose } from '../../src/domain/agents/propose.ts'
import { agentOf, saleOf } from '../support/agents.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { stock } from '../support/stock.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

describe('what agents propose, in the console', () => {
  let app: App
  let world: World
  let agent: Awaited<ReturnType<typeof agentOf>>
  let owner: Client
  let manager: Client
  let items: { panel: { id: string }; inverter: { id: string } }

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { id } = world.installer.company
    owner = await signedIn(app, await addPerson(app, id, 'owner', 'Olga Owner'))
    manager = await signedIn(app, await addPerson(app, id, 'manager', 'Maya Manager'))
    agent = await agentOf(world, world.installer)
    items = await stock(world.installer)
  })

  const moveOf = async () => {
    const { projectId } = await project(world.installer, { firstName: 'Rita', lastName: 'Roof' })
    const { id } = await propose(agent.as(), { kind: 'move', project: projectId, stage: 'Design' })
    return { id, projectId }
  }
  const stageOf = async (projectId: string) =>
    (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body.stage.name
  const decide = (client: Client, id: string, how: 'approve' | 'decline', body: object = {}) =>
    client.call('POST', `/agent-proposals/${id}/${how}`, { body })

  test('a key is made for an agent, shown as one, and refused where it makes no sense', async () => {
    const body = { name: 'Assistant', agentName: ' Ada  B ', proposes: true }
    const made = await owner.call('POST', '/keys', { body })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.key.agentName, made.body.key.proposes], ['Ada B', true])
    const { body: me } = await app.get('/v1/me', made.body.secret)
    assert.deepEqual([me.key.agent, me.key.scopes.proposes], ['Ada B', true])
    const rolled = await owner.call('POST', `/keys/${made.body.key.id}/roll`, { body: { graceHours: 0 } })
    assert.deepEqual([rolled.body.key.agentName, rolled.body.key.proposes], ['Ada B', true])
    for (const wrong of [
      { proposes: true },
      { agentName: '' },
      { agentName: 'x'.repeat(61) },
      { agentName: 'Ada', proposes: true, access: 'read' },
      { agentName: 'A\u0000' },
      { agentName: 7 },
    ]) {
      const refused = await owner.call('POST', '/keys', { body: { name: 'Wrong', ...wrong } })
      assert.equal(refused.status, 400, JSON.stringify(wrong))
    }
  })

  test('is listed, counted and approved once, whoever clicks how often', async () => {
    const { id, projectId } = await moveOf()
    const { waiting } = (await manager.get('/agent-proposals/count')).body
    assert.ok(waiting >= 1)
    const [shown] = (await manager.get('/agent-proposals')).body.proposals
    assert.deepEqual(
      [shown.id, shown.summary, shown.agentName, shown.state, shown.mayDecide, shown.problem],
      [id, 'Move Rita Roof’s project from Sold to Design', 'Ada', 'waiting', true, null],
    )
    assert.ok(shown.follows.length > 0)
    assert.ok(!('input' in shown))
    const clicks = [manager, owner, manager, owner, manager].map((one) => decide(one, id, 'approve'))
    const answers = await Promise.all(clicks)
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ body }) => body.decidedByName)).size, 1)
    assert.equal(await stageOf(projectId), 'Design')
    assert.equal((await manager.get('/agent-proposals/count')).body.waiting, waiting - 1)
    const { proposals } = (await manager.get('/agent-proposals?list=decided')).body
    assert.equal(proposals[0].id, id)
    const { entries } = (await owner.get(`/audit?record=${projectId}`)).body
    const names = entries.map(({ actor }: { actor: { name: string } }) => actor.name)
    assert.ok(
      names.some((name: string) => /\(proposed by Ada\)$/.test(name)),
      names.join(),
    )
  })

  test('a move that was approved can be undone for as long as one made by hand', async () => {
    const { id, projectId } = await moveOf()
    const { body: approved } = await decide(manager, id, 'approve')
    assert.equal(approved.state, 'approved')
    const { moveId } = approved.undo
    assert.equal((await decide(manager, id, 'approve')).body.undo, null, 'it was approved before')
    const undo = () => manager.call('POST', `/projects/${projectId}/undo-move`, { body: { moveId } })
    assert.deepEqual((await undo()).body, { stage: 'Sold' })
    assert.equal(await stageOf(projectId), 'Sold')
    assert.equal((await undo()).status, 400)
    const again = await propose(agent.as(), { kind: 'move', project: projectId, stage: 'Design' })
    assert.equal(again.created, true)
  })

  test('is declined with a reason', async () => {
    const { id, projectId } = await moveOf()
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }, { reason: 7 }, { reason: 'a\0' }])
      assert.equal((await decide(manager, id, 'decline', body)).status, 400, JSON.stringify(body))
    const declined = await decide(manager, id, 'decline', { reason: 'Not yet' })
    assert.deepEqual([declined.status, declined.body.declinedBecause], [200, 'Not yet'])
    assert.equal((await decide(owner, id, 'approve')).status, 400)
    assert.equal(await stageOf(projectId), 'Sold')
  })

  test('says that it is outdated, and does nothing', async () => {
    const { id, projectId } = await moveOf()
    const call = { key: world.installer.key, body: { stage: 'Permitting' } }
    await app.call('POST', `/v1/projects/${projectId}/stage`, call)
    const [shown] = (await manager.get('/agent-proposals')).body.proposals
    assert.match(shown.problem, /has changed since this was proposed/)
    const refused = await decide(manager, id, 'approve')
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /can no longer be approved/)
    assert.equal(await stageOf(projectId), 'Permitting')
  })

  test('is paged by key, and a page that nobody was given is refused', async () => {
    for (let i = 0; i < 3; i++) await moveOf()
    const seen: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const path: string = `/agent-proposals?limit=2${next && `&after=${next}`}`
      const { body } = await manager.get(path)
      seen.push(...body.proposals.map(({ id }: { id: string }) => id))
      next = body.next
    }
    const { waiting } = (await manager.get('/agent-proposals/count')).body
    assert.deepEqual([seen.length, new Set(seen).size], [waiting, waiting])
    for (const query of ['after=x', 'after=1-agp_', 'limit=0', 'limit=21', 'list=all', 'what=1'])
      assert.equal((await manager.get(`/agent-proposals?${query}`)).status, 400, query)
  })

  test('a rep decides on sales of their own leads alone, others on nothing', async () => {
    const { id: company } = world.dealer.company
    const rita = await addPerson(app, company, 'rep', 'Rita Rep', 'rita@example.com')
    const rep = await signedIn(app, rita)
    const setter = await signedIn(app, await addPerson(app, company, 'setter'))
    const dealers = await agentOf(world, world.dealer)
    const sale = (leadId: string) => propose(dealers.as(), saleOf(leadId, items.panel.id, items.inverter.id))
    const own = await sale(await lead(world.dealer, { salesRepId: rita.id }))
    const others = await sale(await lead(world.dealer))
    const { proposals } = (await rep.get('/agent-proposals')).body
    assert.deepEqual(
      proposals.map(({ id }: { id: string }) => id),
      [own.id],
    )
    assert.equal((await decide(rep, others.id, 'approve')).status, 404)
    assert.equal((await setter.get('/agent-proposals')).status, 403)
    assert.equal((await decide(setter, own.id, 'approve')).status, 403)
    assert.equal((await setter.get('/session')).body.can.approve, false)
    const done = await decide(rep, own.id, 'approve')
    assert.equal(done.status, 200, done.text)
    assert.match(done.body.resultId, /^proj_/)
  })

  test('no key opens the console’s addresses', async () => {
    const { id } = await moveOf()
    const headers = { 'x-sunstead-console': '1' }
    const call = { key: agent.secret, body: {}, headers }
    assert.equal((await app.send('POST', `/console/api/agent-proposals/${id}/approve`, call)).status, 401)
  })
})
