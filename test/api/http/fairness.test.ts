import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import { type Answer, startApp } from '../../support/app.ts'
import { site } from '../../support/energy.ts'
import { createWorld, leadBody, project } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { twoColours } from '../../support/sample-pictures.ts'

// What all companies share: one of them fills its part of it, and another's single call passes all the same.
const picture = await twoColours({ width: 64, height: 48 }).png().toBuffer()
const outside = await startHttpsServer((_request, response) => response.end(picture))
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
const { deps } = app.server
const { installer, dealer, other } = await createWorld(app.database.db)
const open = new Set<Socket>()
after(async () => {
  for (const socket of open) socket.destroy()
  await outside.close()
})

const megabyte = 1_048_576
const padded = (value: object, bytes: number) => JSON.stringify(value).padEnd(bytes, ' ')
const json = { 'content-type': 'application/json' }

/** Begins a call whose body never comes to its end. */
async function begin(key: string, path: string, length: number, sent = ''): Promise<Socket> {
  const socket = connect(app.server.port, '127.0.0.1').on('error', () => {})
  open.add(socket)
  await once(socket, 'connect')
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${key}`,
    `content-length: ${length}`,
  ]
  socket.write(`${[...head, 'content-type: application/json'].join('\r\n')}\r\n\r\n${sent}`)
  return socket
}

/** Begins so many that some are turned away: each of what is answered settles when its own is. */
async function fill(count: number, begun: () => Promise<Socket>): Promise<Promise<unknown>[]> {
  const sockets = await Promise.all(Array.from({ length: count }, begun))
  return sockets.map((socket) =>
    once(socket, 'data').then(([bytes]) => assert.match(String(bytes), /^HTTP\/1\.1 503 /)),
  )
}

/** Asks so often at once that somebody is turned away, who says by that that the line is full. */
async function flood(count: number, path: string, key = 'none'): Promise<void> {
  const { promise: full, resolve } = Promise.withResolvers<void>()
  for (let i = 0; i < count; i++) {
    const socket = connect(app.server.port, '127.0.0.1').on('error', () => {})
    open.add(socket)
    socket.on('data', (bytes) => {
      if (bytes.includes('HTTP/1.1 503')) resolve()
    })
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`)
  }
  await full
}

function assertBusy({ status, headers, text }: Answer): void {
  assert.equal(status, 503, text)
  assert.match(headers['retry-after']!, /^[1-9]\d*$/)
  assert.match(
    text,
    new RegExp(`Too many such calls are under way just now\\. Retry in ${headers['retry-after']} s`),
  )
}

/** Asks until the answer has this status: what was begun arrives a moment later, and what hung up is gone a moment later. */
async function until(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  const limit = performance.now() + 60_000
  for (;;) {
    const answer = await ask()
    if (answer.status === status || performance.now() > limit) return answer
  }
}

async function letGo(): Promise<void> {
  // Those that the server has ended meanwhile are closed already.
  const closed = [...open]
    .filter((socket) => !socket.closed)
    .map((socket) => {
      socket.destroy()
      return once(socket, 'close')
    })
  await Promise.all(closed)
  open.clear()
}

test('bodies: who announces megabytes and does not send them fills its own company’s room', async () => {
  const post = (key: string, bytes = megabyte) =>
    app.send('POST', '/v1/leads', { key, raw: padded(leadBody, bytes), headers: json })
  await Promise.race(await fill(60, () => begin(installer.key, '/v1/leads', megabyte)))
  assertBusy(await post(installer.key))
  assert.equal((await post(installer.key, 10_000)).status, 201)
  assert.equal((await post(other.key)).status, 201)
  // Dealers share what is their installer's, and have some of it left.
  assert.equal((await post(dealer.key)).status, 201)
  await letGo()
  assert.equal((await until(201, () => post(installer.key))).status, 201)
})

test('readings: bodies that wait are counted as they arrive, by company', async () => {
  const path = '/catalog/v1/monitoring/readings'
  const roof = await site(app.database, other, 'Europe/Berlin')
  const readings = [{ panel_id: roof.panels[0], timestamp: '2026-03-01T10:00:00Z', kwh: 1 }]
  const send = (key: string) =>
    app.send('POST', path, { key, raw: padded({ readings }, megabyte), headers: json })
  const begun = '{"readings":['.padEnd(900_000, ' ')
  await Promise.all(Array.from({ length: 60 }, () => begin(installer.key, path, megabyte, begun)))
  assertBusy(await until(503, () => send(installer.key)))
  const taken = await send(other.key)
  assert.deepEqual([taken.status, taken.body.accepted], [200, 1])
  await letGo()
  assert.equal((await until(200, () => send(installer.key))).status, 200)
})

test('thumbnails: a company’s slow pictures leave a place to another’s', async () => {
  const thumbnail = async (of: typeof installer) => {
    const { projectId } = await project(of)
    const body = { folder: 'siteSurvey', files: [{ url: `${outside.url}/roof.png` }] }
    const added = await app.call('POST', `/v1/projects/${projectId}/files`, { key: of.key, body })
    assert.equal(added.status, 201, added.text)
    const [row] = await app.database.rows<{ store_key: string; token: string }>(
      'select store_key, token from files where project_id = $1',
      [projectId],
    )
    return { path: `/thumbnails/${of.company.number}/${row!.token}/roof.png`, storeKey: row!.store_key }
  }
  const [slow, quick] = [await thumbnail(installer), await thumbnail(other)]
  // Its disk does not come to the end of the file.
  const { store } = deps.copying
  const openStored = store.open
  const stuck: PassThrough[] = []
  store.open = async (key, range) => {
    if (key !== slow.storeKey) return openStored(key, range)
    const stream = new PassThrough()
    stuck.push(stream)
    return { size: 1, stream }
  }
  await flood(170, slow.path)
  assertBusy(await app.send('GET', slow.path))
  assert.equal(stuck.length, 2)
  assert.equal((await app.send('GET', quick.path)).status, 200)
  await letGo()
  store.open = openStored
  assert.equal((await until(200, () => app.send('GET', slow.path))).status, 200)
})

test('legacy lists: a company’s slow pages leave a place to another’s', async () => {
  const path = ({ company }: typeof installer) => `/legacy/fetch_all_lead?org_id=${company.number}`
  const list = (of: typeof installer) => app.send('GET', path(of), { key: of.key })
  const countedPage = deps.countedPage
  const gate = Promise.withResolvers<void>()
  deps.countedPage = async (...asked) => {
    if (asked[1].scope.installerId === installer.company.id) await gate.promise
    return countedPage(...asked)
  }
  await flood(310, path(installer), installer.key)
  assertBusy(await list(installer))
  assert.equal((await list(other)).status, 200)
  gate.resolve()
  await letGo()
  deps.countedPage = countedPage
  assert.equal((await until(200, () => list(installer))).status, 200)
})
