import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ProjectFile, ProjectFolder } from '../../src/api/console/project-responses.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { pdf, png } from '../support/sample-files.ts'

type Caller = Awaited<ReturnType<typeof signedIn>>

describe('the files of a project in the console', () => {
  let app: App
  let world: World
  const people: Record<string, Person> = {}
  const as: Record<string, Caller> = {}

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer, dealer, other } = world
    for (const role of ['owner', 'admin', 'manager', 'surveyor', 'subcontractor'] as const) {
      people[role] = await addPerson(app, installer.company.id, role)
      as[role] = await signedIn(app, people[role])
    }
    as.dealerOwner = await signedIn(app, await addPerson(app, dealer.company.id, 'owner'))
    as.stranger = await signedIn(app, await addPerson(app, other.company.id, 'owner'))
  })

  const shared = (of = world.installer) =>
    project(of, {}, { siteSurveyorId: people.surveyor!.id, subcontractorId: people.subcontractor!.id })
  const upload = async (who: string, id: string, raw: Buffer, folder: string, name: string) => {
    const path = `/console/api/projects/${id}/files?${new URLSearchParams({ folder, name })}`
    const headers = { cookie: as[who]!.cookie, 'x-sunstead-console': '1', 'content-type': 'text/plain' }
    const { body, status, text } = await app.send('PUT', path, { raw, headers })
    assert.equal(status, 201, text)
    return body.id as string
  }
  const shown = async (who: string, id: string): Promise<ProjectFile[]> =>
    (await as[who]!.get(`/projects/${id}`)).body.folders.flatMap(({ files }: ProjectFolder) => files)
  const remove = (who: string, id: string, fileId: string) =>
    as[who]!.call('DELETE', `/projects/${id}/files/${fileId}`)
  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, world.installer.key)).body

  test('a PDF opens in the browser’s viewer, for who sees the project', async () => {
    const { projectId } = await shared()
    const id = await upload('owner', projectId, pdf, 'planset', 'Plan set.pdf')
    const [file] = await shown('owner', projectId)
    assert.equal(file!.url, `/console/api/projects/${projectId}/files/${id}`)
    for (const who of ['owner', 'surveyor']) {
      const answer = await as[who]!.get(`/projects/${projectId}/files/${id}`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], 'application/pdf')
      assert.match(answer.headers['content-disposition'] as string, /^inline; filename="Plan set\.pdf"/)
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.match(answer.headers['content-security-policy'] as string, /default-src 'none'/)
    }
    const part = await as.owner!.call('GET', `/projects/${projectId}/files/${id}`, {
      headers: { range: 'bytes=0-3' },
    })
    assert.deepEqual([part.status, part.text], [206, '%PDF'])
    // By the address that the API gives, it is still saved.
    const address = (await read(projectId)).files.planset[0]
    const saved = await app.send('GET', new URL(address).pathname)
    assert.match(saved.headers['content-disposition'] as string, /^attachment/)

    const missing = await as.owner!.get(`/projects/${projectId}/files/file_00000000000000000000000000`)
    assert.equal(missing.status, 404)
    assert.equal((await as.owner!.get(`/projects/${projectId}/files/%00`)).status, 404)
    assert.equal((await as.stranger!.get(`/projects/${projectId}/files/${id}`)).status, 404)
    assert.equal((await app.send('GET', file!.url)).status, 401)
    const foreign = await as.owner!.call('GET', `/projects/${projectId}/files/${id}`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    assert.equal(foreign.status, 403)
    const another = await shared()
    assert.equal((await as.owner!.get(`/projects/${another.projectId}/files/${id}`)).status, 404)
  })

  test('what is internal is not there for a dealer', async () => {
    const { projectId } = await project(world.dealer)
    const inside = await upload('owner', projectId, pdf, 'internal', 'Margin.pdf')
    const open = await upload('owner', projectId, png, 'siteSurvey', 'Roof.png')
    assert.equal((await as.dealerOwner!.get(`/projects/${projectId}/files/${inside}`)).status, 404)
    assert.equal((await remove('dealerOwner', projectId, inside)).status, 404)
    assert.equal((await as.dealerOwner!.get(`/projects/${projectId}/files/${open}`)).status, 200)
    assert.equal((await remove('dealerOwner', projectId, open)).status, 403)
    assert.deepEqual(
      (await shown('dealerOwner', projectId)).map(({ removable }) => removable),
      [false],
    )
  })

  test('one that is removed is gone everywhere, with its contents', async () => {
    const { projectId, leadId } = await shared()
    const other = await shared()
    const stored = (await app.storedFiles()).length
    const id = await upload('owner', projectId, png, 'siteSurvey', 'Roof.png')
    await upload('owner', other.projectId, png, 'siteSurvey', 'Roof.png')
    const before = await read(projectId)
    const address = new URL(before.files.siteSurvey[0]).pathname
    const { page } = (await as.owner!.get(`/projects/${projectId}`)).body.folders.find(
      ({ folder }: ProjectFolder) => folder === 'siteSurvey',
    )
    const list = async () => (await app.send('GET', page, { headers: { cookie: as.owner!.cookie } })).text
    assert.match(await list(), /Roof\.png/)

    assert.equal((await remove('manager', projectId, id)).status, 200)
    const after = await read(projectId)
    assert.deepEqual(after.files.siteSurvey, [])
    assert.ok(after.updatedAt > before.updatedAt)
    assert.equal((await app.send('GET', address)).status, 404)
    assert.equal((await as.owner!.get(`/projects/${projectId}/files/${id}`)).status, 404)
    assert.doesNotMatch(await list(), /Roof\.png/)
    assert.equal((await app.storedFiles()).length, stored + 1)
    assert.equal((await shown('owner', other.projectId)).length, 1)
    const [latest] = (await app.get(`/v1/leads/${leadId}/activities`, world.installer.key)).body.data
    assert.equal(latest.body, 'Removed Roof.png from Site survey')
    assert.equal(latest.author, people.manager!.name)
    const [event] = await app.database.rows(
      `select type, changes from events where project_id = '${projectId}' order by at desc, ordinal desc limit 1`,
    )
    assert.deepEqual(event, {
      type: 'project.updated',
      changes: { 'files.siteSurvey': [['Roof.png'], null] },
    })
    assert.equal((await remove('manager', projectId, id)).status, 404)
    // The same may be added again.
    await upload('owner', projectId, png, 'siteSurvey', 'Roof.png')
    assert.equal((await read(projectId)).files.siteSurvey.length, 1)
  })

  test('is removed by who runs the installer and by who added it, and by nobody else', async () => {
    const { projectId } = await shared()
    for (const who of ['owner', 'admin', 'manager', 'surveyor']) {
      const id = await upload('surveyor', projectId, pdf, 'siteSurvey', 'Roof.pdf')
      const [file] = await shown('subcontractor', projectId)
      assert.equal(file!.removable, false)
      assert.equal((await remove('subcontractor', projectId, id)).status, 403)
      assert.equal((await remove('stranger', projectId, id)).status, 404)
      assert.equal((await shown(who, projectId))[0]!.removable, true)
      assert.equal((await remove(who, projectId, id)).status, 200, who)
    }
    const id = await upload('owner', projectId, pdf, 'permit', 'Permit.pdf')
    assert.equal((await remove('surveyor', projectId, id)).status, 403)
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove('owner', projectId, id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404])
  })
})
