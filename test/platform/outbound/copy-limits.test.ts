import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { after, afterEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { OutboundUnavailable, Refused } from '../../../src/platform/outbound/refused.ts'
import { startCopying } from '../../support/copying.ts'
import * as sample from '../../support/sample-files.ts'

const world = await startCopying()
const { address, copier, copy, store } = world
after(() => world.close())

/** Every test ends with an empty store: what succeeded removes its copy, what failed left none. */
afterEach(async () => assert.deepEqual(await world.filesLeft(), []))

const MB = 1024 * 1024
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const endless: [label: string, start: Buffer, message: RegExp, maxBytes: number][] = [
  ['a stream that runs past the limit', sample.pdf, /larger than 1 MB/, MB],
  ['an endless page at its first bytes', Buffer.from('<html>'), /web page/, 1024 * MB],
  ['an endless program at its first bytes', sample.elf, /program/, 1024 * MB],
]

for (const [label, start, message, maxBytes] of endless) {
  test(`cuts off ${label}`, async () => {
    let sent = 0
    const cut = Promise.withResolvers<void>()
    world.answerWith((_request, response) => {
      response.on('close', () => cut.resolve())
      const flow = function* () {
        yield start
        for (;;) {
          sent += 64 * 1024
          yield Buffer.alloc(64 * 1024, 32)
        }
      }
      Readable.from(flow())
        .on('error', () => {})
        .pipe(response)
    })
    await assert.rejects(copy({ maxBytes }), message)
    await cut.promise
    assert(sent < 40 * MB, `${sent} bytes were sent`)
  })
}

test('hangs up on an answer that is refused by its status or headers', async () => {
  for (const [status, headers] of [
    [404, {}],
    [200, { 'content-type': 'text/html' }],
    [200, { 'content-length': String(2 * MB) }],
    [200, { 'content-encoding': 'compress' }],
  ] as const) {
    const closed = Promise.withResolvers<void>()
    world.answerWith((_request, response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(status, headers).write(sample.pdf)
    })
    await assert.rejects(copy({ maxBytes: MB }), Refused)
    await closed.promise
  }
})

test('takes a file of exactly the limit', async () => {
  const data = Buffer.concat([sample.pdf, Buffer.alloc(MB - sample.pdf.length, 32)])
  world.answerWith((_request, response) => response.end(data))
  const copied = await copy({ maxBytes: MB })
  assert.equal(copied.size, MB)
  await store.remove(copied.key)
})

const unavailable = (message: RegExp) => (error: unknown) =>
  error instanceof OutboundUnavailable && message.test(error.message)

test('gives up on who says nothing, before or inside the answer, and hangs up', async () => {
  const silenceMs = 150
  world.answerWith(() => {})
  await assert.rejects(copy({ silenceMs }), unavailable(/sent nothing for 0.15 seconds/))
  const closed = Promise.withResolvers<void>()
  let isAsked = false
  world.answerWith((_request, response) => {
    isAsked = true
    response.on('close', () => closed.resolve())
    response.write(sample.pdf)
  })
  // On a busy machine the time may be up before the question is there.
  while (!isAsked) await assert.rejects(copy({ silenceMs }), unavailable(/sent nothing/))
  await closed.promise
})

test('goes on for as long as something comes, and no longer than a copy may take', async () => {
  const trickle = (pieces: number) =>
    world.answerWith(async (_request, response) => {
      response.write(sample.pdf)
      for (let i = 0; i < pieces && !response.destroyed; i++) {
        await wait(40)
        response.write(' ')
      }
      response.end()
    })
  trickle(60)
  const copied = await copy({ silenceMs: 2_000 })
  assert.equal(copied.size, sample.pdf.length + 60)
  await store.remove(copied.key)
  trickle(100_000)
  await assert.rejects(copy({ silenceMs: 60_000, totalMs: 500 }), unavailable(/took longer than 0.5 seconds/))
})

test('what is no HTTP at all is refused, and is no failure of ours', async () => {
  for (const said of ['SSH-2.0-OpenSSH_9.9\r\n', 'HTTP/1.1 abc\r\n\r\n', '\0\0\0\0\r\n\r\n']) {
    world.answerWith((_request, response) => response.socket!.end(said))
    await assert.rejects(copy(), (error) => error instanceof Refused && /not valid HTTP/.test(error.message))
  }
})

test('tells what fails for the moment from what stays so', async () => {
  for (const status of [408, 425, 429, 500, 502, 503, 504]) {
    world.answerWith((_request, response) => response.writeHead(status).end())
    await assert.rejects(copy(), unavailable(new RegExp(`answered ${status}`)))
  }
  world.answerWith((_request, response) => {
    response.writeHead(200, { 'content-length': 900 }).write(sample.pdf)
    setImmediate(() => response.destroy())
  })
  await assert.rejects(copy(), unavailable(/broke off the connection/))
  for (const status of [400, 401, 403, 404, 410]) {
    world.answerWith((_request, response) => response.writeHead(status).end())
    await assert.rejects(copy(), (error) => !(error instanceof OutboundUnavailable))
  }
})

test("ends with the caller's reason when the caller gives up", async () => {
  world.answerWith((_request, response) => response.write(sample.pdf))
  const running = new AbortController()
  const first = copier().copy({ url: address(), name: 'a', signal: running.signal })
  await wait(50)
  running.abort(new Error('gave up'))
  await assert.rejects(first, /gave up/)
})

test('needs no more memory for a large file than for a small one', async () => {
  const chunk = Buffer.alloc(256 * 1024, 32)
  let held = 0
  const before = heldBytes()
  world.answerWith(async (_request, response) => {
    response.write(sample.pdf)
    for (let sent = 0; sent < 90 * MB; sent += chunk.length) {
      if (!response.write(chunk)) await once(response, 'drain')
      if (sent % (10 * MB) === 0) held = Math.max(held, heldBytes() - before)
    }
    response.end()
  })
  const copied = await copy()
  assert.equal(copied.size, 90 * MB + sample.pdf.length)
  assert(held < 30 * MB, `${Math.round(held / MB)} MB of buffers`)
  await store.remove(copied.key)
})

/** What is in use, without what only waits to be collected. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}
