import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Bulkhead, openPipeline } from '../../src/platform/pipeline.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const pipeline = openPipeline({ connectionString: database.url }, 2, { silenceMs: 60_000 })
after(async () => {
  await pipeline.close()
  await database.drop()
})

interface Asked {
  name: string
  text: string
}
const ask = <Row>(statement: Asked, values: unknown[], order?: string, bulkhead?: Bulkhead) =>
  pipeline.query<Row>({ ...statement, values }, { over: false }, order, bulkhead)

const echo = { name: 'echo', text: 'select $1::text as text, pg_backend_pid() as pid' }

test('each caller gets its own answer, over no more connections than were asked for', async () => {
  const asked = Array.from({ length: 500 }, (_, i) => String(i))
  const answers = await Promise.all(asked.map((text) => ask<{ text: string; pid: number }>(echo, [text])))
  assert.deepEqual(
    answers.map(([row]) => row!.text),
    asked,
  )
  assert.equal(new Set(answers.map(([row]) => row!.pid)).size, 2)
})

test('what fails fails alone', async () => {
  const divide = { name: 'divide', text: 'select 1 / $1::int as n' }
  const results = await Promise.allSettled([2, 0, 1, 0].map((n) => ask(divide, [n])))
  assert.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  )
})

test('statements of one order run one after the other', async () => {
  await database.db.execute('create table numbers (at serial, n int)')
  const insert = {
    name: 'insert-number',
    text: 'insert into numbers (n) select $1::int from pg_sleep($2::float8)',
  }
  // The earlier ones take longer: run beside each other, they would end in reverse.
  await Promise.all([0, 1, 2, 3].map((n) => ask(insert, [n, (3 - n) / 50], 'tenant')))
  const rows = await database.rows<{ n: number }>('select n from numbers order by at')
  assert.deepEqual(
    rows.map((row) => row.n),
    [0, 1, 2, 3],
  )
})

test('a lost connection fails what was under way, and the next call opens it again', async () => {
  const slow = ask({ name: 'slow', text: 'select pg_sleep(30)' }, [])
  const lost = assert.rejects(slow)
  let ended = 0
  while (ended === 0) {
    const rows = await database.rows<{ n: number }>(
      `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
       where datname = current_database() and query like 'select pg_sleep(30)%' and pid <> pg_backend_pid()`,
    )
    ended = rows[0]!.n
  }
  await lost
  const [row] = await ask<{ text: string }>(echo, ['again'])
  assert.equal(row!.text, 'again')
})

test('those of one bulkhead keep to its connections; more bulkheads than there are share them', async () => {
  const pidsOf = async (bulkhead: Bulkhead) => {
    const asked = Array.from({ length: 20 }, (_, i) =>
      ask<{ pid: number }>(echo, [''], i % 2 ? `${i}` : undefined, bulkhead),
    )
    return new Set((await Promise.all(asked)).map(([row]) => row!.pid))
  }
  const [first, second] = [await pidsOf({ index: 0, of: 2 }), await pidsOf({ index: 1, of: 2 })]
  assert.deepEqual([first.size, second.size, first.union(second).size], [1, 1, 2])
  assert.deepEqual(await pidsOf({ index: 2, of: 3 }), first)
  assert.equal((await pidsOf({ index: 0, of: 1 })).size, 2)
})
