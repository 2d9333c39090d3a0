import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { type AttemptRule, createAttemptLimits } from '../../../src/platform/attempt-limits.ts'
import { createRateLimiter } from '../../../src/platform/rate-limit.ts'
import { connectRedis, type SharedCounts } from '../../../src/platform/redis/connection.ts'
import { shareAttemptLimits, shareRateLimiter } from '../../../src/platform/redis/shared-limits.ts'
import { selfSigned } from '../../support/https-server.ts'
import { startRedis, withoutRedis } from '../../support/redis-server.ts'

describe('limits that hosts share', { skip: withoutRedis }, async () => {
  if (withoutRedis) return
  const redis = await startRedis()
  const secret = Buffer.from('of this database')
  const opened: SharedCounts[] = []
  after(() => Promise.all(opened.map((counts) => counts.close())))

  async function host(url = redis.url, more: { ca?: string; answerMs?: number; lookMs?: number } = {}) {
    let alone = 0
    const changes: (string | null)[] = []
    const { ca, answerMs = 10_000, lookMs = 20 } = more
    const counts = connectRedis({
      url,
      onChange: (reason) => void changes.push(reason),
      limits: { answerMs, lookMs, patienceMs: 20_000, connectMs: 20_000 },
      ...(ca ? { ca } : {}),
    })
    opened.push(counts)
    const options = { counts, secret, onAlone: () => void alone++ }
    const until = async (found: () => boolean) => {
      while (!found()) await wait(5)
    }
    return {
      changes,
      alone: () => alone,
      here: () => until(() => changes.at(-1) === null),
      away: () => until(() => changes.length > 0 && changes.at(-1) !== null),
      limiter: (limit: number, windowMs?: number) =>
        shareRateLimiter(createRateLimiter(limit, windowMs), options, windowMs),
      attempts: () => shareAttemptLimits(createAttemptLimits(), options),
    }
  }

  test('one window for all: exactly so many pass, refused ones do not count, and the wait is enough', async () => {
    const [a, b] = [await host(), await host()]
    await Promise.all([a.here(), b.here()])
    const limiters = [a.limiter(20), b.limiter(20)]
    const states = await Promise.all(Array.from({ length: 50 }, (_, i) => limiters[i % 2]!.take('key_1')))
    assert.equal(states.filter(({ allowed }) => allowed).length, 20)
    const left = states.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)
    assert.deepEqual(
      left.toSorted((x, y) => y - x),
      Array.from({ length: 20 }, (_, i) => 19 - i),
    )
    for (const { resetSeconds } of states) assert.ok(resetSeconds > 30 && resetSeconds <= 60)
    assert.equal((await limiters[1]!.take('key_2')).allowed, true)

    const short = [a.limiter(1, 1_000), b.limiter(1, 1_000)]
    let refused = await short[0]!.take('soon')
    while (refused.allowed) refused = await short[1]!.take('soon')
    assert.equal(refused.resetSeconds, 1)
    // A timer may be a millisecond early.
    await wait(1_010)
    assert.equal((await short[1]!.take('soon')).allowed, true)
    assert.equal(a.alone() + b.alone(), 0)
  })

  test('slides: a call passes as soon as the oldest has left the window', async () => {
    const a = await host()
    await a.here()
    await redis.ask('flushdb')
    const limiter = a.limiter(3)
    for (let i = 0; i < 3; i++) await limiter.take('slides')
    const [name] = (await redis.keys()).filter((one) => one.includes(':calls:'))
    const made = (secondsAgo: number) => String((Date.now() - secondsAgo * 1_000) * 1_000)
    await redis.ask('lset', name!, '0', made(59))
    assert.equal((await limiter.take('slides')).allowed, false)
    await redis.ask('lset', name!, '0', made(61))
    await redis.ask('lset', name!, '1', made(30))
    const passed = await limiter.take('slides')
    assert.equal(passed.allowed, true)
    assert.ok(passed.resetSeconds <= 30 && passed.resetSeconds > 10)
    assert.equal((await limiter.take('slides')).allowed, false)
  })

  test('names in Redis say nothing and end by themselves; a clock that was set back locks nobody out', async () => {
    const a = await host()
    await a.here()
    await a.limiter(1).take('key_secret')
    await a.attempts().begin([{ key: 'somebody@example.com', rule }])
    const names = (await redis.keys()).filter((name) => name !== 'sunstead:probe')
    assert.ok(names.length >= 2)
    for (const name of names) {
      assert.match(name, /^sunstead:(calls|tries):[\w-]{24}$/)
      assert.ok(Number(await redis.ask('pttl', name)) > 0, name)
    }
    await redis.ask('flushdb')
    const limiter = a.limiter(1)
    await limiter.take('key_later')
    const [name] = (await redis.keys()).filter((one) => one.includes(':calls:'))
    await redis.ask('lset', name!, '0', String((Date.now() + 3_600_000) * 1_000))
    assert.equal((await limiter.take('key_later')).allowed, true)
    // Scripts may be forgotten at any time.
    await redis.ask('script', 'flush')
    assert.equal((await limiter.take('key_other')).allowed, true)
    assert.equal(a.alone(), 0)
  })

  const rule: AttemptRule = { free: 2, firstWaitMs: 60_000, maxWaitMs: 90_000, forgetMs: 3_600_000 }

  test('tries are counted over all, wrong until said otherwise, as they are in one process', async () => {
    const [a, b] = [await host(), await host()]
    await Promise.all([a.here(), b.here()])
    const limits = [a.attempts(), b.attempts()]
    const begin = (i: number, key: string, clearedByRight = false) =>
      limits[i]!.begin([
        { key: `${key}-person`, rule, clearedByRight },
        { key: `${key}-place`, rule: { ...rule, free: 50 } },
      ])
    const attempt = async (i: number, key: string, clearedByRight?: boolean) => {
      const begun = await begin(i, key, clearedByRight)
      assert.ok('attempt' in begun)
      return begun.attempt
    }
    for (let i = 0; i < 3; i++) await attempt(i % 2, 'guessed')
    for (const i of [0, 1]) {
      const begun = await begin(i, 'guessed')
      assert.ok('waitMs' in begun && begun.waitMs > 30_000 && begun.waitMs <= 60_000)
    }
    // Many at once get no further than many in a row.
    const many = await Promise.all(Array.from({ length: 20 }, (_, i) => begin(i % 2, 'at once')))
    assert.equal(many.filter((begun) => 'attempt' in begun).length, 3)

    // What could not be told is as if it had not been.
    for (let i = 0; i < 10; i++) {
      const begun = await attempt(i % 2, 'void')
      begun.void()
      // Told, and nobody waits for the answer: what its host asks next is answered after it, and what another asks may be before.
      await begin(i % 2, 'next')
    }
    // A right one clears what was wrong before, of the person and not of the place.
    await attempt(0, 'right', true)
    await attempt(1, 'right', true)
    const right = await attempt(0, 'right', true)
    right.right()
    right.void()
    for (let i = 0; i < 3; i++) await attempt(i % 2, 'right', true)
    assert.ok('waitMs' in (await begin(0, 'right', true)))
  })

  test('calls of one turn go in one write', async () => {
    // What looks at Redis every so often is read there too.
    await Promise.all(opened.splice(0).map((counts) => counts.close()))
    const a = await host(redis.url, { lookMs: 60_000 })
    await a.here()
    const limiter = a.limiter(1_000)
    await limiter.take('warm')
    const before = await reads()
    await Promise.all(Array.from({ length: 200 }, () => limiter.take('together')))
    const [, first] = /total_reads_processed:(\d+)/.exec(before)!
    const [, last] = /total_reads_processed:(\d+)/.exec(await reads())!
    assert.ok(Number(last) - Number(first) < 100, `${first} to ${last}`)
  })
  const reads = async () => String(await redis.ask('info', 'stats'))

  test('with TLS, and not where the certificate is not trusted', async () => {
    const { key, cert } = selfSigned()
    const front = createServer({ key, cert }, (near) => {
      const far = connect(redis.port, '127.0.0.1')
      near.on('error', () => far.destroy())
      far.on('error', () => near.destroy())
      near.pipe(far).pipe(near)
    })
    front.listen(0, '127.0.0.1')
    await once(front, 'listening')
    after(() => front.close())
    const url = redis.url
      .replace('redis:', 'rediss:')
      .replace(/127\.0\.0\.1:\d+/, `localhost:${(front.address() as AddressInfo).port}`)
    const trusted = await host(url, { ca: cert })
    await trusted.here()
    assert.equal((await trusted.limiter(1).take('by TLS')).allowed, true)
    assert.equal(trusted.alone(), 0)
    const other = await host(url)
    assert.equal((await other.limiter(1).take('by TLS')).allowed, true)
    assert.equal(other.alone(), 1)
  })

  test('away: each limits for itself and is not held up; back: all together again', async () => {
    const wrong = await host(redis.url.replace('sesame', 'barley'))
    assert.equal((await wrong.limiter(1).take('no password')).allowed, true)
    assert.equal(wrong.alone(), 1)

    const a = await host(redis.url, { answerMs: 2_000 })
    await a.here()
    const limiter = a.limiter(2)
    const passed = async (key: string) =>
      (await Promise.all([1, 2, 3].map(() => limiter.take(key)))).filter(({ allowed }) => allowed).length
    redis.freeze()
    assert.equal(await passed('frozen'), 2)
    assert.equal(a.alone(), 3)
    await a.away()
    assert.ok(!(limiter.take('frozen') instanceof Promise), 'asked once and not again')
    redis.thaw()
    await a.here()
    assert.equal(await passed('thawed'), 2)
    const alone = a.alone()
    await redis.kill()
    await a.away()
    assert.equal(await passed('killed'), 2)
    assert.equal(a.alone(), alone + 3)
    await redis.start()
    await a.here()
    assert.equal(await passed('back'), 2)
    assert.equal(a.alone(), alone + 3)
    assert.deepEqual(
      a.changes.map((reason) => reason === null),
      [true, false, true, false, true],
    )
  })
})
