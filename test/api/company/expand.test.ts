import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, lead, project } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { png } from '../../support/sample-files.ts'

const outside = await startHttpsServer((_request, response) => response.end(png))
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
after(() => outside.close())
const { installer, dealer } = await createWorld(app.database.db)
const notes =
  '"project":{"id":"proj_x","reference":null},"links":{} "milestones":{ ,"files":{ "stage":{"name":'
const own = await project(dealer, { notes, reference: 'LeadUid001' }, { reference: 'ProjUid001' })
const hi = await project(installer, { productLine: 'hi', notes })
const plain = await lead(installer, { notes })
for (const folder of ['internal', 'permit'])
  assert.equal(
    (
      await app.call('POST', `/v1/projects/${own.projectId}/files`, {
        key: installer.key,
        body: { folder, files: [{ url: `${outside.url}/{${folder}}.png` }] },
      })
    ).status,
    201,
  )
await app.call('PATCH', `/v1/projects/${hi.projectId}`, {
  key: installer.key,
  body: { installDate: '2026-12-01' },
})

interface Named {
  id: string
}
const read = async (path: string, key: string) => (await app.get(path, key)).body
const byId = (rows: Named[], id: string) => rows.find((row) => row.id === id)!

test('a lead in a list can carry its whole project', async () => {
  for (const { key } of [installer, dealer]) {
    const { data } = await read('/v1/leads?expand=project', key)
    const bare = (await read('/v1/leads', key)).data as Named[]
    assert.deepEqual(
      data,
      await Promise.all(
        bare.map(async (row) => {
          const { project } = row as unknown as { project: Named | null }
          return { ...row, project: project && (await read(`/v1/projects/${project.id}`, key)) }
        }),
      ),
    )
  }
  const whole = (await read('/v1/leads?expand=project', installer.key)).data
  assert.equal(byId(whole, own.leadId) && whole.length, 3)
  assert.equal((byId(whole, plain) as unknown as { project: null }).project, null)
  const dealers = (await read('/v1/leads?expand=project', dealer.key)).data[0].project.files
  assert.deepEqual([dealers.internal, dealers.permit.length], [[], 1])
})

test('a project’s row can carry milestones and files, or be the whole project', async () => {
  for (const { key } of [installer, dealer]) {
    const rows = (await read('/v1/projects', key)).data as Named[]
    const wholes = await Promise.all(rows.map(({ id }) => read(`/v1/projects/${id}`, key)))
    const expanded = async (fields: string) => (await read(`/v1/projects?expand=${fields}`, key)).data
    const parts = (...names: string[]) =>
      rows.map((row, i) => ({ ...row, ...Object.fromEntries(names.map((name) => [name, wholes[i][name]])) }))
    assert.deepEqual(await expanded('project'), wholes)
    assert.deepEqual(await expanded('project,files'), wholes)
    assert.deepEqual(await expanded('milestones'), parts('milestones'))
    assert.deepEqual(await expanded('files'), parts('files'))
    assert.deepEqual(await expanded('files,milestones'), parts('milestones', 'files'))
  }
})

test('what cannot be carried is refused by name', async () => {
  for (const [path, expand] of [
    ['leads', 'files'],
    ['leads', ''],
    ['projects', 'links'],
    ['projects', 'files,'],
    ['projects', 'files, milestones'],
  ]) {
    const { status, body } = await app.get(`/v1/${path}?expand=${encodeURIComponent(expand!)}`, installer.key)
    assert.equal(status, 400)
    assert.match(body.error.message, /^expand must be one or more of /)
  }
})
