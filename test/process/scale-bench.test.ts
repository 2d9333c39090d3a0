import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Extended, extend } from '../../bench/scale/extend.ts'
import { kinds, observedKinds, ratesOf, sharedOut, sizesOf } from '../../bench/scale/model.ts'
import { readOptions } from '../../bench/scale/options.ts'
import { openOwnDatabase } from '../../bench/scale/own-database.ts'
import type { ScaleResult } from '../../bench/scale/result.ts'
import { createTestDatabase, dropDatabase, onServer, withDatabase } from '../support/database.ts'
import { run } from '../support/process.ts'

const command = [process.execPath, 'scripts/run.js', 'bench/scale/run.ts']

describe('the load model', () => {
  const name = `scale_${process.pid}_${randomBytes(4).toString('hex')}`
  const url = withDatabase(process.env.TEST_DATABASE_URL!, name)
  const size = ['--companies', '20', '--panels', '40']
  const seconds = 2
  const speed = 600
  let result: ScaleResult

  before(async () => {
    await onServer(`create database ${name}`)
  })
  after(() => dropDatabase(name))

  test('leaves nothing to count that a first start would count while something else is measured', async () => {
    const { code, stderr } = await run([...command, ...size, '--seed-only'], { DATABASE_URL: url })
    assert.equal(code, 0, stderr)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      `select (select count(*)::int from tenant_clocks) > 0 as "hasTenants", (select count(*)::int from webhooks) > 0 as "hasWebhooks",
         (select count(*)::int from tenant_clocks where counted_at is distinct from now) as tenants,
         (select count(*)::int from webhooks where counted_at is null) as webhooks`,
    )
    await client.end()
    assert.deepEqual(rows, [{ hasTenants: true, hasWebhooks: true, tenants: 0, webhooks: 0 }])
  })

  test('drives every kind as often as asked for, and tells what each costs', async () => {
    const { code, stdout, stderr } = await run(
      [
        ...command,
        ...size,
        ...['--minutes', String(seconds / 60), '--speed', String(speed)],
        ...['--probe-seconds', '0.2', '--json'],
      ],
      { DATABASE_URL: url },
    )
    assert.equal(code, 0, stderr)
    result = JSON.parse(stdout)
    const rates = ratesOf({ companies: 20, panels: 40 })
    for (const kind of kinds) {
      const { begun, done, failed, failures, askedPerSecond, p50Ms, p99Ms } = result.mix.kinds[kind]
      assert.equal(failed, 0, `${kind}: ${JSON.stringify(failures)}`)
      assert.equal(done, begun)
      assert.ok(begun > 0, kind)
      // By chance, so within five standard deviations of what was asked for.
      const asked = rates[kind] * speed * seconds
      assert.ok(Math.abs(begun - asked) <= 5 * Math.sqrt(asked) + 1, `${kind}: ${begun} of ${asked}`)
      assert.ok(Math.abs(askedPerSecond - rates[kind] * speed) < rates[kind] * speed * 0.2, kind)
      assert.ok(p50Ms! > 0 && p99Ms! >= p50Ms!, kind)
    }
    assert.ok(result.mix.webhook.done > 0)
    for (const kind of observedKinds) assert.ok(result.costs.kinds[kind].calls > 0, kind)
    assert.ok(result.costs.kinds['post-lead'].diskBytes > 0)
    assert.ok(result.costs.kinds['post-lead'].walBytes > 0)
    assert.ok(result.mix.resources.length >= 5)
    assert.ok(result.mix.memory.some(({ process, nowMb }) => process === 'server' && nowMb > 50))
    assert.ok(result.day.totalDiskBytes > 0)
  })

  test('knows again what it made, and refuses another size of it', async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const mark = await openOwnDatabase(client, { companies: 20, panels: 40 })
      assert.equal(mark.seeded, true)
      // What was sent is not sent again: it would change nothing.
      assert.ok(mark.quarters > 0)
      await assert.rejects(
        openOwnDatabase(client, { companies: 30, panels: 40 }),
        /was made by this bench for 20 companies and 40 panels/,
      )
    } finally {
      await client.end()
    }
  })

  test('extends what was measured to more installations', () => {
    const options = readOptions(['--extend', 'x.json', '--price-core', '20', '--price-gb', '0.1'], {})
    assert.ok('extend' in options)
    const of = (installations: number): Extended => extend(result, { ...options.extend, installations })
    const [some, ten] = [of(1_000), of(10_000)]
    assert.ok(Math.abs(ten.parts.readings.gbADay / some.parts.readings.gbADay - 10) < 1e-6)
    assert.equal(ten.parts['post-lead'].gbADay, some.parts['post-lead'].gbADay)
    assert.ok(ten.price!.disks > some.price!.disks)
    const disk = some.limits.find(({ name: limit }) => limit.startsWith('disk'))!
    const full = of(Math.round(disk.reachedAt))
    assert.ok(Math.abs(full.gbKept / options.extend.largest.gb - 1) < 0.01)
  })
})

test('a database that is somebody else’s is refused and left as it is', async () => {
  const database = await createTestDatabase()
  try {
    const tables = () => database.rows(`select count(*) from pg_class where relkind in ('r', 'i')`)
    const before = await tables()
    const { code, stderr } = await run([...command, '--companies', '20'], { DATABASE_URL: database.url })
    assert.equal(code, 1)
    assert.match(stderr, /is not empty and was not made by this bench/)
    assert.match(stderr, /Nothing was changed/)
    assert.deepEqual(await tables(), before)
  } finally {
    await database.drop()
  }
})

test('says what to set where no database is named, and what an option must be', () => {
  assert.throws(() => readOptions([], {}), /^BadOption: Set DATABASE_URL to an empty PostgreSQL or Citus/)
  assert.throws(
    () => readOptions(['--minutes=-1'], { DATABASE_URL: 'x' }),
    /--minutes must be a number above 0/,
  )
  assert.throws(() => readOptions(['--tempo', '2'], { DATABASE_URL: 'x' }), /tempo/)
})

test('a fifth of the companies does four fifths of the business, and nothing is lost by rounding', () => {
  const sizes = sizesOf(10_000)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const fifth = sizes.slice(0, 2_000).reduce((sum, size) => sum + size, 0)
  assert.ok(Math.abs(all - 10_000) < 1)
  assert.ok(Math.abs(fifth / all - 0.8) < 0.01, String(fifth / all))
  assert.equal(
    sharedOut(1_234, sizes).reduce((sum, share) => sum + share, 0),
    1_234,
  )
})
