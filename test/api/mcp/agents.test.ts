import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { agentOf } from '../../support/agents.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, lead, project } from '../../support/factories.ts'
import { connectAgent, connectByCommand } from '../../support/mcp.ts'
import { addPerson, signedIn } from '../../support/people.ts'
import { stock } from '../../support/stock.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const olga = await signedIn(app, await addPerson(app, installer.company.id, 'owner', 'Olga Owner'))
const agents = await agentOf(world, installer, { agentName: 'Scout', proposes: false })
const proposing = await agentOf(world, installer, { agentName: 'Ada' })
const scout = await connectAgent(app.url, agents.secret)
const ada = await connectAgent(app.url, proposing.secret)

const read = async (path: string) => (await app.get(path, installer.key)).body
const stageOf = async (id: string) => (await read(`/v1/projects/${id}`)).stage.name
const approve = async (id: string) => olga.call('POST', `/agent-proposals/${id}/approve`, { body: {} })
const lines = [{ description: 'Panel cleaning', unit_price: 100 }]

test('what an agent writes carries its name', async () => {
  const { projectId, leadId } = await project(installer)
  await scout.does('write_note', { id: leadId, text: 'Looked at it' })
  await scout.does('move_stage', { project_id: projectId, stage: 'Design' })
  const feed = (await read(`/v1/leads/${leadId}/activities`)).data
  const authors = new Set(feed.slice(0, 2).map(({ author }: { author: string }) => author))
  assert.deepEqual([...authors], ['Scout (agent)'])
  assert.deepEqual((await scout.does('who_am_i')).key.agent, { name: 'Scout', proposes: false })
})

test('a proposing key’s move, sale and bill wait for a person, who then does them', async () => {
  const { panel, inverter } = await stock(installer)
  const { projectId, leadId } = await project(installer, { email: 'eve@example.com', firstName: 'Evelyn' })
  const soldLead = await lead(dealer)
  const me = await ada.does('who_am_i')
  assert.ok(me.may.some((right: string) => right.includes('proposal')))

  const move = { project_id: projectId, stage: 'Design', reason: 'The survey is done' }
  const would = await ada.does('move_stage', { ...move, dry_run: true })
  assert.equal(would.outcome, 'dry_run')
  const proposed = await ada.does('move_stage', move)
  assert.equal(proposed.outcome, 'proposed')
  assert.deepEqual(proposed.effects, would.effects)
  assert.match(proposed.proposal.id, /^agp_/)
  assert.equal(await stageOf(projectId), 'Sold')
  const again = await ada.does('move_stage', move)
  assert.equal(again.proposal.id, proposed.proposal.id)
  assert.equal(again.proposal.created, false)
  assert.match(would.summary, /^Not done, as this is a dry run\. It would be proposed/)
  assert.match(proposed.untrusted.summary, /^Move Evelyn .* from Sold to Design$/)
  assert.deepEqual(would.untrusted, proposed.untrusted)
  assert.doesNotMatch(JSON.stringify({ ...proposed, untrusted: null }), /Evelyn|eve@/)
  const free = await ada.does('write_note', { id: leadId, text: 'Seen', dry_run: true })
  assert.match(free.summary, /^Not done, as this is a dry run\. It would be: /)

  const sale = await ada.does('mark_as_sold', {
    lead_id: soldLead,
    contract: { price: 20000, signedAt: '2026-03-02' },
    financing: { type: 'cash' },
    system: {
      panels: { id: panel.id, count: 20 },
      inverters: { id: inverter.id, count: 20 },
      annualProductionKwh: 12000,
    },
    idempotency_key: randomUUID(),
  })
  assert.equal(sale.outcome, 'proposed')
  assert.equal(sale.record.project_id, undefined)
  assert.equal((await read(`/v1/leads/${soldLead}`)).project, null)

  const bill = await ada.does('bill', { project_id: projectId, line_items: lines, finalize: true })
  assert.equal(bill.outcome, 'proposed')
  assert.equal((await scout.does('list_invoices')).total, 0)

  const waiting = (await olga.get('/agent-proposals')).body.proposals
  assert.equal(waiting.length, 3)
  assert.equal(waiting.find(({ kind }: { kind: string }) => kind === 'move').reason, 'The survey is done')
  for (const { proposal } of [proposed, sale, bill]) {
    const done = await approve(proposal.id)
    assert.equal(done.status, 200, done.text)
    assert.equal(done.body.state, 'approved')
  }
  assert.equal(await stageOf(projectId), 'Design')
  assert.equal((await read(`/v1/leads/${soldLead}`)).status, 'sold')
  const { invoices } = await scout.does('list_invoices')
  assert.equal(invoices[0].status, 'open')
  const feed = (await read(`/v1/leads/${leadId}/activities`)).data
  assert.ok(feed.some(({ body }: { body: string }) => body.includes('as Ada (agent) proposed')))
})

