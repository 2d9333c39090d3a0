import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startApp } from '../../../support/app.ts'
import { createWorld, keyFor, project } from '../../../support/factories.ts'
import { startHttpsServer } from '../../../support/https-server.ts'
import { elf, pdf, png, zip } from '../../../support/sample-files.ts'

const contents: Record<string, Buffer> = {
  png,
  pdf,
  txt: Buffer.from('hello'),
  exe: elf,
  zip: zip([{ name: 'a.txt', data: 'a' }]),
}
let asked: string[] = []
const outside = await startHttpsServer((request, response) => {
  const url = request.url!
  asked.push(url)
  const found = contents[/\.(\w+)(\?|$)/.exec(url)?.[1] ?? '']
  if (url.startsWith('/signin')) response.writeHead(401).end()
  else if (url.startsWith('/page'))
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
  else if (url.startsWith('/empty')) response.end()
  else if (url.startsWith('/slow')) setTimeout(() => response.end(png), 100)
  else if (!found) response.writeHead(404).end()
  else response.end(found)
})
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: {
    ca: outside.ca,
    resolve: async (name) =>
      name === 'localhost' ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '10.0.0.7', family: 4 }],
  },
})
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const { key } = installer
after(() => outside.close())
beforeEach(() => {
  asked = []
})

const at = (path: string) => outside.url + path
const add = (projectId: string, files: unknown, folder: unknown = 'permit', as = key) =>
  app.call('POST', `/v1/projects/${projectId}/files`, { key: as, body: { folder, files } })
const read = async (projectId: string) => (await app.get(`/v1/projects/${projectId}`, key)).body
const recorded = (projectId: string) =>
  app.database.rows<{ store_key: string }>('select * from files where project_id = $1', [projectId])

test('a file is copied, recorded and told: 201, its address, an activity and its events', async () => {
  const { projectId, leadId } = await project(dealer)
  const before = await read(projectId)
  const answer = await add(
    projectId,
    [{ url: at('/plan%20set.pdf?v=1'), name: ' Plan é.pdf ' }, { url: at('/plan%20set.pdf') }],
    'planset',
  )
  assert.equal(answer.status, 201)
  const [first, second] = answer.body.files
  assert.match(first.id, /^file_/)
  assert.deepEqual(answer.body.files, [
    { id: first.id, name: 'Plan é.pdf', folder: 'planset', added: true },
    { id: second.id, name: 'plan set.pdf', folder: 'planset', added: true },
  ])
  const now = await read(projectId)
  assert.ok(now.updatedAt > before.updatedAt)
  assert.equal(now.files.planset.length, 2)
  for (const url of now.files.planset)
    assert.equal((await app.send('GET', url.slice(app.url.length))).text, pdf.toString())
  assert.match(now.files.planset[0], /\/files\/\d+\/[\w-]{22,}\//)
  const feed = (await app.get(`/v1/leads/${leadId}/activities?limit=2`, dealer.key)).body.data as {
    type: string
    body: string
  }[]
  assert.deepEqual(
    feed.map((a) => [a.type, a.body.endsWith(' to Plan sets')]),
    [
      ['fileAdded', true],
      ['fileAdded', true],
    ],
  )
  const events = await app.database.rows<{ type: string; subject_id: string }>(
    'select type, subject_id from events where project_id = $1 and at = $2 order by ordinal',
    [projectId, now.updatedAt],
  )
  assert.deepEqual(events, [
    { type: 'file.added', subject_id: first.id },
    { type: 'file.added', subject_id: second.id },
    { type: 'project.updated', subject_id: projectId },
  ])
})

test('an address that the folder holds is not added again, nor called; another folder is another matter', async () => {
  const { projectId } = await project(installer)
  const first = (await add(projectId, [{ url: at('/a.png'), name: 'A' }])).body.files[0]
  const before = await read(projectId)
  asked = []
  for (const url of [at('/a.png'), at('/a.png#top'), at('/x/../a.png'), ` ${at('/a.png')} `]) {
    const again = await add(projectId, [{ url, name: 'B' }])
    assert.equal(again.status, 200)
    assert.deepEqual(again.body.files, [{ ...first, added: false }])
  }
  assert.deepEqual(asked, [])
  assert.deepEqual(await read(projectId), before)
  const mixed = await add(projectId, [{ url: at('/a.png') }, { url: at('/b.png') }])
  assert.equal(mixed.status, 201)
  assert.deepEqual(
    mixed.body.files.map((f: { added: boolean }) => f.added),
    [false, true],
  )
  const elsewhere = await add(projectId, [{ url: at('/a.png') }], 'internal')
  assert.equal(elsewhere.status, 201)
  assert.notEqual(elsewhere.body.files[0].id, first.id)
})

test('an address twice in one call is added once', async () => {
  const { projectId } = await project(installer)
  const answer = await add(projectId, [{ url: at('/t.png') }, { url: at('/t.png'), name: 'again' }])
  assert.equal(answer.status, 201)
  assert.deepEqual(
    answer.body.files.map((f: { added: boolean }) => f.added),
    [true, false],
  )
  assert.equal(new Set(answer.body.files.map((f: { id: string }) => f.id)).size, 1)
  assert.equal(asked.length, 1)
  assert.equal((await recorded(projectId)).length, 1)
})

test('the same address ten times at once is added once, and no copy is left over', async () => {
  const { projectId } = await project(installer)
  const stored = (await app.storedFiles()).length
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => add(projectId, [{ url: at('/slow.png') }])),
  )
  assert.deepEqual(answers.map((a) => a.status).sort(), [...Array(9).fill(200), 201])
  assert.equal(new Set(answers.map((a) => a.body.files[0].id)).size, 1)
  assert.equal((await recorded(projectId)).length, 1)
  assert.equal((await app.storedFiles()).length, stored + 1)
  assert.equal((await read(projectId)).files.permit.length, 1)
})

