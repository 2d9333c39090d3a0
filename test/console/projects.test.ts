import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { moveStage } from '../../src/domain/deals/projects/move-stage.ts'
import type { Role } from '../../src/domain/kernel/tenant/member.ts'
import { type App, startApp } from '../support/app.ts'
import { type Actors, createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Caller = Awaited<ReturnType<typeof signedIn>>

describe('a project in the console', () => {
  let app: App
  let world: World
  let owner: Caller
  let people: Record<Role, Person>
  const callers = {} as Record<Role, Caller>
  const roles: Role[] = ['owner', 'admin', 'manager', 'rep', 'setter', 'surveyor', 'subcontractor']

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    people = {} as Record<Role, Person>
    for (const role of roles) {
      people[role] = await addPerson(app, world.installer.company.id, role)
      callers[role] = await signedIn(app, people[role])
    }
    owner = callers.owner
  })

  /** A project that the installer's people of every role are on. */
  const shared = (of: Actors = world.installer) =>
    project(
      of,
      of === world.installer ? { salesRepEmail: people.rep.email, setterEmail: people.setter.email } : {},
      { siteSurveyorId: people.surveyor.id, subcontractorId: people.subcontractor.id },
    )
  const patch = (caller: Caller, id: string, body: unknown) =>
    caller.call('PATCH', `/projects/${id}`, { body })
  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, world.installer.key)).body
  const feed = async (leadId: string): Promise<{ type: string; body: string; author: string }[]> =>
    (await app.get(`/v1/leads/${leadId}/activities`, world.installer.key)).body.data

  test('reads everything that its page shows, by each of its ids', async () => {
    const { projectId, leadId } = await shared()
    const { status, body } = await owner.get(`/projects/${projectId}`)
    assert.equal(status, 200)
    assert.equal(body.id, projectId)
    assert.equal(body.leadId, leadId)
    assert.equal(body.stage.name, 'Sold')
    assert.equal(body.stage.daysAllowed, 3)
    assert.deepEqual(body.ladder.map(({ name }: { name: string }) => name).slice(0, 3), [
      'Sold',
      'Site Survey',
      'Design',
    ])
    assert.equal(body.contract.price, '28728.50')
    assert.equal(body.contract.signedOn, '2026-01-10')
    assert.equal(body.system.panels.count, 21)
    assert.equal(body.people.siteSurveyor.id, people.surveyor.id)
    assert.equal(body.people.salesRep.name, people.rep.name)
    assert.equal(body.people.projectManager, null)
    assert.match(body.proposal, /^\/console\/api\/projects\/proj_\w+\/proposal$/)
    assert.equal(body.folders.length, 12)
    assert.deepEqual(body.can, { run: true, write: true, upload: true, renewLinks: true })
    assert.equal((await owner.get(`/projects/${leadId}`)).body.id, projectId)
  })

  test('moves to another stage, as the API then reads', async () => {
    const { projectId, leadId } = await shared()
    const move = (stage: string) => owner.call('POST', `/projects/${projectId}/stage`, { body: { stage } })
    const { undo, ...moved } = (await move('site survey')).body
    assert.deepEqual(moved, { changed: true, stage: 'Site Survey' })
    assert.match(undo.moveId, /^move_/)
    assert.deepEqual((await move('Site Survey')).body, { changed: false, stage: 'Site Survey', undo: null })
    assert.equal((await read(projectId)).stage.name, 'Site Survey')
    const [latest] = (await feed(leadId)).filter(({ type }) => type === 'stageChanged')
    assert.equal(latest!.author, people.owner.name)
    const unknown = await move('Nowhere')
    assert.equal(unknown.status, 400)
    assert.match(unknown.body.error.message, /The stages are: "Sold", "Site Survey"/)
    for (const body of [{}, { stage: '' }, { stage: 7 }, { stage: 'Sold', more: 1 }])
      assert.equal((await owner.call('POST', `/projects/${projectId}/stage`, { body })).status, 400)
  })

  test('takes days, people, milestones, contract, financing and notes, as one change', async () => {
    const { projectId, leadId } = await shared()
    const answer = await patch(owner, projectId, {
      installDate: '2026-12-01',
      surveyDate: '2026-11-20',
      ntpGranted: true,
      projectManagerId: people.manager.id,
      siteSurveyorId: null,
      milestones: { permitReceived: '2026-11-02' },
      contractPrice: '30000.5',
      contractSignedOn: '2026-10-01',
      financing: { type: 'loan', lender: 'Sun Bank', aprPercent: '5.99', termMonths: 240 },
      notes: 'Gate code 12',
    })
    assert.deepEqual(answer.body, { changed: true })
    const now = await read(projectId)
    assert.equal(now.milestones.installScheduled, '2026-12-01')
    assert.equal(now.milestones.siteSurveyScheduled, '2026-11-20')
    assert.equal(now.milestones.permitReceived, '2026-11-02')
    assert.equal(now.milestones.contractSigned, '2026-10-01')
    assert.equal(now.contract.signedAt, '2026-10-01T18:00:00.000Z', 'noon in Denver')
    assert.equal(now.contract.price, 30000.5)
    assert.equal(now.ntpGranted, true)
    assert.equal(now.projectManager.name, people.manager.name)
    assert.equal(now.siteSurveyor, null)
    assert.equal(now.financing.lender, 'Sun Bank')
    assert.equal(now.notes.project, 'Gate code 12')
    const days = 'select kind, day from calendar_entries where project_id = $1 order by kind'
    assert.deepEqual(await app.database.rows(days, [projectId]), [
      { kind: 'install', day: '2026-12-01' },
      { kind: 'survey', day: '2026-11-20' },
    ])
    const events = await app.database.rows<{ changes: object }>(
      "select changes from events where project_id = $1 and type = 'project.updated'",
      [projectId],
    )
    assert.equal(events.length, 1)
    assert.deepEqual((events[0]!.changes as { contractPrice: unknown }).contractPrice, [
      '28728.50',
      '30000.5',
    ])
    const types = (await feed(leadId)).map(({ type }) => type)
    for (const type of ['installScheduled', 'ntpChanged', 'assigned', 'leadUpdated', 'note'])
      assert.ok(types.includes(type), type)

    assert.deepEqual((await patch(owner, projectId, { installDate: '2027-01-05', surveyDate: null })).body, {
      changed: true,
    })
    assert.deepEqual(await app.database.rows(days, [projectId]), [{ kind: 'install', day: '2027-01-05' }])
  })

  test('what holds already changes nothing', async () => {
    const { projectId } = await shared()
    const set = {
      contractPrice: '28728.5',
      financing: { type: 'cash', amount: null },
      notes: '',
      surveyDate: null,
    }
    const { updatedAt } = await read(projectId)
    assert.deepEqual((await patch(owner, projectId, set)).body, { changed: false })
    assert.deepEqual((await patch(owner, projectId, {})).body, { changed: false })
    assert.equal((await read(projectId)).updatedAt, updatedAt)
  })

  test('refuses what cannot be, naming the field', async () => {
    const { projectId } = await shared()
    const dealerRep = await addPerson(app, world.dealer.company.id, 'rep')
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ installDate: '2026-02-30' }, /Install date/],
      [{ surveyDate: 5 }, /Survey date/],
      [{ projectManagerId: 'memb_nobody' }, /Project manager/],
      [{ subcontractorId: dealerRep.id }, /Subcontractor/],
      [{ contractPrice: '12.345' }, /Contract price/],
      [{ contractPrice: 12 }, /Contract price/],
      [{ contractPrice: '-5' }, /Contract price/],
      [{ contractSignedOn: '9999-12-31' }, /Date signed/],
      [{ notes: 'x'.repeat(20_001) }, /Notes/],
      [{ notes: null }, /Notes/],
      [{ stage: 'Sold' }, /out of date/],
    ]
    for (const [body, message] of wrong) {
      const { status, body: answer } = await patch(owner, projectId, body)
      assert.equal(status, 400, JSON.stringify(body).slice(0, 80))
      assert.match(answer.error.message, message)
    }
    for (const financing of [{ type: 'barter' }, { termMonths: 0 }, { aprPercent: 'six' }, { owner: 'x' }, 5])
      assert.equal((await patch(owner, projectId, { financing })).status, 400)
    for (const milestones of [{ installScheduled: '2026-01-01' }, { permitReceived: 'soon' }, { fun: null }])
      assert.equal((await patch(owner, projectId, { milestones })).status, 400)
  })

  test('a checklist is ticked and unticked, with who and when', async () => {
    const { projectId, leadId } = await shared()
    await moveStage(world.installer.as(), projectId, 'Site Survey')
    const checklist = async () => (await owner.get(`/projects/${projectId}`)).body.checklists[0]
    const { stageId, items } = await checklist()
    const [{ label }] = items
    const { surveyor } = callers
    const tick = (caller: Caller, body: object) =>
      caller.call('PUT', `/projects/${projectId}/checklist`, { body })
    assert.deepEqual((await tick(surveyor, { stageId, label, done: true })).body, { changed: true })
    assert.deepEqual((await tick(owner, { stageId, label, done: true })).body, { changed: false })
    const [item] = (await checklist()).items
    assert.equal(item.doneBy, people.surveyor.name)
    assert.ok(Date.now() - Date.parse(item.doneAt) < 60_000)
    assert.deepEqual((await tick(owner, { stageId, label, done: false })).body, { changed: true })
    assert.equal((await checklist()).items[0].doneAt, null)
    const ticks = (await feed(leadId)).filter(({ type }) => type === 'checklistDone')
    assert.deepEqual(
      ticks.map(({ author }) => author),
      [people.owner.name, people.surveyor.name],
    )
    assert.equal((await tick(owner, { stageId, label: 'Something else', done: true })).status, 400)
    assert.equal((await tick(owner, { stageId, label })).status, 400)
  })

  test('simultaneous ticks of one item are one', async () => {
    const { projectId, leadId } = await shared()
    await moveStage(world.installer.as(), projectId, 'Design')
    const [{ stageId, items }] = (await owner.get(`/projects/${projectId}`)).body.checklists
    const body = { stageId, label: items[0].label, done: true }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.call('PUT', `/projects/${projectId}/checklist`, { body })),
    )
    assert.equal(answers.filter((answer) => answer.body.changed).length, 1)
    assert.equal((await feed(leadId)).filter(({ type }) => type === 'checklistDone').length, 1)
  })

  test('who runs the installer changes it; who is on it reads it and ticks its checklist', async () => {
    const { projectId } = await shared()
    await moveStage(world.installer.as(), projectId, 'Site Survey')
    const [{ stageId, items }] = (await owner.get(`/projects/${projectId}`)).body.checklists
    for (const role of roles) {
      const runs = ['owner', 'admin', 'manager'].includes(role)
      const caller = callers[role]
      const { status, body } = await caller.get(`/projects/${projectId}`)
      assert.equal(status, 200, role)
      assert.equal(body.can.run, runs, role)
      const moved = await caller.call('POST', `/projects/${projectId}/stage`, {
        body: { stage: 'Site Survey' },
      })
      assert.equal(moved.status, runs ? 200 : 403, role)
      assert.equal((await patch(caller, projectId, { ntpGranted: true })).status, runs ? 200 : 403, role)
      const tick = { stageId, label: items[0].label, done: true }
      assert.equal(
        (await caller.call('PUT', `/projects/${projectId}/checklist`, { body: tick })).status,
        200,
        role,
      )
    }
  })

  test('a dealer’s people see their company’s, and change nothing', async () => {
    const boss = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner'))
    const { projectId } = await project(world.dealer)
    const { status, body } = await boss.get(`/projects/${projectId}`)
    assert.equal(status, 200)
    assert.deepEqual(body.can, { run: false, write: false, upload: true, renewLinks: false })
    assert.equal(body.folders.length, 11)
    assert.ok(!body.folders.some(({ folder }: { folder: string }) => folder === 'internal'))
    assert.equal((await patch(boss, projectId, { ntpGranted: true })).status, 403)
    const moved = await boss.call('POST', `/projects/${projectId}/stage`, { body: { stage: 'Design' } })
    assert.equal(moved.status, 403)
    assert.doesNotMatch(moved.body.error.message, /key/)
  })

  test('what is not theirs is missing for everybody', async () => {
    const stranger = await signedIn(app, await addPerson(app, world.other.company.id, 'owner'))
    const sister = await signedIn(app, await addPerson(app, world.sister.company.id, 'owner'))
    const { projectId } = await project(world.dealer)
    const { rep, setter, surveyor, subcontractor } = callers
    for (const caller of [stranger, sister, rep, setter, surveyor, subcontractor]) {
      const answers = await Promise.all([
        caller.get(`/projects/${projectId}`),
        caller.call('POST', `/projects/${projectId}/stage`, { body: { stage: 'Design' } }),
        patch(caller, projectId, { ntpGranted: true }),
        caller.call('PUT', `/projects/${projectId}/checklist`, {
          body: { stageId: 'x', label: 'y', done: true },
        }),
      ])
      const missing = await caller.get('/projects/proj_00000000000000000000000000')
      for (const { status, body } of answers) {
        assert.equal(status, 404)
        assert.deepEqual(body, missing.body)
      }
    }
    assert.equal((await app.send('GET', `/console/api/projects/${projectId}`)).status, 401)
  })
})