test('the rest it does itself, and by REST it is refused', async () => {
  const { projectId, leadId } = await project(installer)
  assert.equal((await ada.does('write_note', { id: leadId, text: 'Seen' })).outcome, 'done')
  assert.equal((await ada.does('schedule', { project_id: projectId, ntp_granted: true })).outcome, 'done')
  assert.equal((await ada.does('move_stage', { project_id: projectId, stage: 'Sold' })).outcome, 'unchanged')
  const byRest = await app.call('POST', `/v1/projects/${projectId}/stage`, {
    key: proposing.secret,
    body: { stage: 'Design' },
  })
  assert.equal(byRest.status, 403)
  assert.match(await ada.refused('move_stage', { project_id: projectId, stage: 'Nowhere' }), /The stages are/)
  assert.match(await ada.refused('bill', { line_items: lines }), /customer is required/)
  const ofDealer = await agentOf(world, dealer)
  const seller = await connectAgent(app.url, ofDealer.secret)
  await assert.rejects(
    seller.client.callTool({ name: 'move_stage', arguments: { project_id: projectId, stage: 'Design' } }),
    /not offered/,
  )
})

test('both kinds of agents work through the command too', async () => {
  const { projectId } = await project(installer)
  const byCommand = await connectByCommand(app.url, proposing.secret)
  const call = { project_id: projectId, stage: 'Design', idempotency_key: randomUUID() }
  const proposed = await byCommand.does('move_stage', call)
  assert.equal(proposed.outcome, 'proposed')
  assert.equal((await byCommand.does('move_stage', call)).replayed, true)
  assert.equal((await approve(proposed.proposal.id)).status, 200)
  const direct = await connectByCommand(app.url, agents.secret)
  assert.equal(
    (await direct.does('move_stage', { ...call, stage: 'NTP', idempotency_key: randomUUID() })).outcome,
    'done',
  )
  assert.equal(await stageOf(projectId), 'NTP')
})

test('what one key has proposed is no answer to a key that does it', async () => {
  const { projectId } = await project(installer)
  const call = { project_id: projectId, stage: 'Design', idempotency_key: randomUUID() }
  const proposed = await ada.does('move_stage', call)
  assert.equal(proposed.outcome, 'proposed')
  assert.match(proposed.summary, /^Not done yet/)
  assert.match(await scout.refused('move_stage', call), /sent before/)
  assert.equal(await stageOf(projectId), 'Sold')
  const bill = { customer: { name: 'Eve' }, line_items: lines, finalize: true }
  const billed = await ada.does('bill', bill)
  assert.equal(billed.record.status, undefined)
})

test('a bill for a project goes with its customer when they are erased', async () => {
  const customer = { firstName: 'Quentin', lastName: 'Nomailson', email: null, phone: null }
  const other = await project(dealer, { firstName: 'Nora', lastName: 'Neighbour' })
  const { projectId, leadId } = await project(dealer, customer)
  const billed = await ada.does('bill', { project_id: projectId, line_items: lines })
  const stays = await ada.does('bill', { project_id: other.projectId, line_items: lines })
  const elses = await ada.does('bill', {
    project_id: other.projectId,
    customer: { name: 'Petra Payer', email: 'petra@example.com' },
    line_items: lines,
  })
  const erase = (id: string, name: string) => olga.call('POST', `/leads/${id}/erase`, { body: { name } })
  assert.equal((await erase(leadId, 'Quentin Nomailson')).status, 200)
  const payer = await lead(installer, { firstName: 'Petra', lastName: 'Payer', email: 'petra@example.com' })
  assert.equal((await erase(payer, 'Petra Payer')).status, 200)
  const { proposals } = (await olga.get('/agent-proposals')).body
  const waiting = proposals.map(({ id }: { id: string }) => id)
  assert.deepEqual(
    [billed, elses, stays].map(({ proposal }) => waiting.includes(proposal.id)),
    [false, false, true],
  )
  assert.doesNotMatch(JSON.stringify(proposals), /Quentin|Petra/)
  for (const { proposal } of [billed, elses]) {
    const done = await approve(proposal.id)
    assert.equal(done.status, 400, done.text)
    assert.match(done.text, /was erased/)
  }
  const left = await app.database.rows(
    `select from agent_proposals where concat(summary, reason, input) ~ 'Quentin|Petra'`,
  )
  assert.equal(left.length, 0)
  const seen = (await ada.does('list_proposals', { state: 'decided' })).proposals
  assert.ok(seen.some(({ id, state }: Seen) => id === billed.proposal.id && state === 'erased'))
})

