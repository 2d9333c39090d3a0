import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sunstead } from '../support/commands.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { made, plan, site } from '../support/invoices.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { installer, other } = await createWorld(database.db)
const run = (...args: string[]) => sunstead(['invoices', 'run', ...args], { DATABASE_URL: database.url })

const leased = await site(database, installer)
await plan(installer, leased, { kind: 'lease', rate: '80' })
const metered = await site(database, installer)
await plan(installer, metered)
await made(database, installer, metered, '2026-02-01', '2026-02-26', 10)
const theirs = await site(database, other)
await plan(other, theirs, { kind: 'lease', rate: '10' })

interface Report {
  month: string
  drafted: number
  held: number
  unchanged: number
  skipped: number
  failed: number
  results: { installationId: string; outcome: string; amountDue: string | null; detail: string | null }[]
}

async function report(...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await run(...args, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

test('a month is run for one installer, then for all, and reported', async () => {
  const first = await report('--month', '2026-02', '--installer', String(installer.company.number))
  assert.deepEqual([first.month, first.drafted, first.held, first.failed], ['2026-02', 1, 1, 0])
  assert.deepEqual(
    first.results.map((r) => [r.installationId, r.outcome, r.amountDue, r.detail]),
    [
      [leased, 'drafted', '80.00', null],
      [metered, 'held', null, first.results[1]!.detail],
    ],
  )
  assert.match(first.results[1]!.detail!, /^9\d\.\d+% of the daylight readings received/)
  await made(database, installer, metered, '2026-02-27', '2026-02-28', 10)
  const second = await report('--month', '2026-02')
  assert.deepEqual([second.drafted, second.unchanged, second.held], [2, 1, 0])
  const future = await report('--month', '2999-01')
  assert.equal(future.skipped, 3)
  assert.match(future.results[0]!.detail!, /has not ended in America\/Denver/)
})

test('people read a table and the counts', async () => {
  const { code, stdout } = await run('--month', '2026-02')
  assert.equal(code, 0)
  assert.match(stdout, /installation +outcome +invoice +amount +detail/)
  assert.match(stdout, new RegExp(`${metered} +unchanged +inv_\\w+ +33\\.60 +its draft says the same`))
  assert.match(stdout, /unchanged +3/)
})

test('what is wrong is refused with what to change', async () => {
  for (const [args, message] of [
    [[], /--month/],
    [['--month', '2026-13'], /like 2026-10/],
    [['--month', '2026-02', '--installer', '99999'], /no company 99999/],
  ] as const) {
    const { code, stderr } = await run(...args)
    assert.equal(code, 1)
    assert.match(stderr, message)
  }
})

test('a month that cannot be billed is named, and the exit code says so', async () => {
  const broken = await site(database, installer)
  await plan(installer, broken, { rate: '1000000' })
  await made(database, installer, broken, '2026-03-01', '2026-03-31', 1_000_000)
  const { code, stdout } = await run('--month', '2026-03', '--json')
  assert.equal(code, 1)
  const { failed, results } = JSON.parse(stdout) as Report
  assert.equal(failed, 1)
  assert.match(results.find((r) => r.installationId === broken)!.detail!, /at most 999999999\.99/)
})
