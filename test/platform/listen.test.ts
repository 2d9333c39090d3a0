import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startListening } from '../../src/platform/listen.ts'
import { createLog } from '../../src/platform/log.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
after(() => database.drop())

test('hears of what is notified, and again after its connection was lost', async () => {
  let heard = Promise.withResolvers<void>()
  const next = () => {
    const { promise } = heard
    return promise.then(() => {
      heard = Promise.withResolvers<void>()
    })
  }
  const { stop } = startListening(database.url, 'things', () => heard.resolve(), createLog('silent'))
  // That it listens is told too: something may have been missed.
  await next()
  await database.rows(`select pg_notify('things', '')`)
  await next()
  const ended = await database.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'sunstead-listen' and datname = current_database()`,
  )
  assert.equal(ended.length, 1)
  await next()
  await database.rows(`select pg_notify('things', '')`)
  await next()
  await stop()
  const left = () =>
    database.rows(
      `select 1 from pg_stat_activity where application_name = 'sunstead-listen' and datname = current_database()`,
    )
  while ((await left()).length > 0);
})
