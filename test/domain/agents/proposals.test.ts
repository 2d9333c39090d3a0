import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  maxWaiting,
  type ProposalRequest,
  type RequestOf,
  waitsMs,
} from '../../../src/domain/agents/agent-proposal.ts'
import { approveAgentProposal, declineAgentProposal } from '../../../src/domain/agents/decide.ts'
import { previewProposal, propose } from '../../../src/domain/agents/propose.ts'
import { countProposals, listProposals, sellsFew } from '../../../src/domain/agents/queries.ts'
import { countAgentProposals, readAgentProposals } from '../../../src/domain/agents/read-proposals.ts'
import { sweepProposals } from '../../../src/domain/agents/sweep-proposals.ts'
import { createInvoice } from '../../../src/domain/billing/invoices/create-invoice.ts'
import { finalizeInvoice } from '../../../src/domain/billing/invoices/finalize-invoice.ts'
import { updateDraft } from '../../../src/domain/billing/invoices/update-draft.ts'
import { updateLead } from '../../../src/domain/deals/leads/update-lead.ts'
import { moveStage } from '../../../src/domain/deals/projects/move-stage.ts'
import type { Context } from '../../../src/domain/kernel/context.ts'
import { revokeKey, rollKey } from '../../../src/domain/tenants/keys/end-key.ts'
import { agentOf, personOf, saleOf } from '../../support/agents.ts'
import { oneServerOnly } from '../../support/citus.ts'
import { createTestDatabase } from '../../support/database.ts'
import { atFileEnd } from '../../support/endings.ts'
import { createWorld, lead, project } from '../../support/factories.ts'
import { withGenericPlans } from '../../support/generic-plans.ts'
import { stock } from '../../support/stock.ts'

const database = await createTestDatabase()
atFileEnd(() => database.drop())
const { db, rows } = database
const world = await createWorld(db)
const { installer, dealer, other } = world
const { panel, inverter } = await stock(installer)
const agent = await agentOf(world, installer)
const maya = await personOf(world, installer, 'Maya Manager', 'manager')
const olga = await personOf(world, installer, 'Olga Owner', 'owner')

const move = (projectId: string, stage = 'Design'): ProposalRequest => ({
  kind: 'move',
  project: projectId,
  stage,
})
const sold = (more = {}) => project(installer, { firstName: 'Rita', lastName: 'Roof', ...more })
const stageOf = async (projectId: string) =>
  (
    await rows<{ name: string }>(
      'select s.name from projects p join stages s on s.installer_id = p.installer_id and s.id = p.stage_id where p.id = $1',
      [projectId],
    )
  )[0]!.name
const waiting = (ctx: Context) => readAgentProposals(ctx, { list: 'waiting', before: null, limit: 50 })
const decided = (ctx: Context) => readAgentProposals(ctx, { list: 'decided', before: null, limit: 50 })
const shownTo = async (ctx: Context, id: string) => (await waiting(ctx)).find((one) => one.id === id)
const refused = (message: RegExp, code = 'invalid') => ({ name: 'DomainError', code, message })
const draft = (name = 'Rita Roof') =>
  createInvoice(olga.as(), {
    customer: { name, email: null, address: null },
    lineItems: [{ description: 'Service', quantity: '1', unit: 'h', unitPrice: '120.00' }],
  })

