import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { after, afterEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { CopierBusy } from '../../../src/platform/outbound/copy-from-address.ts'
import { OutboundRefused, Refused } from '../../../src/platform/outbound/refused.ts'
import { startCopying } from '../../support/copying.ts'
import * as sample from '../../support/sample-files.ts'

const world = await startCopying()
const { address, copier, copy, store } = world
after(() => world.close())

/** Every test ends with an empty store: what succeeded removes its copy, what failed left none. */
afterEach(async () => assert.deepEqual(await world.filesLeft(), []))

const MB = 1024 * 1024

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

test('gives up after its time, before or inside the answer', async () => {
  const timeoutMs = 150
  world.answerWith(() => {})
  await assert.rejects(copy({ timeoutMs }), /took longer than 0.15 seconds/)
  const closed = Promise.withResolvers<void>()
  world.answerWith((_request, response) => {
    response.on('close', () => closed.resolve())
    response.write(sample.pdf)
  })
  await assert.rejects(
    copy({ timeoutMs }),
    (error) => error instanceof OutboundRefused && /longer/.test(error.message),
  )
  await closed.promise
})

test("ends with the caller's reason when the caller gives up, running or waiting", async () => {
  world.answerWith((_request, response) => response.write(sample.pdf))
  const { copy } = copier({ concurrency: 1 })
  const running = new AbortController()
  const waiting = new AbortController()
  const first = copy({ url: address(), name: 'a', signal: running.signal })
  const second = copy({ url: address(), name: 'b', signal: waiting.signal })
  await wait(50)
  waiting.abort(new Error('left the line'))
  await assert.rejects(second, /left the line/)
  running.abort(new Error('gave up'))
  await assert.rejects(first, /gave up/)
  world.answerWith((_request, response) => response.end(sample.pdf))
  const copied = await copy({ url: address(), name: 'c' })
  await store.remove(copied.key)
})

test('makes at most four copies at once, in the order they came', async () => {
  let now = 0
  let most = 0
  const order: string[] = []
  world.answerWith(async (request, response) => {
    most = Math.max(most, ++now)
    order.push(request.url!)
    await wait(30)
    now--
    response.end(sample.pdf)
  })
  const { copy } = copier()
  const urls = Array.from({ length: 14 }, (_, index) => `/${index}`)
  const copies = await Promise.all(urls.map((path) => copy({ url: address(path), name: 'a' })))
  assert.equal(most, 4)
  assert.deepEqual(new Set(order.slice(0, 4)), new Set(urls.slice(0, 4)))
  assert.deepEqual(new Set(order.slice(-4)).isSubsetOf(new Set(urls.slice(-6))), true)
  assert.equal(new Set(copies.map(({ key }) => key)).size, urls.length)
  for (const { key } of copies) await store.remove(key)
})

test('sends away who would wait too long', async () => {
  const held = Promise.withResolvers<void>()
  world.answerWith(async (_request, response) => {
    await held.promise
    response.end(sample.pdf)
  })
  const { copy } = copier({ concurrency: 1, maxWaiting: 2 })
  const inLine = [1, 2, 3].map(() => copy({ url: address(), name: 'a' }))
  await assert.rejects(copy({ url: address(), name: 'a' }), CopierBusy)
  held.resolve()
  for (const { key } of await Promise.all(inLine)) await store.remove(key)
})

test('needs no more memory for a large file than for a small one', async () => {
  const chunk = Buffer.alloc(256 * 1024, 32)
  world.answerWith(async (_request, response) => {
    response.write(sample.pdf)
    for (let sent = 0; sent < 90 * MB; sent += chunk.length) {
      if (!response.write(chunk)) await once(response, 'drain')
    }
    response.end()
  })
  globalThis.gc?.()
  const before = process.memoryUsage()
  let most = 0
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before.arrayBuffers)
  }, 5)
  const copied = await copy().finally(() => clearInterval(sampler))
  assert.equal(copied.size, 90 * MB + sample.pdf.length)
  assert(most > 0 && most < 45 * MB, `${Math.round(most / MB)} MB of buffers`)
  await store.remove(copied.key)
})