test('all or nothing: one bad address among good ones adds nothing and leaves nothing', async () => {
  const { projectId } = await project(installer)
  const before = await read(projectId)
  const stored = (await app.storedFiles()).sort()
  const bad = ['/missing.bin', '/signin.png', '/page.png', '/empty.png', '/tool.exe', '/all.zip']
  for (const path of bad) {
    const answer = await add(projectId, [
      { url: at('/1.png') },
      { url: at('/2.png') },
      { url: at(path) },
      { url: at('/3.png') },
    ])
    assert.equal(answer.status, 400, path)
    assert.match(answer.body.error.message, /^files\[2\]\.url: the address /)
  }
  const hidden = await add(projectId, [{ url: at('/1.png') }, { url: 'https://inside.example.com/a.png' }])
  assert.equal(hidden.status, 400)
  assert.match(hidden.body.error.message, /^files\[1\]\.url: .*public/)
  assert.doesNotMatch(hidden.text, /10\.0\.0\.7/)
  assert.deepEqual(await recorded(projectId), [])
  assert.deepEqual(await read(projectId), before)
  assert.deepEqual((await app.storedFiles()).sort(), stored)
})

test('the form of body and addresses comes before record and rights, and all of them before any call', async () => {
  const mine = await project(dealer)
  const foreign = await project(other)
  const { secret: readOnly } = await keyFor(world, installer, { access: 'read' })
  const good = [{ url: at('/o.png') }]
  const connections = outside.connections()
  const bad = [
    'http://files.example.com/a.png',
    'https://127.0.0.1/a.png',
    'https://[::1]/a.png',
    'https://2130706433/a.png',
    'https://localhost/a.png',
    'https://intranet/a.png',
    'https://files.internal/a.png',
    'https://user:pass@files.example.com/a.png',
    'ftp://files.example.com/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'files.example.com/a.png',
    'https://',
    '',
    `https://files.example.com/${'x'.repeat(2048)}`,
  ]
  for (const url of bad) {
    assert.equal((await add(foreign.projectId, [{ url: at('/o.png') }, { url }])).status, 400, url)
    assert.equal((await add(mine.projectId, [{ url }], 'permit', dealer.key)).status, 400, url)
  }
  assert.equal((await add(foreign.projectId, good)).status, 404)
  assert.equal((await add(foreign.projectId, good, 'permit', readOnly)).status, 404)
  assert.equal((await add(mine.projectId, good, 'permit', dealer.key)).status, 403)
  assert.equal((await add(mine.projectId, good, 'permit', readOnly)).status, 403)
  assert.equal(outside.connections(), connections)
})

test('folders, numbers of files and names are as the spec says', async () => {
  const { projectId } = await project(installer)
  const folders =
    'contract utilityBill identification material siteSurvey planset permit interconnection other homeInsurance installationPhoto internal'.split(
      ' ',
    )
  for (const folder of folders) {
    assert.equal((await add(projectId, [{ url: at('/f.png') }], folder)).status, 201)
    assert.equal((await read(projectId)).files[folder].length, 1)
  }
  const wrong: [unknown, unknown][] = [
    [[{ url: at('/f.png') }], 'Contract'],
    [[{ url: at('/f.png') }], 'photos'],
    [[{ url: at('/f.png') }], null],
    [[], 'permit'],
    [Array.from({ length: 11 }, (_, i) => ({ url: at(`/${i}.png`) })), 'permit'],
    [[at('/f.png')], 'permit'],
    [[{ name: 'x' }], 'permit'],
    [[{ url: 7 }], 'permit'],
    [[{ url: at('/f.png'), title: 'x' }], 'permit'],
    [[{ url: at('/f.png'), name: 'x'.repeat(201) }], 'permit'],
    [[{ url: at('/g.png'), name: 'run.exe' }], 'permit'],
    [at('/f.png'), 'permit'],
  ]
  for (const [files, folder] of wrong)
    assert.equal((await add(projectId, files, folder)).status, 400, JSON.stringify([files, folder]))
  const ten = await add(
    projectId,
    Array.from({ length: 10 }, (_, i) => ({ url: at(`/${i}.png`), name: 'n'.repeat(200) })),
    'other',
  )
  assert.deepEqual([ten.status, ten.body.files.length], [201, 10])
})

test('a name that was not given is the last part of the address', async () => {
  const { projectId } = await project(installer)
  const named = async (path: string) =>
    (await add(projectId, [{ url: at(path), name: '' }], 'other')).body.files[0].name
  assert.equal(await named('/deep/er/photo.png'), 'photo.png')
  assert.equal(await named('/d%C3%A9ck%20plan.png?x=a/b.pdf'), 'déck plan.png')
  assert.equal(await named('/a%2Fb%5Cc.png'), 'c.png')
  assert.equal(await named('/100%25.png'), '100%.png')
  assert.equal(await named('/?f=x.png'), 'file')
})