describe('what an agent proposes', () => {
  test('changes nothing, and is shown with what would follow', async () => {
    const { projectId, leadId } = await sold()
    const made = await propose(agent.as(), move(projectId), { reason: ' The survey is done. ' })
    assert.equal(made.created, true)
    assert.equal(made.summary, 'Move Rita Roof’s project from Sold to Design')
    assert.equal(await stageOf(projectId), 'Sold')
    const shown = await shownTo(maya.as(), made.id)
    assert.deepEqual(
      [shown?.state, shown?.agentName, shown?.reason, shown?.leadId, shown?.problem, shown?.mayDecide],
      ['waiting', 'Ada', 'The survey is done.', leadId, null, true],
    )
    assert.ok(shown!.follows.length > 0)
    assert.deepEqual(shown!.follows, made.follows)
    const events = await rows<{ type: string; actor_name: string; lead_id: string }>(
      'select type, actor_name, lead_id from events where subject_id = $1',
      [made.id],
    )
    assert.deepEqual(events, [{ type: 'agent_proposal.made', actor_name: 'Ada (agent)', lead_id: leadId }])
  })

  test('is approved by a person, once, as them and with the agent named', async () => {
    const { projectId, leadId } = await sold()
    const { id } = await propose(agent.as(), move(projectId))
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => approveAgentProposal((i % 2 ? maya : olga).as(), id)),
    )
    assert.equal(new Set(all.map(({ decidedByName }) => decidedByName)).size, 1)
    assert.deepEqual(new Set(all.map(({ state }) => state)), new Set(['approved']))
    assert.equal(all[0]!.resultId, projectId)
    assert.equal(await stageOf(projectId), 'Design')
    const moves = await rows<{ body: string; author: string }>(
      `select body, author from activities where lead_id = $1 and type = 'stageChanged'`,
      [leadId],
    )
    assert.equal(moves.length, 1)
    assert.equal(moves[0]!.body, 'Moved from Sold to Design, as Ada (agent) proposed')
    assert.match(moves[0]!.author, /^(Maya Manager|Olga Owner) \(proposed by Ada\)$/)
    const events = await rows<{ actor_kind: string; actor_name: string }>(
      `select actor_kind, actor_name from events where subject_id = $1 and type = 'project.stage_changed'`,
      [projectId],
    )
    assert.deepEqual(events, [{ actor_kind: 'member', actor_name: moves[0]!.author }])
    await assert.rejects(declineAgentProposal(maya.as(), id, 'No'), refused(/approved this already/))
  })

  test('is declined with a reason, once', async () => {
    const { projectId } = await sold()
    const { id } = await propose(agent.as(), move(projectId))
    await assert.rejects(declineAgentProposal(maya.as(), id, '  '), refused(/reason must have/))
    await assert.rejects(declineAgentProposal(maya.as(), id, 'a\0b'), refused(/NUL/))
    const done = await declineAgentProposal(maya.as(), id, ' Not before the permit ')
    assert.deepEqual([done.state, done.declinedBecause], ['declined', 'Not before the permit'])
    assert.equal(
      (await declineAgentProposal(olga.as(), id, 'Again')).declinedBecause,
      'Not before the permit',
    )
    await assert.rejects(approveAgentProposal(olga.as(), id), refused(/Maya Manager declined this already/))
    assert.equal(await stageOf(projectId), 'Sold')
    assert.ok((await decided(maya.as())).some((one) => one.id === id))
  })

  test('approved and declined at once is one of the two', async () => {
    const { projectId } = await sold()
    const { id } = await propose(agent.as(), move(projectId))
    const both = await Promise.allSettled([
      approveAgentProposal(maya.as(), id),
      declineAgentProposal(olga.as(), id, 'No'),
    ])
    assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
    const [row] = await rows<{ state: string }>('select state from agent_proposals where id = $1', [id])
    assert.equal(await stageOf(projectId), row!.state === 'approved' ? 'Design' : 'Sold')
  })

  test('is outdated once the record has moved: it says so and changes nothing', async () => {
    const { projectId } = await sold()
    const { id } = await propose(agent.as(), move(projectId))
    await moveStage(olga.as(), projectId, 'Permitting')
    const shown = await shownTo(maya.as(), id)
    assert.match(shown!.problem!, /has changed since this was proposed/)
    assert.deepEqual(shown!.follows, [])
    await assert.rejects(approveAgentProposal(maya.as(), id), refused(/can no longer be approved/))
    assert.equal(await stageOf(projectId), 'Permitting')
    await moveStage(olga.as(), projectId, 'Design')
    await assert.rejects(approveAgentProposal(maya.as(), id), refused(/is in Design already/))
    const [row] = await rows<{ state: string }>('select state from agent_proposals where id = $1', [id])
    assert.equal(row!.state, 'waiting')
  })

  test('proposed twice waits once, until the record is another', async () => {
    const { projectId } = await sold()
    const both = await Promise.all([1, 2].map(() => propose(agent.as(), move(projectId))))
    assert.equal(both[0]!.id, both[1]!.id)
    assert.deepEqual(both.map(({ created }) => created).sort(), [false, true])
    await moveStage(olga.as(), projectId, 'Permitting')
    const next = await propose(agent.as(), move(projectId))
    assert.notEqual(next.id, both[0]!.id)
  })

  test('written otherwise is the same: names in other letters, records by reference', async () => {
    const { projectId, leadId } = await sold()
    const referenceOf = async (table: 'projects' | 'leads', id: string) => {
      await rows(`update ${table} set reference = $2 where id = $1`, [id, id.slice(-10)])
      return id.slice(-10)
    }
    const reference = await referenceOf('projects', projectId)
    const { id } = await propose(agent.as(), move(projectId))
    for (const other of [move(projectId, 'design'), move(reference, 'DESIGN'), move(leadId)])
      assert.deepEqual(await propose(agent.as(), other).then((one) => [one.id, one.created]), [id, false])
    assert.notEqual((await propose(agent.as(), move(projectId, 'NTP'))).id, id)

    const prospect = await lead(installer)
    const request = saleOf(prospect, panel.id, inverter.id) as RequestOf<'sale'>
    const sale = await propose(agent.as(), request)
    const { system } = request.terms
    const { id: panels, count } = system!.panels
    const written: RequestOf<'sale'> = {
      ...request,
      lead: await referenceOf('leads', prospect),
      terms: { ...request.terms, system: { ...system!, panels: { count, id: panels } } },
    }
    assert.equal((await propose(agent.as(), written)).id, sale.id)
    const { contract } = request
    const later = { ...request, contract: { ...contract, signed: '2026-03-03' } }
    assert.notEqual((await propose(agent.as(), later)).id, sale.id)

    const customer = { name: 'Rita Roof', email: null, address: null }
    const line = { description: 'Inspection', quantity: '2', unit: 'h', unitPrice: '90' }
    const bill = (more: object, project: string, finalize?: boolean): ProposalRequest => ({
      kind: 'draftInvoice',
      invoice: { customer, lineItems: [{ ...line, ...more }] },
      project,
      ...(finalize === undefined ? {} : { finalize }),
    })
    const first = await propose(agent.as(), bill({}, projectId))
    const again = await propose(agent.as(), bill({ quantity: '2.0', unitPrice: '90.00' }, reference, false))
    assert.equal(again.id, first.id)
    for (const other of [bill({}, projectId, true), bill({ unitPrice: '91' }, projectId)])
      assert.notEqual((await propose(agent.as(), other)).id, first.id)
    const another = await sold()
    assert.notEqual((await propose(agent.as(), bill({}, another.projectId))).id, first.id)
  })

  test('expires after 14 days, and is gone after 90 more', async () => {
    const { projectId } = await sold()
    const past = (ms: number) => new Date(Date.now() - ms)
    const { id } = await propose(agent.as(past(waitsMs + 1000)), move(projectId))
    assert.equal(await shownTo(maya.as(), id), undefined)
    await assert.rejects(approveAgentProposal(maya.as(), id), refused(/has expired/))
    await sweepProposals(db, new Date())
    assert.equal((await decided(maya.as())).find((one) => one.id === id)?.state, 'expired')
    await assert.rejects(approveAgentProposal(maya.as(), id), refused(/has expired/))
    assert.equal(await stageOf(projectId), 'Sold')
    await sweepProposals(db, new Date(Date.now() + 91 * 86_400_000))
    assert.equal((await rows('select from agent_proposals where id = $1', [id])).length, 0)
  })
})

