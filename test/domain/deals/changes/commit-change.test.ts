import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld, lead } from '../../../support/factories.ts'

const database = await createTestDatabase()
const world = await createWorld(database.db)
after(() => database.drop())

test('a tenant that is locked for long waits and succeeds; others on its connection go on meanwhile', async (t) => {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('begin')
  await holder.query('select from tenant_clocks where installer_id = $1 for update', [
    world.installer.company.id,
  ])

  let done = false
  const waiting = lead(world.installer).then((id) => {
    done = true
    return id
  })
  // Enough writes of the other tenant to outlast the time that a write waits for a lock.
  const begun = performance.now()
  while (performance.now() - begun < 1_000) await lead(world.other)
  assert.equal(done, false)
  await holder.query('commit')
  const id = await waiting
  assert.equal((await database.rows('select id from leads where id = $1', [id])).length, 1)
})
