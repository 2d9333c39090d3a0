import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../support/app.ts'
import { type Actors, createWorld, project, system } from '../../../support/factories.ts'
import { newProject } from '../../../support/new-project.ts'
import { wholeList } from '../../../support/panels.ts'

const app = await startApp()
const { rows, db } = app.database
const { installer, dealer, sister, other } = await createWorld(db)
const { key } = installer

const move = (id: string, stage: string) =>
  app.call('POST', `/v1/projects/${id}/stage`, { key, body: { stage } })
const legacyMove = (id: string, stage: string, suffix = '') =>
  app.call('POST', `/legacy/update_stage${suffix}?id=${id}&project_stage_name=${encodeURIComponent(stage)}`, {
    key,
  })
const legacyRead = async (id: string) =>
  (await app.get(`/legacy/fetch_project?id=${id}`, key)).body.data ?? {}
const createProject = async (more: object = {}) => {
  const body = newProject(installer, { panel_count: '21', ...more })
  const answer = await app.call('POST', '/legacy/create_project', { key, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.project_id as string
}

/** What a project became, as the database and the catalogue API have it: once, or not at all. */
async function become(projectId: string, as: Pick<Actors, 'key'> = installer) {
  const [{ id }] = (await rows<{ id: string }>('select id from projects where $1 in (id, reference)', [
    projectId,
  ])) as [{ id: string }]
  const found = await rows<{
    id: string
    installation: string | null
    panels: number
    events: number
    at: Date
    updated_at: Date
  }>(
    `select p.id, i.id as installation, p.updated_at, (select count(*) from panels n where n.installer_id = p.installer_id and n.installation_id = i.id) as panels,
      (select count(*) from events e where e.installer_id = p.installer_id and e.project_id = p.id and e.type in ('installation.created', 'panel.created')) as events,
      (select min(at) from events e where e.installer_id = p.installer_id and e.subject_id = i.id) as at
     from projects p left join installations i on i.installer_id = p.installer_id and i.project_id = p.id and p.installation_id = i.id where p.id = $1`,
    [id],
  )
  assert.equal(found.length, 1)
  const [row] = found
  const strays = await rows('select from installations where project_id = $1', [id])
  assert.equal(strays.length, row!.installation ? 1 : 0)
  if (row!.installation === null) return { ...row!, record: null, list: [] }
  const record = (await app.get(`/catalog/v1/installations/${row!.installation}`, as.key)).body
  assert.equal(record.project_id, id)
  const all = await wholeList(app, as.key, '/catalog/v1/panels')
  const members = await rows<{ id: string }>('select id from panels where installation_id = $1', [
    row!.installation,
  ])
  const ours = new Set(members.map((m) => m.id))
  return { ...row!, record, list: all.filter((p) => ours.has(p.id)) as Record<string, unknown>[] }
}

test('through the stage move of the company-key API a project gets its installation and panels', async () => {
  const { projectId } = await project(installer, { firstName: 'Ada', lastName: 'Moreno' })
  assert.equal((await move(projectId, 'Inspection')).status, 200)
  assert.equal((await become(projectId)).record, null)
  assert.equal((await legacyRead(projectId)).projectSiteId, '')
  assert.equal((await move(projectId, 'installed')).status, 200)
  const { record, list, events, installation, at, updated_at } = await become(projectId)
  const { created_at, updated_at: changed, ...rest } = record
  assert.ok(Math.abs(Date.now() - Date.parse(created_at)) < 60_000)
  assert.equal(changed, new Date(at as Date).toISOString())
  assert.deepEqual(rest, {
    id: installation,
    name: 'Ada Moreno',
    address: '1 Market St, Unit 4, San Diego, CA 92101',
    region: 'US-CA',
    timezone: 'America/Los_Angeles',
    panel_count: 21,
    capacity_kw: 8.4,
    project_id: projectId,
  })
  assert.equal(list.length, 21)
  assert.deepEqual(
    list.map((p) => p['name']).toReversed(),
    Array.from({ length: 21 }, (_, i) => `Panel ${i + 1}`),
  )
  assert.ok(
    list.every((p) => p['capacity_kw'] === 0.4 && p['status'] === 'active' && p['daily_output_kwh'] === 0),
  )
  assert.equal(events, 22)
  // The same statement, so the same time of the tenant's clock.
  assert.deepEqual(at, updated_at)
  assert.equal((await legacyRead(projectId)).projectSiteId, installation)
  const [told] = await rows<{ data: object }>('select data from events where subject_id = $1', [
    list[0]!['id'],
  ])
  const full = (await app.get(`/catalog/v1/panels/${list[0]!['id']}`, key)).body
  assert.deepEqual(told!.data, { ...full, version: 1 })
})

test('through the legacy update_stage and create_project as well', async () => {
  const moved = await createProject()
  assert.equal((await become(moved)).record, null)
  assert.equal((await legacyMove(moved, 'Installed')).status, 200)
  const created = await createProject({ project_stage: 'Installed' })
  for (const id of [moved, created]) {
    const { record, list, events } = await become(id)
    assert.deepEqual([record.panel_count, record.capacity_kw, list.length, events], [21, 8.4, 21, 22])
    assert.equal((await legacyRead(id)).projectSiteId, record.id)
  }
})

test('once: neither moving away and back nor ten simultaneous moves make another', async () => {
  const { projectId } = await project(dealer)
  await move(projectId, 'Installed')
  const first = await become(projectId)
  for (const stage of ['PTO', 'Installed', 'Sold', 'installed', 'Installed']) await move(projectId, stage)
  await legacyMove(projectId, 'Design')
  await legacyMove(projectId, 'Installed')
  const again = await become(projectId)
  assert.deepEqual([again.record, again.list, again.events], [first.record, first.list, first.events])

  const { projectId: crowded } = await project(sister)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      i % 2 ? move(crowded, 'Installed') : legacyMove(crowded, 'Installed'),
    ),
  )
  assert.ok(answers.every((a) => a.status === 200))
  const { record, list, events } = await become(crowded)
  assert.deepEqual([record.panel_count, list.length, events], [21, 21, 22])

  const { projectId: restless } = await project(installer)
  const stages = ['Installed', 'PTO', 'Installed', 'Design', 'Installed']
  await Promise.all([...stages, ...stages].map((stage) => move(restless, stage)))
  await move(restless, 'Installed')
  assert.deepEqual([(await become(restless)).list.length, (await become(restless)).events], [21, 22])
})

