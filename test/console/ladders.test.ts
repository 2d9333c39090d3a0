import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LaddersResponse, StageSettingResponse } from '../../src/api/console/ladders.ts'
import { findLatestLongJob } from '../../src/domain/journal/long-jobs/queries.ts'
import { workOnLongJob } from '../../src/domain/journal/long-jobs/work-on-long-job.ts'
import { emptyingJob } from '../../src/domain/tenants/ladders/emptying-job.ts'
import { emptyingKind } from '../../src/domain/tenants/ladders/stage-setting.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

describe('the ladder editor', () => {
  let app: App
  let world: World
  let owner: Awaited<ReturnType<typeof signedIn>>

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner', 'Olga'))
  })

  const ladders = async () => (await owner.get('/ladders')).body as LaddersResponse
  const names = async (line = 'solar') =>
    (await ladders()).stages.filter(({ productLine }) => productLine === line).map(({ name }) => name)
  async function stageNamed(name: string, line = 'solar'): Promise<StageSettingResponse> {
    const { stages } = await ladders()
    return stages.find((stage) => stage.name === name && stage.productLine === line)!
  }
  const add = (body: object) => owner.call('POST', '/stages', { body: { productLine: 'solar', ...body } })
  const edit = async (name: string, patch: object) => {
    const { id, version } = await stageNamed(name)
    return owner.call('PATCH', `/stages/${id}`, { body: { version, ...patch } })
  }
  const retire = async (name: string, more: object = {}) => {
    const { id, version } = await stageNamed(name)
    return owner.call('POST', `/stages/${id}/retire`, { body: { version, ...more } })
  }
  const move = (id: string, stage: string) =>
    app.call('POST', `/v1/projects/${id}/stage`, { key: world.installer.key, body: { stage } })
  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, world.installer.key)).body
  async function until(done: () => Promise<boolean>): Promise<void> {
    while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  test('a stage is added where it is to stand, with all that follows it', async () => {
    const sold = await stageNamed('Sold')
    const made = await add({
      name: 'Welcome call',
      after: sold.id,
      milestone: 'permitSubmitted',
      daysAllowed: 2,
      checklist: ['Customer called', 'Bill received'],
      alerts: ['owner'],
      messages: [{ subject: 'Welcome, {firstName}', body: '{company} has you in {stage}.' }],
    })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual((await names()).slice(0, 3), ['Sold', 'Welcome call', 'Site Survey'])
    assert.equal((await add({ name: 'Lead check', after: null })).status, 201)
    assert.equal((await names())[0], 'Lead check')

    const { projectId } = await project(world.installer, { firstName: 'Ada', email: 'ada@example.com' })
    assert.equal((await read(projectId)).stage.name, 'Lead check')
    assert.equal((await move(projectId, 'welcome call')).status, 200)
    assert.match((await owner.get(`/projects/${projectId}`)).text, /Customer called.*Bill received/)
    const mails = await app.database.rows<{ to_address: string; subject: string; body: string }>(
      'select to_address, subject, body from mails',
    )
    const mail = mails.find(({ to_address }) => to_address === 'ada@example.com')!
    assert.deepEqual([mail.subject, mail.body], ['Welcome, Ada', 'Sunrise Solar has you in Welcome call.'])
    assert.ok(mails.some(({ subject }) => subject.endsWith('project is now in Welcome call')))
    assert.match((await owner.get('/notifications')).text, /is now in Welcome call/)
    assert.match((await read(projectId)).milestones.permitSubmitted, /^\d{4}-/)
  })

  test('a new name shows in every reading at once', async () => {
    const { projectId } = await project(world.installer)
    assert.equal((await move(projectId, 'Design')).status, 200)
    const { updatedAt } = await read(projectId)
    assert.equal((await edit('Design', { name: 'Drawing' })).status, 200)
    const now = await read(projectId)
    assert.equal(now.stage.name, 'Drawing')
    assert.ok(now.updatedAt > updatedAt)
    assert.match((await owner.get('/board?line=solar')).text, /Drawing/)
    assert.equal((await owner.get(`/projects/${projectId}`)).body.stage.name, 'Drawing')
    const legacy = await app.database.rows<{ legacy_rendering: string }>(
      `select legacy_rendering from projects where id = '${projectId}'`,
    )
    assert.match(legacy[0]!.legacy_rendering, /Drawing/)
    assert.equal((await edit('Drawing', { name: 'Design' })).status, 200)
  })

  test('whoever saves an older version is told, and a save of the same is no change', async () => {
    const { id, version } = await stageNamed('Permitting')
    const patch = (body: object) => owner.call('PATCH', `/stages/${id}`, { body })
    assert.equal((await patch({ version, daysAllowed: 40 })).status, 200)
    const late = await patch({ version, daysAllowed: 20 })
    assert.equal(late.status, 400)
    assert.match(late.body.error.message, /Someone else changed this in the meantime/)
    assert.equal((await stageNamed('Permitting')).daysAllowed, 40)
    assert.equal((await patch({ version, daysAllowed: 40 })).status, 200)
    assert.equal((await stageNamed('Permitting')).version, version + 1)
    const [event] = await app.database.rows<{ changes: object; actor_name: string }>(
      `select changes, actor_name from events where type = 'stage.changed' and subject_id = '${id}'`,
    )
    assert.deepEqual(event, { changes: { daysAllowed: [30, 40] }, actor_name: 'Olga' })
  })

  test('a checklist that changes leaves the projects that are there as they are', async () => {
    const { projectId } = await project(world.installer)
    await move(projectId, 'Inspection')
    assert.equal((await edit('Inspection', { checklist: ['Inspector met', 'Report filed'] })).status, 200)
    assert.match((await owner.get(`/projects/${projectId}`)).text, /Inspection booked/)
    const later = await project(world.installer)
    await move(later.projectId, 'Inspection')
    assert.match((await owner.get(`/projects/${later.projectId}`)).text, /Inspector met/)
  })

  test('stages are put into another order by whoever has seen the present one', async () => {
    const before = (await ladders()).stages
      .filter(({ productLine }) => productLine === 'hi')
      .map(({ id }) => id)
    const after = [before[1]!, before[0]!, ...before.slice(2)]
    const order = (body: object) =>
      owner.call('PUT', '/ladders/order', { body: { productLine: 'hi', ...body } })
    assert.equal((await order({ before, after })).status, 200)
    assert.deepEqual((await names('hi')).slice(0, 3), ['Measure', 'Sold', 'Ordered'])
    const again = [...before].reverse()
    assert.match((await order({ before, after: again })).body.error.message, /changed meanwhile/)
    assert.equal((await order({ before: after, after: after.slice(1) })).status, 400)
    assert.equal((await order({ before: after, after: [...after.slice(1), 'stg_0000000000'] })).status, 400)
    assert.equal((await order({ before: after, after: before })).status, 200)
  })

  test('a stage is retired at once where nobody stands in it', async () => {
    assert.equal((await add({ name: 'Empty', after: null })).status, 201)
    assert.equal((await retire('Empty')).status, 200)
    assert.ok(!(await names()).includes('Empty'))
    const { projectId } = await project(world.installer)
    assert.equal((await move(projectId, 'Empty')).status, 400)
    assert.equal((await add({ name: 'Empty', after: null })).status, 201)
    assert.equal((await retire('Empty')).status, 200)
  })

  for (const notifyCustomers of [false, true]) {
    test(`where projects stand in it, they go where it is said, customers ${notifyCustomers ? '' : 'not '}told`, async () => {
      const name = `Waiting ${notifyCustomers}`
      const goal = `Goal ${notifyCustomers}`
      await add({ name, after: null })
      await add({ name: goal, after: null, messages: [{ subject: `To ${goal}`, body: 'Hello' }] })
      const email = `customer-${notifyCustomers}@example.com`
      const ids: string[] = []
      for (let i = 0; i < 3; i++) {
        const { projectId } = await project(world.installer, { email })
        await move(projectId, name)
        ids.push(projectId)
      }
      const refused = await retire(name)
      assert.match(refused.body.error.message, /3 projects stand in Waiting/)
      const to = (await stageNamed(goal)).id
      const wrong = (await stageNamed('Sold', 'hi')).id
      for (const bad of [wrong, 'stg_0000000000', (await stageNamed(name)).id])
        assert.equal((await retire(name, { to: bad })).status, 400)
      const mailsBefore = await mailsTo(email, goal)
      const answer = await retire(name, { to, notifyCustomers })
      assert.equal(answer.status, 200, answer.text)
      const newcomer = await project(world.installer)
      assert.equal((await move(newcomer.projectId, name)).status, 400)
      await until(async () => !(await names()).includes(name))
      for (const id of ids) {
        assert.equal((await read(id)).stage.name, goal)
        const [moved] = await app.database.rows<{ author: string }>(
          `select author from activities where project_id = '${id}' and body = 'Moved from ${name} to ${goal}'`,
        )
        assert.equal(moved!.author, 'Olga')
      }
      assert.equal((await mailsTo(email, goal)) - mailsBefore, notifyCustomers ? 3 : 0)
      const events = await app.database.rows<{ type: string }>(
        `select type from events where data ->> 'name' = '${name}' order by at, ordinal`,
      )
      assert.deepEqual(
        events.map(({ type }) => type),
        ['stage.created', 'stage.retiring', 'stage.retired'],
      )
      const left =
        await app.database.rows(`select 1 from projects p join stages s on s.installer_id = p.installer_id
        and s.id = p.stage_id where s.name = '${name}'`)
      assert.equal(left.length, 0)
    })
  }

  test('many go in batches, each once, though several processes work at it', async () => {
    const name = 'Crowded'
    await add({ name, after: null })
    const made: string[] = []
    // It is the first of the ladder, so they begin there.
    for (let i = 0; i < 60; i++) made.push((await project(world.installer)).projectId)
    const { db, directories, copying } = app.server.deps
    const of = { installerId: world.installer.company.id, subjectId: (await stageNamed(name)).id }
    assert.equal((await retire(name, { to: (await stageNamed('Sold')).id })).status, 200)
    const signal = new AbortController().signal
    const job = (await findLatestLongJob(db, { ...of, kind: emptyingKind }))!
    const work = () => workOnLongJob({ db, directories, store: copying.store }, emptyingJob, job, { signal })
    await Promise.all([work(), work()])
    await until(async () => !(await names()).includes(name))
    const moves = await app.database.rows<{ project_id: string }>(
      `select project_id from activities where body = 'Moved from ${name} to Sold'`,
    )
    assert.deepEqual(moves.map(({ project_id }) => project_id).sort(), made.sort())
  })

  async function mailsTo(email: string, goal: string): Promise<number> {
    const rows = await app.database.rows(
      `select 1 from mails where to_address = '${email}' and subject = 'To ${goal}'`,
    )
    return rows.length
  }

  test('a message is shown as the customer gets it', async () => {
    const message = { subject: 'Hello {firstName} {lastName}', body: '{company}: {stage}' }
    const shown = await owner.call('POST', '/stages/preview', { body: { stage: 'PTO', message } })
    assert.deepEqual(shown.body, { subject: 'Hello Ada Moreno', body: 'Sunrise Solar: PTO' })
  })

  test('a name is taken in any letters, by the letters that the database knows', async () => {
    const pairs: [string, string][] = [
      ['iptal', 'İPTAL'],
      ['ΕΛΕΓΧΟΣ', 'ελεγχοσ'],
      ['ПРОВЕРКА', 'Проверка'],
    ]
    for (const [name, again] of pairs) {
      assert.equal((await add({ name, after: null })).status, 201, name)
      for (const refused of [await add({ name: again, after: null }), await edit('PTO', { name: again })]) {
        assert.equal(refused.status, 400, again)
        assert.match(refused.body.error.message, new RegExp(`has a stage ${again} already`))
      }
      assert.equal((await retire(name)).status, 200, name)
    }
  })

  test('bad input is refused with what to change', async () => {
    const message = (subject: string, body = 'x') => ({ messages: [{ subject, body }] })
    const cases: [object, RegExp][] = [
      [{ name: '' }, /Name/],
      [{ name: 'pto' }, /has a stage pto already/],
      [{ name: 'x'.repeat(61) }, /Name/],
      [{ milestone: 'ptoGranted' }, /PTO stamps this one already/],
      [{ milestone: 'king' }, /Milestone/],
      [{ daysAllowed: 0 }, /Days allowed/],
      [{ daysAllowed: 1e300 }, /Days allowed/],
      [{ daysAllowed: 1.5 }, /Days allowed/],
      [{ checklist: ['One', 'Two', 'One'] }, /“One” stands there twice/],
      [{ checklist: ['a\nb'] }, /Checklist item 1/],
      [{ checklist: [''] }, /Checklist/],
      [{ alerts: ['everybody'] }, /Alert/],
      [message('Hi {name}'), /no \{name\}.*\{firstName\}, \{lastName\}, \{stage\}, \{company\}/],
      [message('Hi', 'Dear {{firstName}}'), /single braces/],
      [message('a\r\nBcc: b@example.com'), /Subject/],
      [message('\0'), /NUL/],
      [{ colour: 'red' }, /out of date/],
      [{ version: 0 }, /This page/],
    ]
    for (const [body, expected] of cases) {
      const answer = await edit('Installed', body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.match(answer.body.error.message, expected)
    }
    assert.equal((await add({ name: 'Nowhere', after: 'stg_0000000000' })).status, 400)
    for (const id of ['stg_0000000000', '%00', 'x'])
      assert.equal((await owner.call('PATCH', `/stages/${id}`, { body: { version: 1 } })).status, 404)
  })

  test('a ladder keeps its last stage', async () => {
    const { stages } = await ladders()
    for (const { name } of stages.filter(({ productLine }) => productLine === 'hi').slice(1)) {
      const { id, version } = await stageNamed(name, 'hi')
      assert.equal((await owner.call('POST', `/stages/${id}/retire`, { body: { version } })).status, 200)
    }
    const { id, version } = await stageNamed('Sold', 'hi')
    const answer = await owner.call('POST', `/stages/${id}/retire`, { body: { version } })
    assert.match(answer.body.error.message, /at least one stage/)
  })
})
