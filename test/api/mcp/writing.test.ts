import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '../../../src/platform/ids.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { createWorld, lead, member, project } from '../../support/factories.ts'
import { site } from '../../support/invoices.ts'
import { connectAgent } from '../../support/mcp.ts'
import { stock } from '../../support/stock.ts'

const { app, at, asked } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const agent = await connectAgent(app.url, installer.key)

const address = { line1: '1 Market St', city: 'San Diego', state: 'CA', postal_code: '92101' }
const feedOf = async (leadId: string): Promise<{ type: string; body: string; author: string }[]> =>
  (await app.get(`/v1/leads/${leadId}/activities`, installer.key)).body.data
const stageOf = async (id: string) => (await app.get(`/v1/projects/${id}`, installer.key)).body.stage.name
const countOf = async (table: string) => {
  const [row] = await app.database.rows<{ n: string }>(`select count(*) as n from ${table}`)
  return Number(row!.n)
}

test('a lead is created, found by its id of elsewhere, and changed', async () => {
  const input = {
    first_name: 'Ada',
    last_name: 'Moreno',
    address,
    external_id: 'crm-1',
    email: 'ada@example.com',
  }
  const before = await countOf('leads')
  const would = await agent.does('save_lead', { ...input, dry_run: true })
  assert.equal(would.outcome, 'dry_run')
  assert.deepEqual(would.effects, ['The lead is created'])
  assert.equal(would.record.lead_id, undefined)
  assert.equal(await countOf('leads'), before)

  const made = await agent.does('save_lead', input)
  assert.equal(made.outcome, 'done')
  assert.equal(made.record.created, true)
  const { lead_id: id } = made.record
  const again = await agent.does('save_lead', input)
  assert.equal(again.outcome, 'unchanged')
  assert.equal(again.record.lead_id, id)
  const changed = await agent.does('save_lead', {
    external_id: 'crm-1',
    phone: '+1 619 555 0100',
    status: 'contacted',
  })
  assert.equal(changed.outcome, 'done')
  assert.equal(changed.record.lead_id, id)
  const { body } = await app.get(`/v1/leads/${id}`, installer.key)
  assert.equal(body.status, 'contacted')
  assert.equal(body.customer.phone, '+1 619 555 0100')

  assert.match(
    await agent.refused('save_lead', { first_name: 'Ada' }),
    /last_name is required.*address is required/,
  )
  assert.match(await agent.refused('save_lead', { id: 'lead_nothing', phone: '1' }), /^not_found/)
  assert.match(await agent.refused('save_lead', { id, status: 'sold' }), /status must be one of/)
  assert.match(await agent.refused('save_lead', { id, product_line: 'hi' }), /product_line/)
})

test('a note is written once for its key, and is the key’s', async () => {
  const id = await lead(dealer)
  const key = randomUUID()
  const note = { id, text: 'Gate code is 4711', internal: true, idempotency_key: key }
  const [first, second] = await Promise.all([agent.does('write_note', note), agent.does('write_note', note)])
  assert.equal(first.record.note_id, second.record.note_id)
  assert.deepEqual([first.replayed, second.replayed].filter(Boolean), [true])
  assert.equal((await feedOf(id)).filter(({ type }) => type === 'note').length, 1)
  assert.equal((await feedOf(id))[0]?.author, 'Sunrise Solar CRM')
  assert.match(
    await agent.refused('write_note', { ...note, text: 'Another' }),
    /The idempotency_key was sent before/,
  )
  const other = await connectAgent(app.url, dealer.key)
  assert.equal((await other.does('write_note', { ...note, text: 'Theirs', internal: false })).outcome, 'done')
  const dry = await agent.does('write_note', { id, text: 'x', dry_run: true })
  assert.equal(dry.record.note_id, undefined)
  assert.equal((await feedOf(id)).filter(({ type }) => type === 'note').length, 2)
})

test('a refusal is kept for its key too, and a call without one is not', async () => {
  const { projectId } = await project(installer)
  const call = { project_id: projectId, stage: 'Nowhere', idempotency_key: randomUUID() }
  const said = await agent.refused('move_stage', call)
  assert.match(said, /The stages are: "Sold"/)
  assert.equal(await agent.refused('move_stage', call), said)
  assert.match(await agent.refused('move_stage', { ...call, stage: 'Design' }), /sent before/)
  assert.equal(await stageOf(projectId), 'Sold')
})