describe('a key', () => {
  test('that was revoked leaves what cannot be approved', async () => {
    const gone = await agentOf(world, installer, { agentName: 'Gone' })
    const { projectId } = await sold()
    const { id } = await propose(gone.as(), move(projectId))
    await revokeKey(db, new Date(), gone.key.id)
    assert.equal((await shownTo(maya.as(), id))?.state, 'revoked')
    await assert.rejects(approveAgentProposal(maya.as(), id), refused(/was revoked/))
    assert.equal(await stageOf(projectId), 'Sold')
    assert.equal((await declineAgentProposal(maya.as(), id, 'Key revoked')).state, 'declined')
  })

  test('that is rolled stays an agent’s, and what it proposed can be approved', async () => {
    const rolled = await agentOf(world, installer, { agentName: 'Rolling' })
    const { projectId } = await sold()
    const { id } = await propose(rolled.as(), move(projectId))
    const { key } = await rollKey(db, new Date(), rolled.key.id, 1)
    assert.deepEqual([key.agentName, key.proposes], ['Rolling', true])
    assert.equal((await approveAgentProposal(maya.as(), id)).state, 'approved')
  })

  test('has so many proposals waiting and no more', async () => {
    const busy = await agentOf(world, installer, { agentName: 'Busy' })
    const { projectId } = await sold()
    const { id } = await propose(busy.as(), move(projectId))
    await rows(
      `insert into agent_proposals select (jsonb_populate_record(p, jsonb_build_object('id', p.id || i, 'digest', i))).*
       from agent_proposals p, generate_series(1, $2::int) i where p.id = $1`,
      [id, maxWaiting - 1],
    )
    await assert.rejects(
      propose(busy.as(), move(projectId, 'NTP')),
      refused(/200 proposals of this key wait/),
    )
    assert.equal((await propose(busy.as(), move(projectId))).id, id)
    assert.ok((await propose(agent.as(), move(projectId, 'NTP'))).created, 'another key has its own')
    await rows(`update agent_proposals set expires_at = now() where id like $1 || '_%'`, [id])
    assert.ok((await propose(busy.as(), move(projectId, 'NTP'))).created)
  })

  test('made for nobody, or to read, proposes nothing', async () => {
    const { projectId } = await sold()
    const plain = installer.as()
    const key = { ...plain, actor: { ...plain.actor, kind: 'key' as const, id: 'key_none000000' } }
    await assert.rejects(propose(key, move(projectId)), refused(/made for an agent/, 'forbidden'))
    const reading = agent.as()
    await assert.rejects(
      propose({ ...reading, actor: { ...reading.actor, canWrite: false } }, move(projectId)),
      refused(/may only read/, 'forbidden'),
    )
    for (const [more, message] of [
      [{ agentName: null, proposes: true }, /agentName is required/],
      [{ agentName: '  ' }, /must not be empty/],
      [{ agentName: 'x'.repeat(61) }, /at most 60/],
      [{ agentName: 'Ada\u202eadA' }, /visible/],
      [{ agentName: 'Ada', access: 'read', proposes: true }, /may only read/],
    ] as const)
      await assert.rejects(agentOf(world, installer, more), refused(message))
  })
})

