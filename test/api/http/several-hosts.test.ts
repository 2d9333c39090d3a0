import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pino from 'pino'
import { type App, startApp } from '../../support/app.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { addPerson } from '../../support/people.ts'
import { startRedis, withoutRedis } from '../../support/redis-server.ts'

const limit = 100

describe('two hosts with one Redis', { skip: withoutRedis }, async () => {
  if (withoutRedis) return
  const redis = await startRedis()
  const database = await createTestDatabase()
  const lines: { level: number; msg: string; reason?: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const env = { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: String(limit) }
  const start = () => startApp({ database, env, log, outside: { redisAnswerMs: 2_000 } })
  const hosts = [await start(), await start()] as const
  const world = await createWorld(database.db)
  const newKey = async () => (await keyFor(world, world.installer)).secret

  const counts = async (app: App, name: string) => {
    const { text } = await app.send('GET', '/metrics')
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }
  const shared = async (wanted: number) => {
    for (const app of hosts) while ((await counts(app, 'limits_shared')) !== wanted) await wait(50)
  }
  /** How many of the calls pass, half of them at each host. */
  async function pass(calls: number, key: string): Promise<number> {
    const answers = await Promise.all(
      Array.from({ length: calls }, (_, i) => hosts[i % 2]!.call('GET', '/v1/leads?limit=1', { key })),
    )
    for (const { status } of answers) assert.ok(status === 200 || status === 429)
    return answers.filter(({ status }) => status === 200).length
  }

  test('exactly as many calls pass as a key may make', async () => {
    await shared(1)
    assert.equal(await pass(150, await newKey()), limit)
    for (const app of hosts) assert.equal(await counts(app, 'limits_decided_alone_total'), 0)
  })

  test('who guesses waits at every host', async () => {
    const person = await addPerson(hosts[0], world.installer.company.id, 'rep', 'Ava', 'ava@example.com')
    const signIn = (app: App, password: string) =>
      app.send('POST', '/console/auth/sign-in/email', {
        body: { email: person.email, password },
        headers: { origin: app.url },
      })
    let tries = 0
    while ((await signIn(hosts[tries % 2]!, 'not the password')).status === 401) tries++
    assert.ok(tries <= 6, `${tries} tries`)
    for (const app of hosts) {
      const answer = await signIn(app, person.password)
      assert.equal(answer.status, 429, answer.text)
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    }
  })

  for (const [how, lose, bring] of [
    ['killed', () => redis.kill(), () => redis.start()],
    ['frozen', async () => redis.freeze(), async () => redis.thaw()],
  ] as const)
    test(`Redis ${how} in the middle: no call fails, log and metrics say it, and it is exact again after its return`, async () => {
      const said = (text: RegExp) => lines.filter(({ msg }) => text.test(msg)).length
      const before = said(/Redis is away/)
      const load = await newKey()
      const passed = (calls: number) => pass(calls, load)
      assert.equal(await passed(20), 20)
      const [underWay] = await Promise.all([passed(40), lose()])
      assert.equal(underWay, 40)
      await shared(0)
      assert.equal(await passed(20), 20)
      // Each process for itself.
      assert.equal(await pass(3 * limit, await newKey()), 2 * limit)
      for (const app of hosts) assert.ok((await counts(app, 'limits_decided_alone_total')) >= limit)
      assert.equal(said(/Redis is away/), before + hosts.length, 'once for each process')
      await bring()
      await shared(1)
      assert.equal(await pass(150, await newKey()), limit)
    })

  test('a start does without it', async () => {
    await redis.kill()
    const late = await start()
    assert.equal((await late.call('GET', '/v1/leads?limit=1', { key: await newKey() })).status, 200)
    assert.equal(await counts(late, 'limits_shared'), 0)
    await redis.start()
    while ((await counts(late, 'limits_shared')) !== 1) await wait(50)
    assert.ok(lines.every((line) => !JSON.stringify(line).includes('sesame')))
  })
})
