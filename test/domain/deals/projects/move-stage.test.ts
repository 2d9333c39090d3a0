import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patchStage, type StagePatch } from '../../../../src/domain/tenants/ladders/patch-stage.ts'
import { updateMember } from '../../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../../support/app.ts'
import { createWorld, member, project } from '../../../support/factories.ts'

const app = await startApp()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer, dealer, other } = world
const { key } = installer

const solarLadder = [
  'Sold',
  'Site Survey',
  'Design',
  'Permitting',
  'NTP',
  'Install Scheduled',
  'Installed',
  'Inspection',
  'PTO',
  'Complete',
]
const hiLadder = ['Sold', 'Measure', 'Ordered', 'Scheduled', 'In Progress', 'Punch List', 'Complete']

const move = (projectId: string, stage: unknown, as = key) =>
  app.call('POST', `/v1/projects/${projectId}/stage`, { key: as, body: { stage } })
const moved = async (projectId: string, stage: string) => {
  const answer = await move(projectId, stage)
  assert.deepEqual([answer.status, answer.body.changed], [200, true], answer.text)
  return answer.body.stage as string
}
const read = async (projectId: string) => (await app.get(`/v1/projects/${projectId}`, key)).body

async function setStage(name: string, patch: StagePatch, line = 'solar'): Promise<void> {
  const [stage] = await rows<{ id: string }>(
    'select id from stages where installer_id = $1 and product_line = $2 and name = $3',
    [installer.company.id, line, name],
  )
  await patchStage(db, new Date(), installer.company.id, stage!.id, patch)
}

test('a project walks its whole ladder, of its own line, by names in any case', async () => {
  for (const [productLine, ladder] of [
    ['solar', solarLadder],
    ['hi', hiLadder],
  ] as const) {
    const { projectId } = await project(installer, { productLine })
    for (const name of ladder.slice(1)) {
      assert.equal(await moved(projectId, ` ${name.toUpperCase()} `), name)
      const now = await read(projectId)
      assert.equal(now.stage.name, name)
      assert.ok(Math.abs(Date.now() - Date.parse(now.stage.enteredAt)) < 60_000)
    }
    assert.equal(await moved(projectId, 'sold'), 'Sold')
  }
})

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

test('an unknown stage is 400 with the ladder listed in order, and nothing changes', async () => {
  const solar = await project(installer)
  const hi = await project(installer, { productLine: 'hi' })
  const before = await read(solar.projectId)
  for (const stage of ['Measure', 'Nowhere', 'Sold!', 'x'.repeat(200)]) {
    const answer = await move(solar.projectId, stage)
    assert.equal(answer.status, 400)
    assert.ok(answer.body.error.message.includes(quoted(solarLadder)), answer.text)
  }
  assert.ok((await move(hi.projectId, 'Design')).body.error.message.includes(quoted(hiLadder)))
  for (const stage of ['', ' ', null, 7, ['Design'], 'x'.repeat(201)])
    assert.equal((await move(solar.projectId, stage)).status, 400)
  assert.deepEqual(await read(solar.projectId), before)
})

test("a dealer's key is 400 with the ladder listed, also for the current stage", async () => {
  const { projectId } = await project(dealer)
  for (const stage of ['Design', 'Sold', 'Nowhere']) {
    const answer = await move(projectId, stage, dealer.key)
    assert.equal(answer.status, 400)
    assert.ok(answer.body.error.message.includes(quoted(solarLadder)))
  }
  assert.equal((await read(projectId)).stage.name, 'Sold')
})