test('a deleted panel does not come back when the project moves again', async () => {
  const { projectId } = await project(installer)
  await move(projectId, 'Installed')
  const { list } = await become(projectId)
  await app.call('DELETE', `/catalog/v1/panels/${list[0]!['id']}`, { key })
  await move(projectId, 'PTO')
  await move(projectId, 'Installed')
  const { record, list: left } = await become(projectId)
  assert.deepEqual([record.panel_count, left.length], [20, 20])
})

test('it belongs to the company that sold the project', async () => {
  const { projectId } = await project(dealer)
  await move(projectId, 'Installed')
  const { record, list } = await become(projectId, dealer)
  assert.equal(list.length, 21)
  const paths = [`/catalog/v1/installations/${record.id}`, `/catalog/v1/panels/${list[0]!['id']}`]
  for (const path of paths) {
    assert.equal((await app.get(path, dealer.key)).status, 200)
    for (const as of [sister.key, other.key]) assert.equal((await app.get(path, as)).status, 404)
  }
})

test('an HI project gets none', async () => {
  const { projectId } = await project(installer, { productLine: 'hi' })
  for (const stage of ['Punch List', 'Complete', 'Punch List']) {
    assert.equal((await move(projectId, stage)).status, 200)
    assert.equal((await become(projectId)).record, null)
  }
  assert.equal((await legacyMove(projectId, 'Measure', '_hi')).status, 200)
  assert.equal((await legacyMove(projectId, 'Punch List', '_hi')).status, 200)
  assert.equal((await become(projectId)).record, null)
})

test('odd systems: no count, no size, uneven parts, and a count that is a slip of the pen', async () => {
  const oddly = async (count: number | null, sizeKw: string | null) => {
    const odd = { ...system, sizeKw, panels: { ...system.panels, count } }
    const { projectId } = await project(installer, {}, { system: odd })
    assert.equal((await move(projectId, 'Installed')).status, 200)
    const { record, list } = await become(projectId)
    return [record.panel_count, record.capacity_kw, list[0]?.['capacity_kw']]
  }
  assert.deepEqual(await oddly(null, '8.4'), [0, 8.4, undefined])
  assert.deepEqual(await oddly(0, '8.4'), [0, 8.4, undefined])
  assert.deepEqual(await oddly(2, null), [2, 0, 0])
  assert.deepEqual(await oddly(3, '10'), [3, 10, 3.3333])
  assert.deepEqual(await oddly(10_000, '8.4'), [10_000, 8.4, 0.0008])
  assert.deepEqual(await oddly(10_001, '8.4'), [0, 8.4, undefined])
  assert.deepEqual(await oddly(999_999, '8.4'), [0, 8.4, undefined])
})
