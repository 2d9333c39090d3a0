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
