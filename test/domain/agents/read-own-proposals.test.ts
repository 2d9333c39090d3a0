import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveAgentProposal, declineAgentProposal } from '../../../src/domain/agents/decide.ts'
import { propose } from '../../../src/domain/agents/propose.ts'
import { readOwnProposals } from '../../../src/domain/agents/read-own-proposals.ts'
import type { Context, Interface } from '../../../src/domain/kernel/context.ts'
import { rollKey } from '../../../src/domain/tenants/keys/end-key.ts'
import { agentOf, personOf } from '../../support/agents.ts'
import { createTestDatabase } from '../../support/database.ts'
import { atFileEnd } from '../../support/endings.ts'
import { createWorld, project } from '../../support/factories.ts'

const database = await createTestDatabase()
atFileEnd(() => database.drop())
const { db, rows } = database
const world = await createWorld(db)
const { installer, dealer, other } = world
const olga = await personOf(world, installer, 'Olga Owner', 'owner')
const ada = await agentOf(world, installer)

const all: Interface[] = ['company', 'catalog', 'legacy']
const own = async (ctx: Context, more: Partial<Parameters<typeof readOwnProposals>[1]> = {}) =>
  (await readOwnProposals(ctx, { list: 'all', interfaces: all, before: null, limit: 50, ...more })).map(
    ({ id, state }) => [id, state],
  )
const move = async (ctx = ada.as()) => {
  const { projectId } = await project(installer)
  return (await propose(ctx, { kind: 'move', project: projectId, stage: 'Design' })).id
}
const bill = async (ctx: Context) =>
  (
    await propose(ctx, {
      kind: 'draftInvoice',
      invoice: {
        customer: { name: 'Rita Roof', email: null, address: null },
        lineItems: [{ description: 'Inspection', quantity: '1', unit: 'h', unitPrice: '90.00' }],
      },
    })
  ).id

test('an agent reads what became of what it proposed, the newest first', async () => {
  const approved = await move()
  const declined = await move()
  const waits = await move()
  await approveAgentProposal(olga.as(), approved)
  await declineAgentProposal(olga.as(), declined, 'Not yet')
  const past = new Date(Date.now() - 15 * 86_400_000)
  const expired = await move(ada.as(past))
  const found = await own(ada.as())
  assert.deepEqual(
    new Map(found as [string, string][]),
    new Map([
      [waits, 'waiting'],
      [declined, 'declined'],
      [approved, 'approved'],
      [expired, 'expired'],
    ]),
  )
  assert.deepEqual(await own(ada.as(), { list: 'waiting' }), [[waits, 'waiting']])
  assert.deepEqual(
    await own(ada.as(), { list: 'decided' }),
    found.filter(([, state]) => state !== 'waiting'),
  )
})

test('of its company and name alone, and by a key that was rolled or made anew', async () => {
  const agent = await agentOf(world, installer, { agentName: 'Rolling' })
  const id = await move(agent.as())
  const { key } = await rollKey(db, new Date(), agent.key.id, 1)
  const ctx = agent.as()
  assert.deepEqual(await own({ ...ctx, actor: { ...ctx.actor, id: key.id } }), [[id, 'waiting']])
  const namesake = await agentOf(world, installer, { agentName: 'Rolling', proposes: false })
  assert.deepEqual(await own(namesake.as()), [[id, 'waiting']])
  for (const company of [dealer, other])
    assert.deepEqual(await own((await agentOf(world, company, { agentName: 'Rolling' })).as()), [])
  assert.deepEqual(await own((await agentOf(world, installer, { agentName: 'rolling' })).as()), [])
  await assert.rejects(own(installer.as()), { code: 'forbidden' })
  await assert.rejects(own(olga.as()), { code: 'forbidden' })
})

test('of the kinds that the key was made for', async () => {
  const agent = await agentOf(world, installer, { agentName: 'Billie' })
  const billed = await bill(agent.as())
  const moved = await move(agent.as())
  const of = async (interfaces: Interface[]) => (await own(agent.as(), { interfaces })).map(([id]) => id)
  assert.deepEqual(await of(all), [moved, billed])
  assert.deepEqual(await of(['catalog']), [billed])
  assert.deepEqual(await of(['company', 'legacy']), [moved])
  assert.deepEqual(await of(['legacy']), [])
})

test('paged by key, also where several were made at one time', async () => {
  const agent = await agentOf(world, installer, { agentName: 'Pager' })
  const id = await bill(agent.as())
  await rows(
    `insert into agent_proposals select (jsonb_populate_record(p, jsonb_build_object('id', p.id || i, 'digest', i))).*
     from agent_proposals p, generate_series(1, 6) i where p.id = $1`,
    [id],
  )
  const seen: string[] = []
  for (let before: { at: Date; id: string } | null = null; ; ) {
    const page = await readOwnProposals(agent.as(), { list: 'all', interfaces: all, before, limit: 3 })
    seen.push(...page.map((one) => one.id))
    if (page.length < 3) break
    before = { at: page.at(-1)!.createdAt, id: page.at(-1)!.id }
  }
  assert.equal(seen.length, 7)
  assert.deepEqual(seen, [...new Set(seen)])
})
