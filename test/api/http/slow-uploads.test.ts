import assert from 'node:assert/strict'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp, usualLimits } from '../../../src/app.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, project } from '../../support/factories.ts'
import { addPerson, signedIn } from '../../support/people.ts'

// The whole server again, on another port, with limits that a test can wait for.
const started = await startApp()
const { server, database, storedFiles } = started
const idleMs = 1_000
const app = await buildApp(server.deps, {
  ...usualLimits,
  arrival: { totalMs: 1_000, idleMs, fileBytesPerSecond: 2_000 },
})
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
after(() => {
  app.server.closeAllConnections()
  return app.close()
})

const { installer, other } = await createWorld(database.db)
const { cookie } = await signedIn(started, await addPerson(started, installer.company.id, 'owner'))
const { cookie: others } = await signedIn(started, await addPerson(started, other.company.id, 'owner'))
const { projectId } = await project(installer)
const { projectId: projectOfOther } = await project(other)

const uploads = [
  `/console/api/projects/${projectId}/files?folder=contract&name=plan.pdf`,
  '/console/api/imports?name=leads.csv',
  `/console/api/companies/${installer.company.id}/logo`,
]

interface Sending {
  socket: Socket
  /** All that is answered until the connection ends. */
  closed: Promise<string>
}

function begin(path: string, length: number, as = cookie, to = port): Sending {
  const socket = connect(to, '127.0.0.1').on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)))
  socket.on('end', () => socket.destroy())
  socket.write(
    `PUT ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${as}\r\nx-sunstead-console: 1\r\ncontent-length: ${length}\r\n\r\n%PDF-1.7\n`,
  )
  return { socket, closed }
}

const ended = async (reason: string): Promise<number> => {
  const text = await server.deps.metrics.registry.metrics()
  return Number(
    new RegExp(`http_connections_ended_total\\{reason="${reason}"\\} (\\d+)`).exec(text)?.[1] ?? 0,
  )
}

test('an upload that trickles is ended after a while, and nothing of it stays', async () => {
  const before = await ended('slow body')
  const begun = uploads.map((path) => begin(path, 1_000_000))
  const trickle = setInterval(() => {
    for (const { socket } of begun) if (socket.writable) socket.write('a')
  }, idleMs / 8)
  for (const { closed } of begun) assert.match(await closed, /did not arrive in time/)
  clearInterval(trickle)
  assert.equal(await ended('slow body'), before + uploads.length)
  while ((await storedFiles()).length > 0) await sleep(10)
})

test('an upload that is cut off at its end leaves nothing', async () => {
  const begun = uploads.map((path) => begin(path, 20_000))
  for (const { socket } of begun) socket.write('a'.repeat(19_800))
  await sleep(50)
  for (const { socket } of begun) socket.destroy()
  await Promise.all(begun.map(({ closed }) => closed))
  while ((await storedFiles()).length > 0) await sleep(10)
  const { body } = await started.get(`/v1/projects/${projectId}`, installer.key)
  assert.deepEqual(body.files.contract, [])
})

test('one that goes on fast enough takes as long as it takes', async () => {
  // Much faster than it must be, and for longer than it is looked at twice.
  const length = 80_000
  const { socket, closed } = begin(uploads[0]!, length)
  for (let sent = 9; sent < length; sent += 1_000) {
    socket.write('a'.repeat(Math.min(1_000, length - sent)))
    await sleep(35)
  }
  while (!socket.destroyed && socket.bytesRead === 0) await sleep(10)
  socket.end()
  assert.match(await closed, /^HTTP\/1\.1 201 /)
})

test('a company that begins hundreds waits for itself, and no other does', async () => {
  const ofOther = `/console/api/projects/${projectOfOther}/files?folder=contract&name=a.pdf`
  const kept = (await storedFiles()).length + 1
  const begun = Array.from({ length: 200 }, () => begin(uploads[0]!, 2_000, cookie, server.port))
  // As many as may are received, as many as may wait, and the others are told so.
  const answered = () => begun.filter(({ socket }) => socket.bytesRead > 0)
  while (answered().length < 128) await sleep(5)
  const small = begin(ofOther, 9, others, server.port)
  while (small.socket.bytesRead === 0) await sleep(5)
  small.socket.end()
  assert.match(await small.closed, /^HTTP\/1\.1 201 /)
  while ((await storedFiles()).length - kept < 32) await sleep(5)
  assert.equal((await storedFiles()).length - kept, 32)
  const told = answered()
  for (const { socket } of begun) socket.destroy()
  for (const { closed } of told) {
    assert.match(await closed, /^HTTP\/1\.1 503 /)
    assert.match(await closed, /retry-after: \d+/i)
  }
  while ((await storedFiles()).length > kept) await sleep(10)
})
