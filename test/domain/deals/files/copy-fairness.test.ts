import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { after, afterEach, test } from 'node:test'
import { Agent, request } from 'undici'
import { revokeKey } from '../../../../src/domain/tenants/keys/end-key.ts'
import { type Answer, startApp } from '../../../support/app.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld, keyFor, project } from '../../../support/factories.ts'
import { startHttpsServer } from '../../../support/https-server.ts'
import { newProject } from '../../../support/new-project.ts'
import { pdf } from '../../../support/sample-files.ts'

// What is asked for below /slow is held until it is let go.
let held: ServerResponse[] = []
let arrived = () => {}
const outside = await startHttpsServer((request, response) => {
  if (!request.url!.startsWith('/slow')) {
    const status = /^\/(\d{3})/.exec(request.url!)?.[1]
    if (status) response.writeHead(Number(status)).end()
    else if (request.url === '/reset') response.destroy()
    else response.end(pdf)
    return
  }
  held.push(response)
  arrived()
})
after(() => outside.close())
const letGo = () => {
  for (const response of held) response.end(pdf)
  held = []
}
afterEach(letGo)
const untilHeld = async (count: number) => {
  while (held.length < count) {
    const { promise, resolve } = Promise.withResolvers<void>()
    arrived = resolve
    await promise
  }
}

const database = await createTestDatabase()
after(() => database.drop())
const world = await createWorld(database.db)
const settings = (copying = {}) => ({
  database,
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca, copying },
})
const app = await startApp(settings())
const { installer, dealer, other } = world
const at = (path: string) => outside.url + path
let made = 0
const slowly = () => `/slow/${++made}.pdf`
const add = (projectId: string, paths: string[], key = installer.key, to = app) =>
  (to === app ? to.call : to.send)('POST', `/v1/projects/${projectId}/files`, {
    key,
    body: { folder: 'permit', files: paths.map((path) => ({ url: at(path) })) },
  })
const recorded = (projectId: string) =>
  database.rows('select id from files where project_id = $1', [projectId])

test('one company’s slow addresses fill its own share: another’s file comes at once, its own calls are told when', async () => {
  const { projectId } = await project(installer)
  const theirs = await project(other)
  const refused: Answer[] = []
  const { promise: eightRefused, resolve } = Promise.withResolvers<void>()
  const slow = Array.from({ length: 30 }, async () => {
    const answer = await add(projectId, [slowly(), slowly()])
    if (answer.status === 503 && refused.push(answer) === 8) resolve()
    return answer
  })
  await untilHeld(4)
  await eightRefused
  assert.equal(held.length, 4)
  for (const { headers, body } of refused) {
    assert.ok(Number(headers['retry-after']) >= 1)
    assert.match(body.error.message, /as many files being copied as it may/)
  }
  const answer = await add(theirs.projectId, ['/small.pdf'], other.key)
  assert.equal(answer.status, 201, answer.text)
  const letting = setInterval(letGo, 5)
  const statuses = (await Promise.all(slow)).map(({ status }) => status)
  clearInterval(letting)
  assert.equal(statuses.filter((status) => status === 201).length, 22)
  assert.equal((await recorded(projectId)).length, 44)
  assert.equal((await add(projectId, ['/small.pdf'])).status, 201)
})

test('a dealer’s photos and the installer’s files share what is the tenant’s, and neither shuts out the other', async () => {
  const { projectId } = await project(installer)
  const slow = Array.from({ length: 6 }, () => add(projectId, [slowly()]))
  await untilHeld(4)
  const created = await app.call('POST', '/legacy/create_project', {
    key: dealer.key,
    body: newProject(dealer, { site_survey_photos: [at('/roof.pdf')] }),
  })
  assert.equal(created.status, 200, created.text)
  const letting = setInterval(letGo, 5)
  assert.ok((await Promise.all(slow)).every(({ status }) => status === 201))
  clearInterval(letting)
})

test('what fails for the moment is 503 that names the address and when to retry; what stays wrong is 400', async () => {
  const { projectId } = await project(installer)
  for (const bad of ['/503.pdf', '/500.pdf', '/429.pdf', '/reset']) {
    const answer = await add(projectId, ['/good.pdf', bad])
    assert.equal(answer.status, 503, `${bad} ${answer.text}`)
    assert.equal(answer.body.error.code, 'unavailable')
    assert.match(answer.body.error.message, /^files\[1\]\.url: the address /)
    assert.equal(answer.headers['retry-after'], '30')
  }
  const missing = await add(projectId, ['/good.pdf', '/404.pdf'])
  assert.equal(missing.status, 400)
  assert.match(missing.body.error.message, /^files\[1\]\.url: /)
  assert.deepEqual(await recorded(projectId), [])
})

test('a key that is revoked while its files are copied adds nothing', async () => {
  const { projectId } = await project(installer)
  const { key, secret } = await keyFor(world, installer)
  const adding = add(projectId, [slowly()], secret)
  await untilHeld(1)
  await revokeKey(database.db, new Date(), key.id)
  letGo()
  const answer = await adding
  assert.equal(answer.status, 401, answer.text)
  assert.deepEqual(await recorded(projectId), [])
})

test('who hangs up stops its copies', async () => {
  const { projectId } = await project(installer)
  const gone = new AbortController()
  const agent = new Agent()
  const call = request(`${app.url}/v1/projects/${projectId}/files`, {
    method: 'POST',
    dispatcher: agent,
    headers: { authorization: `Bearer ${installer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ folder: 'permit', files: [{ url: at(slowly()) }] }),
    signal: gone.signal,
  })
  call.catch(() => {})
  await untilHeld(1)
  const cut = once(held[0]!, 'close')
  gone.abort()
  await cut
  await agent.destroy()
  assert.deepEqual(await recorded(projectId), [])
})

test('a stop lets a copy go on for a while, then answers 503, and nothing is half-written', async () => {
  // Within it the first copy must end and be answered, on a busy machine too.
  const stopping = await startApp(settings({ graceMs: 2_000 }))
  const [quick, slow] = [await project(installer), await project(installer)]
  const first = add(quick.projectId, [slowly()], installer.key, stopping)
  await untilHeld(1)
  const [response] = held.splice(0)
  const second = add(slow.projectId, [slowly()], installer.key, stopping)
  await untilHeld(1)
  const stopped = stopping.server.stop()
  response!.end(pdf)
  assert.equal((await first).status, 201)
  const answer = await second
  assert.equal(answer.status, 503, answer.text)
  assert.match(answer.body.error.message, /server is stopping/)
  await stopped
  assert.equal((await recorded(quick.projectId)).length, 1)
  assert.deepEqual(await recorded(slow.projectId), [])
  assert.equal((await stopping.storedFiles()).length, 1)
})
