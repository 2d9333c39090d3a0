import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moveStage } from '../../../src/domain/deals/projects/move-stage.ts'
import { milestoneKeys } from '../../../src/domain/kernel/tenant/stage.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, member, project } from '../../support/factories.ts'
import { assertStatuses, erase, lesserKeys } from '../../support/key-holders.ts'

const app = await startApp()
const { rows } = app.database
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { key } = installer
const keys = await lesserKeys(world)
const team = {
  rep: await member(world, dealer, 'Rita Rep'),
  manager: await member(world, installer, 'Mona Manager', 'manager'),
  surveyor: await member(world, installer, 'Sue Surveyor', 'surveyor'),
  sub: await member(world, installer, 'Bob Builder', 'subcontractor'),
}

const patch = (id: string, body: unknown, by = key) =>
  app.call('PATCH', `/v1/projects/${id}`, { key: by, body })
const read = async (id: string) => (await app.get(`/v1/projects/${id}`, key)).body
const feed = async (leadId: string) =>
  (await app.get(`/v1/leads/${leadId}/activities`, key)).body.data.map((a: { body: string }) => a.body)
const checklist = async (id: string, by = key) =>
  (await app.get(`/v1/projects/${id}/checklist`, by)).body.data

describe('milestones', () => {
  test('each is set and cleared; those that more hangs on move the calendar and the contract', async () => {
    const { projectId, leadId } = await project(dealer)
    const days = Object.fromEntries(milestoneKeys.map((name, i) => [name, `2026-03-${String(i + 10)}`]))
    assert.deepEqual((await patch(projectId, { milestones: days })).body, { changed: true })
    const set = await read(projectId)
    assert.deepEqual(set.milestones, days)
    assert.equal(set.contract.signedAt.slice(0, 10), days['contractSigned'])
    assert.deepEqual(
      await rows('select kind, day::text from calendar_entries where project_id = $1 order by kind', [
        projectId,
      ]),
      [
        { kind: 'install', day: days['installScheduled'] },
        { kind: 'survey', day: days['siteSurveyScheduled'] },
      ],
    )
    assert.equal((await feed(leadId)).length, 5)
    assert.deepEqual((await patch(projectId, { milestones: set.milestones })).body, { changed: false })
    const none = Object.fromEntries(milestoneKeys.map((name) => [name, null]))
    assert.deepEqual((await patch(projectId, { milestones: none })).body, { changed: true })
    const cleared = await read(projectId)
    assert.deepEqual([cleared.milestones, cleared.contract.signedAt], [{}, null])
    assert.deepEqual(await rows('select 1 from calendar_entries where project_id = $1', [projectId]), [])
  })

  test('what is no day or no milestone is 400', async () => {
    const { projectId } = await project(installer)
    const wrong: [object, RegExp][] = [
      [{ permitReceived: '2026-02-30' }, /milestones\.permitReceived must be a day/],
      [{ permitReceived: '' }, /milestones\.permitReceived must be a day/],
      [{ contractSigned: '2100-01-01' }, /milestones\.contractSigned must be a day from 1900 to 2099/],
      [{ permit: '2026-01-01' }, /milestones\.permit is not a field here/],
      [{ installScheduled: '2026-01-02' }, /installDate says another day/],
    ]
    for (const [milestones, message] of wrong) {
      const answer = await patch(projectId, { installDate: '2026-01-01', milestones })
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.error.message, message)
    }
    const same = { installDate: '2026-01-01', milestones: { installScheduled: '2026-01-01' } }
    assert.deepEqual((await patch(projectId, same)).body, { changed: true })
  })
})