test('a move says what follows before and after it, and follows once', async () => {
  await member(world, installer, 'Mona Manager', 'manager')
  const { projectId } = await project(dealer, { email: 'ada@example.com' })
  const mails = await countOf('mails')
  const would = await agent.does('move_stage', { project_id: projectId, stage: 'installed', dry_run: true })
  assert.equal(would.outcome, 'dry_run')
  assert.match(
    would.summary,
    /^Not done, as this is a dry run\. .*The project moves from Sold to Installed\.$/,
  )
  assert.match(would.untrusted.summary, /^Move .*’s project from Sold to Installed$/)
  assert.ok(would.untrusted.follows.length > 0)
  assert.equal(await stageOf(projectId), 'Sold')
  assert.equal(await countOf('mails'), mails)

  const call = { project_id: projectId, stage: 'Installed', idempotency_key: randomUUID() }
  const moved = await agent.does('move_stage', call)
  assert.equal(moved.outcome, 'done')
  assert.deepEqual(moved.effects, would.effects)
  assert.ok(moved.effects.some((effect: string) => effect.includes('installCompleted')))
  assert.equal(await stageOf(projectId), 'Installed')
  const again = await agent.does('move_stage', call)
  assert.equal(again.replayed, true)
  const unchanged = await agent.does('move_stage', { project_id: projectId, stage: 'Installed' })
  assert.equal(unchanged.outcome, 'unchanged')
  assert.deepEqual(unchanged.effects, [])
  const nothing = await agent.does('move_stage', { project_id: projectId, stage: 'Installed', dry_run: true })
  assert.equal(nothing.outcome, 'dry_run')
  assert.match(nothing.summary, /stands in Installed already/)
})

test('a project is scheduled, staffed and ticked off, all of it or nothing', async () => {
  const manager = await member(world, installer, 'Paula Planner', 'manager')
  const { projectId, leadId } = await project(installer)
  const soon = Temporal.Now.plainDateISO('UTC').add({ days: 60 }).toString()
  const call = {
    project_id: projectId,
    install_date: soon,
    ntp_granted: true,
    project_manager: manager.email,
  }
  const would = await agent.does('schedule', { ...call, dry_run: true })
  const done = await agent.does('schedule', call)
  assert.deepEqual(done.effects, would.effects)
  assert.ok(done.effects.some((effect: string) => effect.includes('Notice to proceed granted')))
  const { body } = await app.get(`/v1/projects/${projectId}`, installer.key)
  assert.equal(body.milestones.installScheduled, soon)
  assert.equal(body.projectManager.name, 'Paula Planner')
  assert.equal((await agent.does('schedule', call)).outcome, 'unchanged')
  const entries = (await feedOf(leadId)).length
  assert.match(
    await agent.refused('schedule', {
      project_id: projectId,
      survey_date: '2027-01-02',
      done: [{ label: 'Nothing such' }],
    }),
    /^invalid/,
  )
  assert.equal((await feedOf(leadId)).length, entries)
  assert.match(await agent.refused('schedule', { project_id: projectId }), /Say what to change/)
  assert.doesNotMatch(JSON.stringify(done.effects), /in the past/)
  const late = await agent.does('schedule', { project_id: projectId, install_date: '2020-01-01' })
  assert.ok(late.effects.some((effect: string) => /install, 2020-01-01, is in the past/.test(effect)))
  assert.match(await agent.refused('schedule', { project_id: projectId, install_date: 'soon' }), /YYYY-MM-DD/)
})

test('files are attached once, and a dry run copies nothing', async () => {
  const { projectId } = await project(installer)
  const call = {
    project_id: projectId,
    folder: 'planset',
    files: [{ url: at('/plan.pdf'), name: 'Plan.pdf' }],
  }
  const would = await agent.does('attach_files', { ...call, dry_run: true })
  assert.match(would.summary, /^Not done.* Files added to planset: 1\.$/)
  assert.match(would.effects[0], /found out when it is done/)
  assert.ok(!asked.includes('/plan.pdf'))
  const key = randomUUID()
  const done = await agent.does('attach_files', { ...call, idempotency_key: key })
  assert.equal(done.outcome, 'done')
  assert.equal((await agent.does('attach_files', { ...call, idempotency_key: key })).replayed, true)
  assert.equal((await agent.does('attach_files', call)).outcome, 'unchanged')
  assert.equal(asked.filter((path) => path === '/plan.pdf').length, 1)
  const { files, project: read } = await agent.does('get_project', { id: projectId })
  assert.deepEqual(files, { planset: 1 })
  assert.match(read.untrusted.files.planset[0], /Plan\.pdf$/)
  const bad = { ...call, files: [{ url: 'http://10.0.0.1/x.pdf' }] }
  assert.match(await agent.refused('attach_files', bad), /files\[0\]\.url/)
  assert.match(await agent.refused('attach_files', { ...bad, dry_run: true }), /files\[0\]\.url/)
})

