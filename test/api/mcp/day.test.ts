import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { moveStage } from '../../../src/domain/deals/projects/move-stage.ts'
import { agentOf } from '../../support/agents.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { createWorld, member, project } from '../../support/factories.ts'
import { connectAgent } from '../../support/mcp.ts'
import { addPerson, signedIn } from '../../support/people.ts'

const { app, at } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer } = world

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const key = () => ({ idempotency_key: randomUUID() })

test('a day’s work is done by tools alone', async () => {
  await member(world, installer, 'Mona Manager', 'manager')
  const planner = await member(world, installer, 'Paula Planner', 'manager')
  const sold = { ...installer, as: () => installer.as(daysAgo(130)) }
  const { projectId } = await project(sold, {
    firstName: 'Ada',
    lastName: 'Moreno',
    email: 'ada@example.com',
  })
  await project(installer)
  await moveStage(installer.as(daysAgo(120)), projectId, 'NTP')
  const agent = await connectAgent(app.url, installer.key)
  const { client, does } = agent

  const me = await does('who_am_i')
  assert.equal(me.company.kind, 'installer')
  const { messages } = await client.getPrompt({ name: 'what-is-stuck' })
  assert.equal(messages.length, 1)
  const { next: morning } = await does('list_changes', { after: 'now' })

  const [stuck] = (await does('today')).stuck
  assert.equal(stuck.id, projectId)
  const before = await does('get_project', { id: stuck.id })
  const kinds = new Set(before.blockers.map(({ kind }: { kind: string }) => kind))
  assert.ok(kinds.has('late') && kinds.has('ntp') && kinds.has('installDate'))

  await does('write_note', { id: stuck.id, text: 'The lender has released the funds', ...key() })
  const open = before.progress.checklist.filter((item: { done: boolean }) => !item.done)
  const scheduled = await does('schedule', {
    project_id: stuck.id,
    ntp_granted: true,
    install_date: new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10),
    project_manager: planner.email,
    ...(open.length > 0 ? { done: open.map(({ label }: { label: string }) => ({ label })) } : {}),
    ...key(),
  })
  assert.equal(scheduled.outcome, 'done')
  const ready = await does('get_project', { id: stuck.id })
  assert.deepEqual(
    ready.blockers.map(({ kind }: { kind: string }) => kind),
    ['late'],
  )

  const would = await does('move_stage', { project_id: stuck.id, stage: ready.progress.next, dry_run: true })
  const moved = await does('move_stage', { project_id: stuck.id, stage: ready.progress.next, ...key() })
  assert.deepEqual(moved.effects, would.effects)
  assert.deepEqual((await does('get_project', { id: stuck.id })).progress.stage, 'Install Scheduled')

  const attached = await does('attach_files', {
    project_id: stuck.id,
    folder: 'planset',
    files: [{ url: at('/plan.pdf'), name: 'Plan set.pdf' }],
    ...key(),
  })
  assert.equal(attached.outcome, 'done')

  const draft = await does('bill', {
    project_id: stuck.id,
    line_items: [{ description: 'Second payment', unit_price: 9500 }],
    ...key(),
  })
  assert.equal(draft.record.status, 'draft')
  const invoice = await does('bill', { invoice_id: draft.record.invoice_id, ...key() })
  assert.equal(invoice.record.status, 'open')

  const { secret } = await agentOf(world, installer)
  const proposing = await connectAgent(app.url, secret)
  const proposed = await proposing.does('move_stage', { project_id: stuck.id, stage: 'Installed', ...key() })
  assert.equal(proposed.outcome, 'proposed')
  assert.equal((await does('get_project', { id: stuck.id })).progress.stage, 'Install Scheduled')
  const olga = await signedIn(app, await addPerson(app, installer.company.id, 'owner', 'Olga Owner'))
  const approved = await olga.call('POST', `/agent-proposals/${proposed.proposal.id}/approve`, { body: {} })
  assert.equal(approved.status, 200, approved.text)
  assert.equal((await does('get_project', { id: stuck.id })).progress.stage, 'Installed')

  assert.ok((await does('today')).visits.some((visit: { projectId: string }) => visit.projectId === stuck.id))
  const { events } = await does('list_changes', { after: morning, limit: 50 })
  const types = new Set(events.map(({ type }: { type: string }) => type))
  for (const type of ['note.created', 'project.stage_changed', 'file.added', 'invoice.finalized'])
    assert.ok(types.has(type), `${type}: ${[...types].join()}`)
  const feed = (await app.get(`/v1/leads/${stuck.leadId}/activities`, installer.key)).body.data
  const authors = new Set(feed.map(({ author }: { author: string }) => author))
  assert.ok(authors.has('Sunrise Solar CRM') && authors.has('Olga Owner'), [...authors].join())
})