describe('what is refused at once, in the words of the use case', () => {
  test('records that are not there or not theirs', async () => {
    const { projectId } = await project(other)
    for (const key of [projectId, 'proj_none000000', '', 'x\u0000y'])
      await assert.rejects(propose(agent.as(), move(key)))
    const own = await sold()
    await assert.rejects(propose(agent.as(), move(own.projectId, 'Nowhere')), refused(/There is no stage/))
    await assert.rejects(propose(agent.as(), move(own.projectId, 'Sold')), refused(/already/))
    const dealers = await agentOf(world, dealer)
    const theirs = await project(dealer)
    await assert.rejects(
      propose(dealers.as(), move(theirs.projectId)),
      refused(/Only the installer/, 'forbidden'),
    )
    await assert.rejects(propose(dealers.as(), move(own.projectId)), refused(/no project/, 'not_found'))
  })

  test('texts that no database keeps, and too much of them', async () => {
    const { projectId } = await sold()
    for (const reason of ['a\0b', '\ud800', 'x'.repeat(2_001)])
      await assert.rejects(propose(agent.as(), move(projectId), { reason }), { code: 'invalid' })
    const long = {
      description: 'x'.repeat(70_000),
      quantity: '1',
      unit: 'h',
      unitPrice: '1.00',
    }
    const customer = { name: 'Rita', email: null, address: null }
    await assert.rejects(
      propose(agent.as(), { kind: 'draftInvoice', invoice: { customer, lineItems: [long] } }),
      refused(/larger than 64 KiB/),
    )
    await assert.rejects(
      propose(agent.as(), {
        kind: 'draftInvoice',
        invoice: { customer: { ...customer, name: 'R\0' }, lineItems: [{ ...long, description: 'x' }] },
      }),
      refused(/NUL/),
    )
    const before = await countAgentProposals(maya.as())
    await previewProposal(agent.as(), move(projectId))
    assert.equal(await countAgentProposals(maya.as()), before)
  })

  test('no key decides, an agent’s least of all', async () => {
    const { projectId } = await sold()
    const { id } = await propose(agent.as(), move(projectId))
    const free = await agentOf(world, installer, { proposes: false })
    for (const ctx of [agent.as(), free.as()])
      await assert.rejects(approveAgentProposal(ctx, id), refused(/Only a person/, 'forbidden'))
  })
})

