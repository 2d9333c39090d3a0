import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRateLimiter } from '../../../src/platform/rate-limit.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor, leadBody } from '../../support/factories.ts'

const app = await startApp({ env: { RATE_LIMIT_PER_MINUTE: '' } })
const world = await createWorld(app.database.db)
const { installer, dealer } = world

test('of 200 calls at once, over all endpoints, exactly 100 pass; the others are told how long to wait', async () => {
  const { key } = installer
  const started = performance.now()
  const calls = Array.from({ length: 200 }, (_, i) =>
    i % 4 === 0
      ? app.call('GET', '/v1/nothing', { key })
      : i % 4 === 1
        ? app.call('POST', '/v1/leads', { key, body: leadBody })
        : i % 4 === 2
          ? app.call('PATCH', '/v1/leads/lead_none', { key, body: { bad: 1 } })
          : app.get('/v1/me', key),
  )
  const answers = await Promise.all(calls)
  const refused = answers.filter((a) => a.status === 429)
  const passed = answers.filter((a) => a.status !== 429)
  assert.equal(passed.length, 100)
  assert.equal(new Set(passed.map((a) => a.headers['ratelimit-remaining'])).size, 100)
  for (const { headers, body } of refused) {
    const wait = Number(headers['retry-after'])
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, String(wait))
    assert.ok(wait * 1000 >= 60_000 - (performance.now() - started) - 1000)
    assert.equal(headers['ratelimit-remaining'], '0')
    assert.equal(headers['ratelimit-reset'], headers['retry-after'])
    assert.equal(body.error.code, 'rate_limited')
  }
  assert.ok(answers.every((a) => a.headers['ratelimit-limit'] === '100'))
  const [made] = await app.database.rows<{ n: number }>('select count(*) as n from leads')
  assert.equal(made!.n, passed.filter((a) => a.status === 201).length)
})

test('the limit is of the key, not of the company, and calls without a good key count for nobody', async () => {
  assert.equal((await app.get('/v1/me', installer.key)).status, 429)
  const { secret } = await keyFor(world, installer)
  assert.equal((await app.get('/v1/me', secret)).headers['ratelimit-remaining'], '99')
  assert.equal((await app.get('/v1/me', dealer.key)).headers['ratelimit-remaining'], '99')
  const unknown = 'psk_0000000000000000000000000000000000000000'
  const answers = await Promise.all(Array.from({ length: 150 }, () => app.get('/v1/me', unknown)))
  assert.ok(answers.every((a) => a.status === 401))
  assert.equal((await app.send('GET', '/v1/openapi.json', { key: installer.key })).status, 200)
})

test('a limit of 0 is none', async () => {
  const free = await startApp({ database: app.database, env: { RATE_LIMIT_PER_MINUTE: '0' } })
  const answers = await Promise.all(Array.from({ length: 120 }, () => free.get('/v1/me', dealer.key)))
  await free.stop()
  assert.ok(answers.every((a) => a.status === 200))
})

function limiter(limit: number, windowMs = 60_000) {
  let now = 1_000
  const made = createRateLimiter(limit, windowMs, () => now)
  after(() => made.close())
  return {
    take: (key = 'k') => made.take(key),
    advance: (ms: number) => {
      now += ms
    },
  }
}

test('after Retry-After the call passes, however the calls lay before', () => {
  for (const gap of [0, 1, 100, 599, 600, 601, 7777]) {
    const { take, advance } = limiter(100)
    for (let i = 0; i < 350; i++) {
      const { allowed, resetSeconds } = take()
      assert.ok(Number.isInteger(resetSeconds) && resetSeconds >= 1 && resetSeconds <= 60)
      if (!allowed) {
        advance(resetSeconds * 1000)
        assert.equal(take().allowed, true, `gap ${gap}, call ${i}`)
      }
      advance(gap)
    }
  }
})

test('the window slides exactly, and refused calls do not extend the wait', () => {
  const { take, advance } = limiter(3, 10_000)
  for (const remaining of [2, 1, 0]) {
    assert.deepEqual([take().allowed, remaining], [true, remaining])
    advance(1000)
  }
  for (let i = 0; i < 50; i++) assert.equal(take().allowed, false)
  advance(6999)
  assert.deepEqual(take(), { allowed: false, limit: 3, remaining: 0, resetSeconds: 1 })
  advance(1)
  assert.equal(take().allowed, true)
  assert.equal(take().allowed, false)
  advance(999)
  assert.equal(take().allowed, false)
  advance(1)
  assert.equal(take().allowed, true)
  advance(10_000)
  assert.deepEqual(take(), { allowed: true, limit: 3, remaining: 2, resetSeconds: 10 })
})

test('in no window do more calls pass than the limit, and as many as it do', () => {
  const { take, advance } = limiter(20, 1000)
  const passed: number[] = []
  let at = 0
  let seed = 7
  for (let i = 0; i < 5000; i++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    const step = seed % 40
    advance(step)
    at += step
    const allowed = take().allowed
    const inWindow = passed.filter((p) => p > at - 1000).length
    assert.equal(allowed, inWindow < 20)
    if (allowed) passed.push(at)
  }
})

test('keys have windows of their own', () => {
  const { take } = limiter(1)
  assert.equal(take('a').allowed, true)
  assert.equal(take('b').allowed, true)
  assert.equal(take('a').allowed, false)
})
