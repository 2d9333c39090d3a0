import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createKeys } from '../../../../src/domain/tenants/keys/authenticate.ts'
import { workLimits } from '../../../../src/platform/database-limits.ts'
import { openDatabase } from '../../../../src/platform/db.ts'
import { oneServerOnly } from '../../../support/citus.ts'
import { createTestDatabase, openTestDatabase } from '../../../support/database.ts'
import { createWorld, keyFor } from '../../../support/factories.ts'
import { untilWaiting } from '../../../support/lock-waits.ts'

const database = await createTestDatabase()
const { rows } = database
after(() => database.drop())

test('two processes whose keys were used in other orders write both down', {
  skip: oneServerOnly(),
}, async (t) => {
  // As where there are many keys: those that were used are looked up one by one.
  for (const way of ['hashjoin', 'mergejoin', 'seqscan'])
    await database.db.execute(
      `do $$ begin execute format('alter database %I set enable_${way} = off', current_database()); end $$`,
    )
  const db = openTestDatabase(database.url)
  t.after(() => db.close())
  const world = await createWorld(db)
  const made: Awaited<ReturnType<typeof keyFor>>[] = []
  for (let i = 0; i < 5; i++) made.push(await keyFor(world, world.installer))
  const at = new Date()
  const processes = await Promise.all(
    [made, made.toReversed()].map(async (inOrder) => {
      const keys = createKeys(db)
      for (const { secret } of inOrder) assert.ok(await keys.authenticate(secret, () => '127.0.0.1', at))
      return keys
    }),
  )
  const writing: Promise<void>[] = []
  // Both come as far as the one in the middle, and hold what they wrote before it.
  await db.transaction(async (tx) => {
    const [middle] = made
      .map(({ key }) => key.id)
      .toSorted()
      .slice(2)
    await tx.query({ text: 'select from api_keys where id = $1 for update' }, [middle])
    for (const keys of processes) writing.push(keys.flush())
    await untilWaiting(rows, writing)
  })
  await Promise.all(writing)
  const used = await rows('select from api_keys where last_used_at = $1', [at])
  assert.equal(used.length, 5)
})

test('uses that could not be written are written the next time', { skip: oneServerOnly() }, async (t) => {
  const hurried = openDatabase(database.url, () => {}, { ...workLimits, statementMs: 1_000 })
  t.after(() => hurried.close())
  const world = await createWorld(database.db)
  const { key, secret } = await keyFor(world, world.installer)
  const keys = createKeys(hurried)
  const at = new Date()
  assert.ok(await keys.authenticate(secret, () => '127.0.0.1', at))
  await database.db.transaction(async (tx) => {
    await tx.query({ text: 'select from api_keys where id = $1 for update' }, [key.id])
    await assert.rejects(keys.flush(), /statement timeout/)
  })
  await keys.flush()
  const [used] = await rows<{ at: Date }>('select last_used_at as at from api_keys where id = $1', [key.id])
  assert.deepEqual(used!.at, at)
})