test('entering a stage brings its checklist, alerts, messages and milestone, in one transaction', async () => {
  const people = {
    manager: await member(world, installer, 'Pam Manager', 'manager'),
    rep: await member(world, dealer, 'Ron Rep'),
    owner: await member(world, installer, 'Olga Owner', 'owner'),
    gone: await member(world, installer, 'Gone Owner', 'owner'),
    dealerOwner: await member(world, dealer, 'Dora Owner', 'owner'),
    foreign: await member(world, other, 'Fay Owner', 'owner'),
  }
  await updateMember(db, new Date(), installer.company.id, people.gone.id, { active: false })
  await setStage('Inspection', {
    checklist: ['Book it', 'Pass it'],
    alerts: ['salesRep', 'projectManager', 'owner', 'subcontractor', 'manager'],
    messages: [
      {
        subject: '{firstName}, you are in {stage}',
        body: 'Dear {firstName} {lastName}, {company} says {nothing}. {stage}!',
      },
    ],
    milestone: 'inspectionPassed',
  })
  const { projectId, leadId } = await project(
    dealer,
    { firstName: 'Ada', lastName: 'Moreno', email: 'ada@example.com', salesRepEmail: people.rep.email },
    { projectManagerId: people.manager.id },
  )
  await moved(projectId, 'inspection')
  const { updatedAt, milestones } = await read(projectId)
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'America/Denver' }).format(new Date())
  assert.equal(milestones.inspectionPassed, today)

  const items = await rows<{ label: string }>(
    'select label from checklist_items where project_id = $1 order by ordinal',
    [projectId],
  )
  assert.deepEqual(
    items.map((i) => i.label),
    ['Book it', 'Pass it'],
  )
  const alerted = [people.rep, people.manager, people.owner]
  const notifications = await rows<{ member_id: string; text: string; at: Date }>(
    'select member_id, text, at from notifications where project_id = $1 and at = $2',
    [projectId, updatedAt],
  )
  assert.deepEqual(notifications.map((n) => n.member_id).sort(), alerted.map((m) => m.id).sort())
  assert.ok(notifications.every((n) => n.text.includes('Ada Moreno') && n.text.includes('Inspection')))
  const mails = await rows<{ to_address: string; subject: string; body: string; state: string }>(
    'select to_address, subject, body, state from mails where subject like $1',
    ['%Inspection%'],
  )
  assert.deepEqual(
    mails.map((m) => m.to_address).sort(),
    [...alerted.map((m) => m.email), 'ada@example.com'].sort(),
  )
  const message = mails.find((m) => m.to_address === 'ada@example.com')!
  assert.deepEqual(message, {
    to_address: 'ada@example.com',
    subject: 'Ada, you are in Inspection',
    body: 'Dear Ada Moreno, Bright Doors says {nothing}. Inspection!',
    state: 'queued',
  })

  const feed = (await app.get(`/v1/leads/${leadId}/activities?limit=3`, key)).body.data as {
    type: string
    body: string
    createdAt: string
    customerFacing: boolean
  }[]
  assert.deepEqual(feed.map((a) => a.type).sort(), ['alert', 'message', 'stageChanged'])
  assert.ok(feed.every((a) => a.createdAt === updatedAt && a.customerFacing === (a.type === 'message')))
  assert.equal(feed.find((a) => a.type === 'stageChanged')!.body, 'Moved from Sold to Inspection')
  const events = await rows(
    'select type, subject_id, changes, actor_kind, actor_name from events where project_id = $1 and at = $2 order by ordinal',
    [projectId, updatedAt],
  )
  const changes = { stage: ['Sold', 'Inspection'] }
  const event = { subject_id: projectId, changes, actor_kind: 'key', actor_name: 'Sunrise Solar CRM' }
  assert.deepEqual(events, [
    { type: 'project.stage_changed', ...event },
    { type: 'project.updated', ...event },
  ])
})

test('coming back to a stage keeps its checklist and its day, and alerts again', async () => {
  const manager = await member(world, installer, 'Max Manager', 'manager')
  const { projectId } = await project(installer, {}, { projectManagerId: manager.id })
  await moved(projectId, 'Installed')
  await rows(`update checklist_items set done_at = now(), done_by = 'x' where project_id = $1`, [projectId])
  await app.call('PATCH', `/v1/projects/${projectId}`, { key, body: { installDate: '2026-05-05' } })
  await rows(
    `update projects set milestones = milestones || '{"installCompleted": "2025-03-04"}' where id = $1`,
    [projectId],
  )
  await moved(projectId, 'PTO')
  await moved(projectId, 'Installed')
  const items = await rows<{ done: boolean }>(
    'select done_at is not null as done from checklist_items where project_id = $1',
    [projectId],
  )
  assert.deepEqual(items, [{ done: true }])
  const { milestones } = await read(projectId)
  assert.deepEqual([milestones.installCompleted, milestones.installScheduled], ['2025-03-04', '2026-05-05'])
  await moved(projectId, 'PTO')
  const told = await rows("select from notifications where project_id = $1 and text like '%PTO%'", [
    projectId,
  ])
  assert.equal(told.length, 2)
})

test('a customer without email gets no message, a project without people alerts nobody', async () => {
  await setStage('Complete', { messages: [{ subject: 'Done', body: 'Done' }], alerts: ['salesRep'] })
  const { projectId, leadId } = await project(installer)
  await moved(projectId, 'Complete')
  const feed = (await app.get(`/v1/leads/${leadId}/activities`, key)).body.data as { type: string }[]
  assert.deepEqual(
    feed.map((a) => a.type),
    ['stageChanged', 'projectCreated', 'leadCreated'],
  )
  assert.deepEqual(await rows("select from mails where subject = 'Done'"), [])
})

test('50 simultaneous moves leave one consistent history', async () => {
  const { projectId, leadId } = await project(installer)
  const names = ['Design', 'Permitting', 'NTP', 'Design', 'PTO']
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => move(projectId, names[i % 5])))
  assert.ok(answers.every((a) => a.status === 200))
  const events = await rows<{ changes: { stage: [string, string] } }>(
    "select changes from events where project_id = $1 and type = 'project.stage_changed' order by at",
    [projectId],
  )
  assert.equal(events.length, answers.filter((a) => a.body.changed).length)
  let stage = 'Sold'
  for (const { changes } of events) {
    assert.equal(changes.stage[0], stage)
    assert.notEqual(changes.stage[1], stage)
    stage = changes.stage[1]
  }
  assert.equal((await read(projectId)).stage.name, stage)
  const feed = (await app.get(`/v1/leads/${leadId}/activities?limit=100`, key)).body.data as {
    type: string
    body: string
  }[]
  const told = feed
    .filter((a) => a.type === 'stageChanged')
    .toReversed()
    .map((a) => a.body)
  assert.deepEqual(
    told,
    events.map((e) => `Moved from ${e.changes.stage[0]} to ${e.changes.stage[1]}`),
  )
  const lists = await rows<{ n: number }>(
    'select count(*) as n from checklist_items where project_id = $1 group by stage_id, label',
    [projectId],
  )
  assert.ok(lists.every((l) => l.n === 1))
})