describe('people', () => {
  test('of the project and of its lead change in one change, and are told', async () => {
    const { projectId, leadId } = await project(dealer)
    const before = (await app.get(`/v1/leads/${leadId}`, key)).body
    const people = {
      salesRep: team.rep.email,
      setter: { id: team.rep.id },
      projectManager: team.manager.email,
      siteSurveyor: { email: team.surveyor.email },
      subcontractor: team.sub.id,
    }
    assert.deepEqual((await patch(projectId, { ...people, ntpGranted: true })).body, { changed: true })
    const after = await read(projectId)
    assert.deepEqual(
      [after.salesRep, after.setter, after.projectManager, after.siteSurveyor, after.subcontractor].map(
        (p) => p.name,
      ),
      ['Rita Rep', 'Rita Rep', 'Mona Manager', 'Sue Surveyor', 'Bob Builder'],
    )
    const changed = (await app.get(`/v1/leads/${leadId}`, key)).body
    assert.equal(changed.salesRep.name, 'Rita Rep')
    assert.ok(changed.updatedAt > before.updatedAt)
    const events = await rows<{ type: string; at: Date }>(
      `select type, at from events where lead_id = $1 and type like '%.updated' order by at desc, ordinal limit 2`,
      [leadId],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['lead.updated', 'project.updated'],
    )
    assert.equal(events[0]!.at.getTime(), events[1]!.at.getTime())
    const told = await rows<{ text: string }>('select text from notifications where project_id = $1', [
      projectId,
    ])
    assert.equal(told.length, 4)
    assert.ok(told.some(({ text }) => /you are now the sales rep and the setter$/.test(text)))
    const { salesRep, setter, projectManager, siteSurveyor, subcontractor } = after
    const echo = { salesRep, setter, projectManager, siteSurveyor, subcontractor }
    assert.deepEqual((await patch(projectId, echo)).body, { changed: false })
    const none = Object.fromEntries(Object.keys(people).map((slot) => [slot, null]))
    assert.deepEqual((await patch(projectId, none)).body, { changed: true })
    assert.deepEqual((await read(projectId)).subcontractor, null)
  })

  test('who works on a project is of the installer; a stranger is 400 and nothing of the call stays', async () => {
    const { projectId } = await project(dealer)
    const before = await read(projectId)
    for (const slot of ['projectManager', 'siteSurveyor', 'subcontractor']) {
      const answer = await patch(projectId, {
        ntpGranted: true,
        salesRep: team.rep.email,
        [slot]: team.rep.email,
      })
      assert.equal(answer.status, 400)
      assert.match(answer.body.error.message, new RegExp(`^${slot}: no active member of the installer`))
    }
    assert.deepEqual(await read(projectId), before)
  })
})

describe('the checklist', () => {
  test('is read in the order of the ladder, and ticked by label, stage or both', async () => {
    const { projectId, leadId } = await project(dealer)
    assert.deepEqual(await checklist(projectId), [])
    await moveStage(installer.as(), projectId, 'Design')
    await moveStage(installer.as(), projectId, 'Site Survey')
    const items = await checklist(projectId)
    assert.deepEqual(
      items.map((item: { stage: string; label: string; done: boolean }) => [item.stage, item.done]),
      [...Array(3).fill(['Site Survey', false]), ...Array(3).fill(['Design', false])],
    )
    const before = await read(projectId)
    const body = {
      ntpGranted: true,
      checklist: [
        { label: 'Layout drawn', done: true },
        { stage: 'site survey', label: 'Roof photos taken', done: true },
        { stage: items[0].stageId, label: items[0].label, done: true },
        { label: 'Shading checked', done: false },
      ],
    }
    assert.deepEqual((await patch(projectId, body)).body, { changed: true })
    const done = (await checklist(projectId)).filter((item: { done: boolean }) => item.done)
    assert.deepEqual(
      done.map((item: { label: string }) => item.label),
      ['Survey booked with the customer', 'Roof photos taken', 'Layout drawn'],
    )
    assert.ok(Date.parse(done[0].doneAt) >= Date.parse(before.updatedAt))
    assert.deepEqual((await feed(leadId)).slice(0, 4), [
      'Done: Survey booked with the customer',
      'Done: Roof photos taken',
      'Done: Layout drawn',
      'Notice to proceed granted',
    ])
    assert.deepEqual((await patch(projectId, body)).body, { changed: false })
    const back = { checklist: [{ label: 'Layout drawn', done: false }] }
    assert.deepEqual((await patch(projectId, back)).body, { changed: true })
    assert.equal((await feed(leadId))[0], 'Not done after all: Layout drawn')
    assert.deepEqual(await checklist(projectId, dealer.key), await checklist(projectId))
  })

  test('one item that is not there, and nothing of the call stays', async () => {
    const { projectId } = await project(dealer)
    await moveStage(installer.as(), projectId, 'Design')
    const before = [await read(projectId), await checklist(projectId)]
    const good = { label: 'Layout drawn', done: true }
    const wrong: [unknown, RegExp][] = [
      [
        [good, { label: 'Layout', done: true }],
        /checklist\[1\]: there is no item "Layout" on the project's checklist/,
      ],
      [[good, { stage: 'NTP', label: 'Layout drawn', done: true }], /checklist\[1\]: .* of this stage/],
      [[], /checklist must have at least 1 item/],
      [Array(101).fill(good), /checklist must have at most 100 items/],
      [[{ label: 'Layout drawn' }], /checklist\[0\]\.done is required/],
      [[{ ...good, id: 1 }], /checklist\[0\]\.id is not a field here/],
    ]
    for (const [items, message] of wrong) {
      const answer = await patch(projectId, { ntpGranted: true, salesRep: team.rep.id, checklist: items })
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.error.message, message)
    }
    const stranger = await patch(projectId, { checklist: [good], projectManager: 'nobody@example.com' })
    assert.equal(stranger.status, 400)
    assert.deepEqual([await read(projectId), await checklist(projectId)], before)
  })

  test('an item is taken back as it was read', async () => {
    const { projectId } = await project(dealer)
    await moveStage(installer.as(), projectId, 'Design')
    await patch(projectId, { checklist: [{ label: 'Layout drawn', done: true }] })
    const items = await checklist(projectId)
    const same = await patch(projectId, { checklist: items })
    assert.deepEqual([same.status, same.body], [200, { changed: false }], same.text)
    const all = items.map((item: object) => ({ ...item, done: true }))
    assert.deepEqual((await patch(projectId, { checklist: all })).body, { changed: true })
    const ticked = await checklist(projectId)
    assert.ok(ticked.every((item: { done: boolean }) => item.done))
    // Who ticked it and when is not the caller's to say.
    const [first] = ticked
    const told = { ...first, doneAt: '2001-01-01T00:00:00.000Z', doneBy: 'Nobody' }
    assert.deepEqual((await patch(projectId, { checklist: [told] })).body, { changed: false })
    assert.deepEqual(await checklist(projectId), ticked)
    // The stage's id stays when its name is another.
    const renamed = { ...first, stage: 'As it was called', done: false }
    assert.deepEqual((await patch(projectId, { checklist: [renamed] })).body, { changed: true })
    const elsewhere = { ...first, stageId: 'stg_unknown0000', done: true }
    assert.equal((await patch(projectId, { checklist: [elsewhere] })).status, 400)
  })

  test('two who tick the same at once: it is ticked once', async () => {
    const { projectId, leadId } = await project(dealer)
    await moveStage(installer.as(), projectId, 'Design')
    const body = { checklist: [{ label: 'Layout drawn', done: true }] }
    const all = await Promise.all(Array.from({ length: 8 }, () => patch(projectId, body)))
    assert.equal(all.filter((answer) => answer.body.changed).length, 1)
    assert.equal((await feed(leadId)).filter((text: string) => text === 'Done: Layout drawn').length, 1)
  })
})

