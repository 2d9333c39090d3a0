import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withSavepoints } from '../../src/platform/within-transaction.ts'
import { createTestDatabase } from '../support/database.ts'

const { db, drop } = await createTestDatabase()
after(drop)
await db.execute('create table notes (id int primary key)')
const insert = (id: number, shared?: 'write') => ({
  text: `insert into notes values (${id})`,
  ...(shared ? { shared } : {}),
})
const kept = async () =>
  (await db.query<{ id: number }>({ text: 'select id from notes order by id' }, [])).map(({ id }) => id)

test('what fails inside takes back only itself, and the transaction goes on', async () => {
  await db.transaction(async (tx) => {
    const within = withSavepoints(tx)
    await within.query(insert(1), [])
    await within.transaction(async (inner) => inner.query(insert(2), []))
    const failing = within.transaction(async (inner) => {
      await inner.query(insert(3), [])
      await inner.query(insert(1), [])
    })
    await assert.rejects(failing, { code: '23505' })
    // One that may be tried again, as a change of a record is.
    await assert.rejects(within.query(insert(2, 'write'), []), { code: '23505' })
    await within.transaction(async () => {
      await assert.rejects(
        within.transaction(() => Promise.reject(new Error('no'))),
        { message: 'no' },
      )
      await within.query(insert(4, 'write'), [])
    })
  })
  assert.deepEqual(await kept(), [1, 2, 4])
})

test('where the whole fails nothing stays', async () => {
  const whole = db.transaction(async (tx) => {
    await withSavepoints(tx).transaction((inner) => inner.query(insert(9), []))
    throw new Error('no')
  })
  await assert.rejects(whole, { message: 'no' })
  assert.deepEqual(await kept(), [1, 2, 4])
})
