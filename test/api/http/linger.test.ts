import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'

const app = await startApp()
const { installer } = await createWorld(app.database.db)
const port = Number(new URL(app.url).port)
const mebibyte = 1_048_576

interface Sent {
  path: string
  bytes: number
  chunked?: boolean
  close?: boolean
  method?: string
  key?: string
}

/**
 * Sends all of a body before it reads anything, as many clients do: what was answered and then reset is never seen.
 * Answers what came, and whether the connection was broken off.
 */
async function sendAll({ path, bytes, chunked, close, method = 'POST', key = installer.key }: Sent) {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    chunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`,
    ...(close ? ['connection: close'] : []),
  ]
  let broken: Error | null = null
  socket.on('error', (error) => {
    broken = error
  })
  await write(socket, `${head.join('\r\n')}\r\n\r\n`)
  const piece = Buffer.alloc(65_536, ' ')
  for (let left = bytes; left > 0 && !broken; left -= piece.length) {
    const part = piece.subarray(0, Math.min(left, piece.length))
    await write(
      socket,
      chunked ? Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, crlf]) : part,
    )
  }
  if (chunked && !broken) await write(socket, '0\r\n\r\n')
  let answer = ''
  if (!broken) {
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.on('data', (data) => {
      answer += data
      const [, length] = /content-length: (\d+)/i.exec(answer) ?? []
      if (length && answer.length >= answer.indexOf('\r\n\r\n') + 4 + Number(length)) resolve()
    })
    socket.on('close', () => resolve())
    socket.resume()
    await promise
  }
  socket.destroy()
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), answer, broken }
}
const crlf = Buffer.from('\r\n')

function write(socket: Socket, data: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => resolve()
    socket.once('close', done)
    socket.write(data, () => {
      socket.off('close', done)
      resolve()
    })
  })
}

test('a body over the limit gets its 400 on every interface, sent whole or in pieces', async () => {
  for (const path of ['/v1/leads', '/legacy/create_project', '/catalog/v1/panels', '/catalog/v1/webhooks'])
    for (const chunked of [false, true])
      for (const close of [false, true]) {
        const { status, answer, broken } = await sendAll({ path, bytes: 6 * mebibyte, chunked, close })
        assert.equal(status, 400, `${path} ${chunked} ${close} ${broken} ${answer}`)
        assert.match(answer, /larger than 1 MiB/)
      }
  const readings = { path: '/catalog/v1/monitoring/readings', bytes: 12 * mebibyte }
  for (const chunked of [false, true])
    assert.match((await sendAll({ ...readings, chunked })).answer, /^HTTP\/1\.1 400 [\s\S]*larger than 8 MiB/)
  assert.match((await sendAll({ path: '/api/sign-in', bytes: 4 * mebibyte })).answer, /^HTTP\/1\.1 4/)
})

test('so does what is refused before its body is read', async () => {
  const wrong = { path: '/v1/leads', bytes: 6 * mebibyte, close: true }
  assert.equal((await sendAll({ ...wrong, key: 'psk_wrong' })).status, 401)
  assert.equal((await sendAll({ ...wrong, path: '/v1/nothing' })).status, 404)
  assert.equal((await sendAll({ ...wrong, method: 'DELETE' })).status, 404)
})

test('who sends on and on is answered, and then cut off', async () => {
  const { status, broken } = await sendAll({ path: '/v1/leads', bytes: 200 * mebibyte })
  assert.ok(broken !== null, String(status))
  // The connection is free for the next call where the body was short enough.
  assert.equal((await app.get('/v1/me', installer.key)).status, 200)
})
