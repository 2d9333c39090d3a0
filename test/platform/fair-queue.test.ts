import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createFairQueue,
  type FairQueueOptions,
  QueueBusy,
  QueueStopped,
} from '../../src/platform/fair-queue.ts'

const never = new AbortController().signal

function lineWith(options: Partial<FairQueueOptions> = {}) {
  let time = 0
  const line = createFairQueue({
    atOnce: { all: 4, group: 3, owner: 2 },
    waiting: { all: 50, group: 8, owner: 5 },
    maxWaitMs: 60_000,
    maxWorkMs: 600_000,
    now: () => time,
    ...options,
  })
  const begun: string[] = []
  const works: { name: string; end: () => void; done: Promise<unknown> }[] = []
  /** Work of `owner`, whose group is the first letter of its name; it goes on until it is ended. */
  const add = (owner: string, givenUp: AbortSignal = never) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = line.run(
      { group: owner[0]!, owner },
      (signal) => {
        begun.push(owner)
        signal.addEventListener('abort', () => resolve())
        return promise.then(() => signal.throwIfAborted())
      },
      givenUp,
    )
    done.catch(() => {})
    works.push({ name: owner, end: resolve, done })
    return done
  }
  const end = async (owner: string) => {
    const [work] = works.splice(
      works.findIndex(({ name }) => name === owner),
      1,
    )
    work!.end()
    await work!.done.catch(() => {})
    await new Promise(setImmediate)
  }
  return { line, begun, add, end, at: (ms: number) => (time = ms) }
}

test('an owner fills its own share, a group its own, and others go on', async () => {
  const { add, begun, end } = lineWith()
  for (let i = 0; i < 4; i++) add('a1')
  assert.deepEqual(begun, ['a1', 'a1'])
  add('a2')
  add('a2')
  assert.deepEqual(begun, ['a1', 'a1', 'a2'])
  add('b1')
  assert.deepEqual(begun, ['a1', 'a1', 'a2', 'b1'])
  add('b1')
  add('c1')
  await end('a1')
  // Whose group has least under way is next, whoever came first.
  assert.deepEqual(begun.slice(4), ['c1'])
  await end('a2')
  // Each group has one: whose owner has least.
  assert.deepEqual(begun.slice(5), ['a2'])
  await end('b1')
  assert.deepEqual(begun.slice(6), ['b1'])
})

test('one who would wait behind too many of its own is sent away, another is not', async () => {
  const { add, begun } = lineWith()
  for (let i = 0; i < 7; i++) add('a1')
  await assert.rejects(add('a1'), QueueBusy)
  add('b1')
  assert.deepEqual(begun, ['a1', 'a1', 'b1'])
})

test('a group that makes owners at will fills its own part of the line, and another waits beside it', async () => {
  const { add, begun, end } = lineWith({ atOnce: { all: 3, group: 2, owner: 1 } })
  // Two are under way, eight wait.
  for (let i = 0; i < 10; i++) add(`a${i}`)
  await assert.rejects(add('a10'), QueueBusy)
  add('b1')
  add('b2')
  assert.deepEqual(begun, ['a0', 'a1', 'b1'])
  await end('b1')
  assert.equal(begun.at(-1), 'b2')
})

test('the wait that is named follows from what is under way and who waits before', async () => {
  const { add, at } = lineWith()
  for (let i = 0; i < 7; i++) add('a1')
  at(20_000)
  const wait = (error: unknown) => error instanceof QueueBusy && error.retryAfterSeconds
  // Two at a time, five before it: the third turn from now, of some 20 s each.
  assert.equal(await add('a1').catch(wait), 60)
  at(200)
  assert.equal(await add('a1').catch(wait), 1)
  // What has taken nine of ten minutes is over in one.
  at(540_000)
  assert.equal(await add('a1').catch(wait), 180)
})

test('nobody waits for longer than a limit, or after giving up', async () => {
  const { add, end, begun } = lineWith({ maxWaitMs: 50 })
  add('a1')
  add('a1')
  const gone = new AbortController()
  const left = add('a1', gone.signal)
  gone.abort(new Error('hung up'))
  await assert.rejects(left, /hung up/)
  await assert.rejects(add('a1'), QueueBusy)
  await end('a1')
  assert.equal(begun.length, 2)
})

test('a place beside is taken only where one is free', async () => {
  const { line, add, end } = lineWith()
  add('a1')
  const share = { group: 'a', owner: 'a1' }
  assert.equal(await line.runIfFree(share, async () => 'beside', never), 'beside')
  add('a1')
  assert.equal(
    line.runIfFree(share, async () => 'beside', never),
    null,
  )
  await end('a1')
  assert.equal(await line.runIfFree(share, async () => 'beside', never), 'beside')
})

test('a stop lets what is under way end, sends away who waits, and breaks off what takes too long', async () => {
  const { line, add, end, begun } = lineWith()
  const quick = add('a1')
  const slow = add('a1')
  const waiting = add('a1')
  const stopped = line.stop(100)
  await assert.rejects(waiting, QueueStopped)
  await assert.rejects(add('b1'), QueueStopped)
  await end('a1')
  await quick
  await assert.rejects(slow, QueueStopped)
  await stopped
  assert.equal(begun.length, 2)
  await lineWith().line.stop(60_000)
})
