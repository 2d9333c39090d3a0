import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workLimits } from '../../src/platform/database-limits.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { createTestDatabase } from '../support/database.ts'
import { atFileEnd } from '../support/endings.ts'

const database = await createTestDatabase()
atFileEnd(() => database.drop())

test('a connection on which a transaction is refused as read-only is made anew', async () => {
  const db = openDatabase(database.url, () => {}, { ...workLimits, pool: 1 })
  const write = () =>
    db.transaction(async (tx) => {
      await tx.query({ text: 'create table if not exists written (n int)' }, [])
    })
  await db.execute('set default_transaction_read_only = on')
  await assert.rejects(write(), { name: 'DatabaseUnavailable' })
  await write()
  await db.close()
})

test('no statement is run by several processes, however large the planner takes a table for', async () => {
  const db = openDatabase(database.url, () => {}, { ...workLimits, pool: 1 })
  const explained = async () => {
    const rows = await db.query<{ 'QUERY PLAN': string }>(
      { text: 'explain select count(*) from pg_class where relpages >= 0' },
      [],
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  await db.execute(
    'set min_parallel_table_scan_size = 0; set parallel_setup_cost = 0; set parallel_tuple_cost = 0',
  )
  assert.doesNotMatch(await explained(), /Gather/)
  await db.execute('set max_parallel_workers_per_gather = 2')
  assert.match(await explained(), /Gather/)
  await db.close()
})