describe('a sale', () => {
  test('is proposed and approved by the lead’s own rep, and by no other', async () => {
    const rep = await personOf(world, dealer, 'Rolf Rep', 'rep')
    const second = await personOf(world, dealer, 'Sven Second', 'rep')
    const dealers = await agentOf(world, dealer, { agentName: 'Doris' })
    const leadId = await lead(dealer, { firstName: 'Lena', lastName: 'Lead', salesRepId: rep.id })
    const { id, summary } = await propose(dealers.as(), saleOf(leadId, panel.id, inverter.id))
    assert.equal(summary, 'Mark Lena Lead as sold for $20,000.00')
    assert.equal(await shownTo(second.as(), id), undefined)
    await assert.rejects(approveAgentProposal(second.as(), id), { code: 'not_found' })
    assert.equal((await shownTo(rep.as(), id))?.mayDecide, true)
    assert.deepEqual([await countAgentProposals(rep.as()), await countAgentProposals(second.as())], [1, 0])
    const surveyor = await personOf(world, dealer, 'Sue Surveyor', 'surveyor')
    await assert.rejects(approveAgentProposal(surveyor.as(), id), { code: 'forbidden' })
    assert.equal(await countAgentProposals(surveyor.as()), 0)
    const done = await approveAgentProposal(rep.as(), id)
    const [sold] = await rows<{ id: string; contract_price: string }>(
      'select id, contract_price from projects where lead_id = $1',
      [leadId],
    )
    assert.deepEqual([done.resultId, sold!.contract_price], [sold!.id, '20000.00'])
  })

  test('is what the person was shown, whatever became of the lead since', async () => {
    const leadId = await lead(installer, { firstName: 'Real', lastName: 'Customer' })
    const { id } = await propose(agent.as(), saleOf(leadId, panel.id, inverter.id))
    const before = (await shownTo(maya.as(), id))!
    await updateLead(agent.as(), leadId, { firstName: 'Mallory' })
    await assert.rejects(
      approveAgentProposal(maya.as(), id, before.seen!),
      refused(/no longer what you were shown/),
    )
    const after = (await shownTo(maya.as(), id))!
    assert.match(after.summary, /Mallory/)
    assert.equal((await approveAgentProposal(maya.as(), id, after.seen!)).state, 'approved')
  })

  test('of a lead that was sold meanwhile says so', async () => {
    const leadId = await lead(installer)
    const request = saleOf(leadId, panel.id, inverter.id)
    const timed = {
      ...request,
      contract: { ...(request as { contract: object }).contract },
    } as typeof request
    if (timed.kind === 'sale') timed.contract.signed = new Date('2026-03-02T18:30:00Z')
    const first = await propose(agent.as(), request)
    const second = await propose(agent.as(), timed)
    assert.notEqual(first.id, second.id)
    await approveAgentProposal(maya.as(), second.id)
    const [project] = await rows<{ signed: Date }>(
      'select contract_signed_at as signed from projects where lead_id = $1',
      [leadId],
    )
    assert.equal(project!.signed.toISOString(), '2026-03-02T18:30:00.000Z')
    assert.match((await shownTo(maya.as(), first.id))!.problem!, /sold already/)
    await assert.rejects(approveAgentProposal(maya.as(), first.id), refused(/sold already/))
    assert.equal((await rows('select from projects where lead_id = $1', [leadId])).length, 1)
  })
})

