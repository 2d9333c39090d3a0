import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestOf } from '../../../src/domain/agents/agent-proposal.ts'
import { approveAgentProposal } from '../../../src/domain/agents/decide.ts'
import { propose } from '../../../src/domain/agents/propose.ts'
import { readAgentProposals } from '../../../src/domain/agents/read-proposals.ts'
import { createInvoice } from '../../../src/domain/billing/invoices/create-invoice.ts'
import { agentOf, personOf } from '../../support/agents.ts'
import { createTestDatabase } from '../../support/database.ts'
import { atFileEnd } from '../../support/endings.ts'
import { createWorld, project } from '../../support/factories.ts'

const database = await createTestDatabase()
atFileEnd(() => database.drop())
const { rows } = database
const world = await createWorld(database.db)
const { installer, dealer } = world
const olga = await personOf(world, installer, 'Olga Owner', 'owner')
const dora = await personOf(world, dealer, 'Dora Owner', 'owner')
const ofDealer = await agentOf(world, dealer, { agentName: 'Doris' })
const ofInstaller = await agentOf(world, installer)

const bill = (more: Partial<RequestOf<'draftInvoice'>> = {}): RequestOf<'draftInvoice'> => ({
  kind: 'draftInvoice',
  invoice: {
    customer: { name: 'Rita Roof', email: 'rita@example.com', address: null },
    lineItems: [{ description: 'Inspection', quantity: '1', unit: 'h', unitPrice: '90.00' }],
  },
  ...more,
})

/** Ten dollars that the dealer owes to Rita. */
async function credit() {
  const customer = { name: 'Voided', email: null, address: null }
  const { id } = await createInvoice(dora.as(), { ...bill().invoice, customer })
  await rows(
    `insert into credits (installer_id, id, company_id, invoice_id, currency, customer, amount, used, created_at, actor_name)
     select installer_id, 'cred_0000000001', company_id, id, 'USD', $2, 10, 0, now(), 'Dora' from invoices where id = $1`,
    [id, bill().invoice.customer],
  )
}

test('a dealer’s bill is the dealer’s, whoever approves it, with its number and its credits', async () => {
  await credit()
  const { id, follows } = await propose(ofDealer.as(), bill({ finalize: true }))
  assert.ok(
    follows.some((sentence) => /\$10\.00 of it is covered/.test(sentence)),
    follows.join(' '),
  )
  const [shown] = await readAgentProposals(olga.as(), { list: 'waiting', before: null, limit: 1 })
  assert.deepEqual(shown!.follows, follows, 'the installer is shown what would follow for the dealer')
  const { resultId } = await approveAgentProposal(olga.as(), id)
  const made = await rows<{ company_id: string; number: string; amount_due: string }>(
    'select company_id, number, amount_due from invoices where id = $1',
    [resultId],
  )
  const number = `${dealer.company.number}-000001`
  assert.deepEqual(made, [{ company_id: dealer.company.id, number, amount_due: '80.00' }])
  const events = await rows<{ company_id: string }>(
    'select distinct company_id from events where subject_id = $1',
    [resultId],
  )
  assert.deepEqual(events, [{ company_id: dealer.company.id }])
})

test('by its own people and the installer’s agents it is whose it was', async () => {
  const request = bill({ invoice: { ...bill().invoice, currency: 'EUR' } })
  for (const [agent, person, company] of [
    [ofDealer, dora, dealer.company],
    [ofInstaller, olga, installer.company],
  ] as const) {
    const { id } = await propose(agent.as(), request)
    const { resultId } = await approveAgentProposal(person.as(), id)
    const [made] = await rows<{ company_id: string }>('select company_id from invoices where id = $1', [
      resultId,
    ])
    assert.equal(made!.company_id, company.id)
  }
})

test('a bill for a project is about its lead and project', async () => {
  const { projectId, leadId } = await project(dealer, { firstName: 'Quentin', lastName: 'Nomailson' })
  const { id } = await propose(ofInstaller.as(), bill({ project: projectId }))
  const [stored] = await rows<{ lead_id: string; project_id: string }>(
    'select lead_id, project_id from agent_proposals where id = $1',
    [id],
  )
  assert.deepEqual(stored, { lead_id: leadId, project_id: projectId })
  const own = await project(installer)
  await assert.rejects(propose(ofDealer.as(), bill({ project: own.projectId })), { code: 'not_found' })
  await assert.rejects(propose(ofDealer.as(), bill({ project: 'proj_none000000' })), { code: 'not_found' })
})

test('one that would now be about another record is outdated', async () => {
  const first = await project(installer)
  const second = await project(installer)
  const { id } = await propose(ofInstaller.as(), bill({ project: first.projectId }))
  await rows(
    `update agent_proposals set input = jsonb_set(input, '{project}', to_jsonb($2::text)) where id = $1`,
    [id, second.projectId],
  )
  await assert.rejects(approveAgentProposal(olga.as(), id), /has changed since this was proposed/)
})
