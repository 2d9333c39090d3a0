import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../support/app.ts'
import { createWorld, project } from '../../../support/factories.ts'

const app = await startApp()
const { rows } = app.database
const { installer, dealer } = await createWorld(app.database.db)
const { key } = installer

const patch = (projectId: string, body: unknown) =>
  app.call('PATCH', `/v1/projects/${projectId}`, { key, body })
const read = async (projectId: string) => (await app.get(`/v1/projects/${projectId}`, key)).body
const calendar = (projectId: string) =>
  rows('select kind, day from calendar_entries where project_id = $1', [projectId])

test('an install date stands on the milestone and the calendar, moves on both and is cleared by null', async () => {
  const { projectId, leadId } = await project(dealer)
  const before = await read(projectId)
  for (const day of ['2026-12-01', '2027-02-28', '2028-02-29', '0001-01-01', '9999-12-31']) {
    assert.deepEqual((await patch(projectId, { installDate: day })).body, { changed: true })
    assert.equal((await read(projectId)).milestones.installScheduled, day)
    assert.deepEqual(await calendar(projectId), [{ kind: 'install', day }])
  }
  assert.deepEqual((await patch(projectId, { installDate: null })).body, { changed: true })
  assert.deepEqual((await patch(projectId, { installDate: null })).body, { changed: false })
  const after = await read(projectId)
  assert.deepEqual(after.milestones, before.milestones)
  assert.equal(after.stage.name, before.stage.name)
  assert.deepEqual(await calendar(projectId), [])
  const feed = (await app.get(`/v1/leads/${leadId}/activities?limit=6`, key)).body.data as {
    type: string
    body: string
  }[]
  assert.ok(feed.every((a) => a.type === 'installScheduled'))
  assert.match(feed[1]!.body, /Dec 31, 9999/)
})

test('what is no day is 400', async () => {
  const { projectId } = await project(installer)
  for (const installDate of [
    '2026-02-30',
    '2025-02-29',
    '2026-1-1',
    '',
    ' ',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '01/02/2026',
    '2026-01-01T00:00:00Z',
    '20260101',
    '0000-01-01',
    '-2026-01-01',
    '２０２６-01-01',
    20260101,
    true,
    {},
    ['2026-01-01'],
    'null',
  ]) {
    const answer = await patch(projectId, { installDate })
    assert.equal(answer.status, 400, String(installDate))
    assert.match(answer.body.error.message, /installDate/)
  }
  for (const ntpGranted of ['true', 1, null, 'yes', {}])
    assert.equal((await patch(projectId, { ntpGranted })).status, 400)
  for (const field of ['stage', 'notes', 'installdate', 'milestones'])
    assert.equal((await patch(projectId, { [field]: 'x' })).status, 400)
  assert.deepEqual(await calendar(projectId), [])
})

test('NTP takes its value, and both can be set at once, as one change', async () => {
  const { projectId, leadId } = await project(installer)
  assert.deepEqual((await patch(projectId, { ntpGranted: false })).body, { changed: false })
  assert.deepEqual((await patch(projectId, { ntpGranted: true })).body, { changed: true })
  assert.equal((await read(projectId)).ntpGranted, true)
  assert.deepEqual((await patch(projectId, { ntpGranted: true, installDate: '2026-12-24' })).body, {
    changed: true,
  })
  assert.deepEqual((await patch(projectId, { ntpGranted: false, installDate: null })).body, { changed: true })
  const now = await read(projectId)
  assert.deepEqual([now.ntpGranted, now.milestones.installScheduled], [false, undefined])
  const events = await rows<{ changes: unknown }>(
    "select changes from events where project_id = $1 and type = 'project.updated' order by at",
    [projectId],
  )
  assert.deepEqual(
    events.map((e) => e.changes),
    [
      { ntpGranted: [false, true] },
      { installDate: [null, '2026-12-24'] },
      { ntpGranted: [true, false], installDate: ['2026-12-24', null] },
    ],
  )
  const [lead] = await rows<{ updated_at: Date }>('select updated_at from leads where id = $1', [leadId])
  assert.ok(lead!.updated_at.toISOString() < now.updatedAt, 'the lead itself did not change')
})

test('simultaneous patches of both fields lose neither', async () => {
  const { projectId } = await project(installer)
  const days = Array.from({ length: 10 }, (_, i) => `2026-10-1${i}`)
  const answers = await Promise.all([
    ...days.map((installDate) => patch(projectId, { installDate })),
    patch(projectId, { ntpGranted: true }),
  ])
  assert.ok(answers.every((a) => a.body.changed === true))
  const now = await read(projectId)
  assert.equal(now.ntpGranted, true)
  assert.deepEqual(await calendar(projectId), [{ kind: 'install', day: now.milestones.installScheduled }])
})