describe('bills', () => {
  test('are drafted and finalized by approval', async () => {
    const customer = { name: 'Rita Roof', email: 'rita@example.com', address: null }
    const lineItems = [{ description: 'Inspection', quantity: '2', unit: 'h', unitPrice: '90.00' }]
    const drafted = await propose(agent.as(), { kind: 'draftInvoice', invoice: { customer, lineItems } })
    assert.equal(drafted.summary, 'Draft an invoice of $180.00 for Rita Roof')
    const { resultId } = await approveAgentProposal(maya.as(), drafted.id)
    const read = async () =>
      (await rows<{ status: string }>('select status from invoices where id = $1', [resultId]))[0]!
    assert.equal((await read()).status, 'draft')
    const finalizing = await propose(agent.as(), { kind: 'finalizeInvoice', invoice: resultId! })
    assert.equal(finalizing.summary, 'Finalize the draft of $180.00 for Rita Roof')
    await approveAgentProposal(maya.as(), finalizing.id)
    assert.equal((await read()).status, 'open')
    const both = await propose(agent.as(), {
      kind: 'draftInvoice',
      invoice: { customer, lineItems },
      finalize: true,
    })
    assert.equal(both.summary, 'Bill an invoice of $180.00 for Rita Roof')
    const done = await approveAgentProposal(maya.as(), both.id)
    const [made] = await rows<{ status: string }>('select status from invoices where id = $1', [
      done.resultId,
    ])
    assert.equal(made!.status, 'open')
    const [event] = await rows<{ actor_name: string }>(
      `select actor_name from events where subject_id = $1 and type = 'invoice.finalized'`,
      [done.resultId],
    )
    assert.equal(event!.actor_name, 'Maya Manager (proposed by Ada)')
  })

  test('that were changed since are not decided on by an old proposal', async () => {
    const { id } = await draft()
    const proposed = await propose(agent.as(), { kind: 'finalizeInvoice', invoice: id })
    await updateDraft(olga.as(), id, { dueDate: '2030-01-01' })
    await assert.rejects(approveAgentProposal(maya.as(), proposed.id), refused(/has changed since/))
    await finalizeInvoice(olga.as(), id)
    assert.match((await shownTo(maya.as(), proposed.id))!.problem!, /only a draft can be finalized/)
  })

  test('are made once, however often they are approved', async () => {
    const customer = { name: 'Only Once', email: null, address: null }
    const lineItems = [{ description: 'Inspection', quantity: '1', unit: 'h', unitPrice: '90.00' }]
    const request = { kind: 'draftInvoice', invoice: { customer, lineItems }, finalize: true } as const
    const { id } = await propose(agent.as(), request)
    await Promise.all(Array.from({ length: 8 }, () => approveAgentProposal(maya.as(), id)))
    const made = await rows(`select from invoices where customer->>'name' = 'Only Once'`)
    assert.equal(made.length, 1)
  })
})

test('another company’s people see nothing of it', async () => {
  const { projectId } = await sold()
  const { id } = await propose(agent.as(), move(projectId))
  for (const [of, name] of [
    [dealer, 'Dora Dealer'],
    [other, 'Otto Other'],
  ] as const) {
    const owner = await personOf(world, of, name, 'owner')
    assert.equal(await shownTo(owner.as(), id), undefined)
    await assert.rejects(approveAgentProposal(owner.as(), id), { code: 'not_found' })
    await assert.rejects(declineAgentProposal(owner.as(), id, 'No'), { code: 'not_found' })
  }
})

test('the list is paged by key', async () => {
  const ctx = maya.as()
  const all = await waiting(ctx)
  assert.ok(all.length > 3)
  const seen: string[] = []
  for (let before: { at: Date; id: string } | null = null; ; ) {
    const page = await readAgentProposals(ctx, { list: 'waiting', before, limit: 2 })
    seen.push(...page.map(({ id }) => id))
    if (page.length < 2) break
    before = { at: page.at(-1)!.createdAt, id: page.at(-1)!.id }
  }
  assert.deepEqual(
    seen.slice(0, all.length),
    all.map(({ id }) => id),
  )
})