interface Seen {
  id: string
  state: string
}

test('an agent reads what became of its proposals', async () => {
  const piaKey = await agentOf(world, installer, { agentName: 'Pia' })
  const pia = await connectAgent(app.url, piaKey.secret)
  const made: { id: string; projectId: string; leadId: string }[] = []
  for (let i = 0; i < 3; i++) {
    const { projectId, leadId } = await project(installer, { firstName: `Zaide${i}`, lastName: 'Quill' })
    const reason = `Zaide${i} called`
    const { proposal } = await pia.does('move_stage', { project_id: projectId, stage: 'Design', reason })
    made.push({ id: proposal.id, projectId, leadId })
  }
  const [first, second, third] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
  assert.equal((await approve(first.id)).status, 200)
  const because = { body: { reason: 'Not before the permit' } }
  assert.equal((await olga.call('POST', `/agent-proposals/${second.id}/decline`, because)).status, 200)

  const { proposals, next } = await pia.does('list_proposals')
  assert.equal(next, null)
  assert.deepEqual(
    proposals.map(({ id, state, declined_because, result_id }: Record<string, unknown>) => [
      ...[id, state, declined_because, result_id],
    ]),
    [
      [third.id, 'waiting', null, null],
      [second.id, 'declined', 'Not before the permit', null],
      [first.id, 'approved', null, first.projectId],
    ],
  )
  const { untrusted, ...trusted } = proposals[0]
  assert.deepEqual(untrusted, {
    summary: 'Move Zaide2 Quill’s project from Sold to Design',
    reason: 'Zaide2 called',
  })
  assert.doesNotMatch(JSON.stringify(trusted), /Zaide/)
  assert.deepEqual(
    [trusted.kind, trusted.lead_id, trusted.project_id],
    ['move', third.leadId, third.projectId],
  )
  assert.ok(new Date(trusted.expires_at) > new Date() && trusted.decided_at === null)

  const one = await pia.does('list_proposals', { limit: 1, state: 'decided' })
  const two = await pia.does('list_proposals', { limit: 1, state: 'decided', cursor: one.next })
  assert.deepEqual([one.proposals[0].id, two.proposals[0].id, two.next], [second.id, first.id, null])
  assert.match(await pia.refused('list_proposals', { limit: 1, cursor: one.next }), /^invalid: cursor/)
  assert.match(await pia.refused('list_proposals', { limit: 1, state: 'decided', cursor: 'x' }), /cursor/)
  assert.match(await pia.refused('list_proposals', { state: 'gone' }), /state/)

  const namesake = await connectAgent(app.url, (await agentOf(world, dealer, { agentName: 'Pia' })).secret)
  assert.deepEqual((await namesake.does('list_proposals')).proposals, [])
  assert.match(
    await namesake.refused('list_proposals', { limit: 1, state: 'decided', cursor: one.next }),
    /^invalid: cursor/,
  )
})

test('the tool is for agents’ keys only', async () => {
  const offered = async ({ client }: typeof ada) =>
    (await client.listTools()).tools.some(({ name }) => name === 'list_proposals')
  const plain = await connectAgent(app.url, installer.key)
  const reader = await agentOf(world, installer, { agentName: 'Rea', access: 'read', proposes: false })
  assert.deepEqual(await Promise.all([offered(ada), offered(scout), offered(plain)]), [true, true, false])
  assert.equal(await offered(await connectAgent(app.url, reader.secret)), true)
  await assert.rejects(
    plain.client.callTool({ name: 'list_proposals', arguments: {} }),
    /not offered that tool/,
  )
})