test('who may', async () => {
  const own = (await project(dealer)).projectId
  const foreign = (await project(other)).projectId
  const at = (id: string) => `/v1/projects/${id}`
  const body = { milestones: { permitReceived: '2026-03-01' }, projectManager: null }
  await assertStatuses(app, [
    ['installer', key, 'PATCH', at(own), body, 200],
    ['dealer', dealer.key, 'PATCH', at(own), body, 403],
    ['a sister', sister.key, 'PATCH', at(own), body, 404],
    ['foreign', key, 'PATCH', at(foreign), body, 404],
    ['reader', keys.readOnly, 'PATCH', at(own), body, 403],
    ['nobody', keys.nobody, 'PATCH', at(own), body, 401],
    ['suspended', keys.suspended, 'PATCH', at(own), body, 401],
    ['installer', key, 'GET', `${at(own)}/checklist`, undefined, 200],
    ['dealer', dealer.key, 'GET', `${at(own)}/checklist`, undefined, 200],
    ['reader', keys.readOnly, 'GET', `${at(own)}/checklist`, undefined, 200],
    ['a sister', sister.key, 'GET', `${at(own)}/checklist`, undefined, 404],
    ['foreign', key, 'GET', `${at(foreign)}/checklist`, undefined, 404],
    ['with a query', key, 'GET', `${at(own)}/checklist?done=1`, undefined, 400],
    ['other interface', keys.catalogOnly, 'GET', `${at(own)}/checklist`, undefined, 403],
    ['nobody', keys.nobody, 'GET', `${at(own)}/checklist`, undefined, 401],
  ])
})

test('the work on an erased customer’s project goes on', async () => {
  const { projectId, leadId } = await project(dealer)
  await moveStage(installer.as(), projectId, 'Design')
  await erase(app, installer, leadId)
  const body = {
    milestones: { permitReceived: '2026-03-01' },
    projectManager: team.manager.email,
    checklist: [{ label: 'Layout drawn', done: true }],
  }
  assert.deepEqual((await patch(projectId, body)).body, { changed: true })
})