test('a lead is sold as it would be by hand, once', async () => {
  const { panel, inverter } = await stock(installer)
  const leadId = await lead(installer, { email: 'eve@example.com' })
  const call = {
    lead_id: leadId,
    contract: { price: 30000, signedAt: '2026-10-14' },
    financing: { type: 'cash' },
    system: {
      panels: { id: panel.id, count: 20 },
      inverters: { id: inverter.id, count: 20 },
      annualProductionKwh: 12000,
    },
  }
  const would = await agent.does('mark_as_sold', { ...call, dry_run: true })
  assert.equal(would.record.project_id, undefined)
  assert.match(would.untrusted.summary, /^Mark .* as sold for \$30,000/)
  assert.match(would.untrusted.follows.join(' '), /a project in Sold\..* kW is sold\. Financing: cash\./)
  assert.equal((await app.get(`/v1/leads/${leadId}`, installer.key)).body.project, null)
  const sold = await agent.does('mark_as_sold', { ...call, idempotency_key: randomUUID() })
  assert.equal(sold.outcome, 'done')
  assert.deepEqual(sold.effects, would.effects)
  assert.equal(await stageOf(sold.record.project_id), 'Sold')
  const again = await agent.does('mark_as_sold', call)
  assert.equal(again.outcome, 'unchanged')
  assert.equal(again.record.project_id, sold.record.project_id)
})

test('an alert is acknowledged and resolved', async () => {
  const installation = await site(app.database, installer)
  const id = newId('alrt')
  await app.database.rows(
    `insert into alerts (installer_id, id, company_id, installation_id, type, severity, status, title, description,
      recommended_action, version, began_at, triggered_at) values ($1, $2, $1, $3, 'outage', 'high', 'active', 'Down', 'Down since today', 'Look', 1, now(), now())`,
    [installer.company.id, id, installation],
  )
  await agent.does('handle_alert', { alert_id: id, action: 'resolve', dry_run: true })
  assert.equal(
    (await agent.does('handle_alert', { alert_id: id, action: 'acknowledge' })).record.status,
    'acknowledged',
  )
  const again = await agent.does('handle_alert', { alert_id: id, action: 'acknowledge' })
  assert.deepEqual([again.outcome, again.effects, again.record.status], ['unchanged', [], 'acknowledged'])
  assert.equal(
    (await agent.does('handle_alert', { alert_id: id, action: 'resolve' })).record.status,
    'resolved',
  )
  assert.equal((await agent.does('handle_alert', { alert_id: id, action: 'resolve' })).outcome, 'unchanged')
  assert.match(await agent.refused('handle_alert', { alert_id: id, action: 'acknowledge' }), /is resolved/)
  assert.match(
    await agent.refused('handle_alert', { alert_id: 'alrt_nothing', action: 'resolve' }),
    /^not_found.*list_alerts/,
  )
})

test('a project is billed: drafted, then finalized, with numbers that leave none out', async () => {
  const { projectId } = await project(installer, { firstName: 'Ada', lastName: 'Moreno' })
  const lines = [{ description: 'Panel cleaning', quantity: 21, unit: 'panel', unit_price: 6.5 }]
  const would = await agent.does('bill', {
    project_id: projectId,
    line_items: lines,
    finalize: true,
    dry_run: true,
  })
  assert.equal(would.record.invoice_id, undefined)
  assert.equal(would.record.amount_due, '136.50')
  assert.equal(would.untrusted.summary, 'Bill an invoice of $136.50 for Ada Moreno')
  const draft = await agent.does('bill', { project_id: projectId, line_items: lines })
  assert.equal(draft.record.status, 'draft')
  const open = await agent.does('bill', {
    invoice_id: draft.record.invoice_id,
    idempotency_key: randomUUID(),
  })
  assert.match(open.record.number, /-000001$/)
  const read = (await agent.does('list_invoices', { id: open.record.invoice_id })).invoices[0]
  assert.equal(read.untrusted.customer.name, 'Ada Moreno')
  assert.match(await agent.refused('bill', { invoice_id: draft.record.invoice_id }), /This invoice is open/)
  assert.match(await agent.refused('bill', { project_id: projectId }), /line_items is required/)
  assert.match(await agent.refused('bill', { line_items: lines }), /customer is required/)
})