test('what became of a rep’s sales is the same by each way to find it', async () => {
  const rep = await personOf(world, dealer, 'Vera Various', 'rep')
  const { installerId, id: dealerId } = dealer.company
  const own = [await lead(dealer, { salesRepId: rep.id }), await lead(dealer, { salesRepId: rep.id })]
  const leads = [...own, await lead(dealer), await lead(installer)]
  await rows(
    `insert into agent_proposals (installer_id, id, company_id, key_id, agent_name, kind, lead_id, digest, summary, state,
       created_at, expires_at, decided_at)
     select $1, 'agp_various' || lpad(i::text, 10, '0'), (array[$2, $1])[1 + i % 2], 'key_x', 'Doris',
       (array['sale', 'sale', 'move'])[1 + i % 3], ($3::text[])[1 + i % 4], '', 'Sell', 'declined', '2026-01-01', '2026-01-02',
       '2026-01-01'::timestamptz + i / 4 * interval '1 minute'
     from generate_series(1, 60) i`,
    [installerId, dealerId, leads],
  )
  for (const companyId of [null, dealerId]) {
    const wanted = await rows<{ id: string }>(
      `select id from agent_proposals where installer_id = $1 and ($2::text is null or company_id = $2) and kind = 'sale'
         and lead_id = any($3) order by decided_at desc, id desc`,
      [installerId, companyId, own],
    )
    assert.equal(wanted.length, companyId ? 10 : 20)
    for (const ofFew of [true, false]) {
      const scope = {
        installerId,
        companyId,
        memberId: rep.id,
        list: 'decided',
        ofFew,
        now: new Date(),
      } as const
      const found: string[] = []
      for (let before: { at: Date; id: string } | undefined; ; ) {
        const page = await listProposals(db, {
          ...scope,
          beforeAt: before?.at,
          beforeId: before?.id,
          limit: 3,
        })
        found.push(...page.map(({ id }) => id))
        if (page.length < 3) break
        before = { at: page.at(-1)!.decidedAt!, id: page.at(-1)!.id }
      }
      assert.deepEqual(
        found,
        wanted.map(({ id }) => id),
      )
    }
  }
  assert.equal((await sellsFew(db, { installerId, memberId: rep.id })).few, true)
})

test('no company’s list is read along an index of all companies', { skip: oneServerOnly() }, async () => {
  const { installerId } = dealer.company
  await rows(
    `insert into agent_proposals (installer_id, id, company_id, key_id, agent_name, kind, digest, summary, state,
       created_at, expires_at, decided_at)
     select $1, 'agp_many' || lpad(i::text, 10, '0'), $1, 'key_x', 'Doris', 'sale', '', 'Sell',
       (array['declined', 'waiting'])[1 + i % 2], '2026-01-01', '2026-01-02'::timestamptz + i * interval '1 minute',
       case when i % 2 = 0 then '2026-01-01'::timestamptz + i * interval '1 minute' end
     from generate_series(1, 20000) i`,
    [other.company.id],
  )
  await rows('analyze agent_proposals')
  const explaining = await withGenericPlans(db, database.url)
  const { plans } = explaining
  const scope = { installerId, companyId: null, memberId: null, ofFew: false, now: new Date() }
  for (const list of ['waiting', 'decided'] as const)
    await listProposals(explaining.db, {
      ...scope,
      list,
      limit: 50,
      beforeAt: undefined,
      beforeId: undefined,
    })
  await countProposals(explaining.db, scope)
  await explaining.close()
  assert.equal(plans.length, 3)
  for (const plan of plans) {
    assert.match(plan, /agent_proposals/)
    assert.doesNotMatch(plan, /Seq Scan on agent_proposals|agent_proposals_to_/)
  }
  await sweepProposals(db, new Date())
  const [left] = await rows<{ count: number }>(
    `select count(*)::int as count from agent_proposals where installer_id = $1 and state = 'waiting'`,
    [other.company.id],
  )
  assert.equal(left!.count, 0)
})
