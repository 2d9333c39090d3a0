import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { test } from 'node:test'
import { createClock } from '../../src/platform/clock.ts'

const hour = 3_600_000

/** Three clocks that are set by hand. */
function clocks() {
  const at = { host: 1_000_000_000, steady: 0, database: 1_000_000_000, answerMs: 2 }
  const pass = (ms: number) => {
    at.host += ms
    at.steady += ms
    at.database += ms
  }
  const clock = createClock({
    async ask() {
      pass(at.answerMs)
      return at.database - at.answerMs / 2
    },
    hostMs: () => at.host,
    steadyMs: () => at.steady,
  })
  return { at, pass, clock }
}

test('a host whose clock jumps, or is set back, goes on as if nothing were', async () => {
  const { at, pass, clock } = clocks()
  await clock.look()
  for (const jump of [hour, -10 * 60_000, 24 * hour, -48 * hour]) {
    const before = clock.nowMs()
    at.host += jump
    assert.ok(Math.abs(clock.nowMs() - before) < 10, `${jump}: it was ${before}, and is ${clock.nowMs()}`)
    assert.equal(clock.isOff(), true)
    pass(7_000)
    await clock.look()
    assert.ok(Math.abs(clock.nowMs() - at.database) < 10)
    at.host -= jump
    assert.equal(clock.nowMs(), at.host, 'a clock that is right is read as it is')
    assert.equal(clock.isOff(), false)
  }
})

test('a host that starts with another clock than the database has takes the database’s', async () => {
  const { at, clock } = clocks()
  at.host += 24 * hour
  await clock.look()
  assert.ok(Math.abs(clock.nowMs() - at.database) < 10)
})

test('the database’s clock is followed where it drifts, and where it jumps once it has stayed so', async () => {
  const { at, pass, clock } = clocks()
  await clock.look()
  for (let i = 0; i < 20; i++) {
    at.database += 400
    pass(5_000)
    assert.equal(await clock.look(), 0)
  }
  assert.ok(Math.abs(clock.nowMs() - at.database) < 1_000)

  // Host and database are one machine, whose clock is wrong for a few seconds.
  const right = at.database
  at.database += 24 * hour
  at.host = at.database
  pass(5_000)
  assert.equal(await clock.look(), 0)
  assert.ok(Math.abs(clock.nowMs() - right) < 6_000, 'what passes is not believed')
  at.database -= 24 * hour
  at.host = at.database
  await clock.look()
  assert.equal(clock.nowMs(), at.host)

  at.database += 24 * hour
  at.host = at.database
  const set: number[] = []
  for (let i = 0; i < 8; i++) {
    pass(5_000)
    set.push(await clock.look())
  }
  assert.equal(set.filter((ms) => ms !== 0).length, 1)
  assert.ok(Math.abs(set.find((ms) => ms !== 0)! - 24 * hour) < 1_000)
  assert.equal(clock.nowMs(), at.host)
})

test('a database that answers slowly moves nothing', async () => {
  const { at, clock } = clocks()
  await clock.look()
  at.answerMs = 20_000
  for (let i = 0; i < 5; i++) assert.equal(await clock.look(), 0)
  assert.ok(Math.abs(clock.nowMs() - at.database) < 10)
})

test('whether ages can be believed is known for as long as it matters', async () => {
  const { at, pass, clock } = clocks()
  await clock.look()
  assert.equal(clock.isSteady(hour), true)
  at.host += hour
  assert.equal(clock.isSteady(hour), false)
  at.host -= hour
  pass(hour / 2)
  assert.equal(clock.isSteady(hour), false, 'what was written down meanwhile is still wrong')
  pass(hour)
  assert.equal(clock.isSteady(hour), true)
})

test('nothing else asks the host what time it is', async () => {
  // The clock itself, lines of the log, ages of files on the host's own disk, and what better-auth has written down.
  const mayAsk = new Set(['platform/clock.ts', 'platform/log.ts', 'platform/file-store/temp-folder.ts'])
  mayAsk.add('api/console/sign-in-tries.ts')
  const asking: string[] = []
  for await (const path of glob('**/*.ts', { cwd: 'src' })) {
    const asks = /\bDate\.now\(|\bnew Date\(\)|\bTemporal\.Now\b/.test(readFileSync(`src/${path}`, 'utf8'))
    if (asks !== mayAsk.has(path)) asking.push(path)
  }
  assert.deepEqual(asking, [])
})
