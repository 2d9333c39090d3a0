import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callsIn } from '../../../../src/domain/operations/requests/lines.ts'
import { createDayPartitions, dropOldDays } from '../../../../src/domain/operations/requests/partitions.ts'
import type { Call } from '../../../../src/domain/operations/requests/request.ts'
import {
  bundleSize,
  createRequestLog,
  maxBundles,
} from '../../../../src/domain/operations/requests/request-log.ts'
import { DatabaseUnavailable } from '../../../../src/platform/database-errors.ts'
import type { Database } from '../../../../src/platform/db.ts'
import { createTestDatabase, dropPartitions } from '../../../support/database.ts'
import { createWorld } from '../../../support/factories.ts'

const database = await createTestDatabase()
after(() => database.drop())
await dropPartitions(database, 'request_batches')

const { company } = (await createWorld(database.db)).installer
const owner = { installerId: company.id, companyId: company.id, keyId: 'key_a' }
const call = (requestId: string): Call => ({
  at: Date.now(),
  method: 'GET',
  route: 'none',
  path: '/v1/me',
  status: 200,
  durationMs: 1.5,
  bytes: null,
  requestId,
})

const written = async () =>
  (
    await database.rows<{ lines: string }>('select lines from request_batches order by last_at, ordinal')
  ).flatMap(({ lines }) => callsIn(lines).map(({ requestId }) => requestId))
const days = async () =>
  (
    await database.rows<{ name: string }>(
      `select relname as name from pg_class where relname like 'request\\_batches\\_2%' and relkind = 'r' order by 1`,
    )
  ).map(({ name }) => name)

test('the first calls make the days that they need', async () => {
  assert.deepEqual(await days(), [])
  const log = createRequestLog(database.db, () => assert.fail('nothing is dropped'))
  log.note(owner, call('first'))
  await log.flush()
  assert.deepEqual(await written(), ['first'])
  assert.equal((await days()).length, 2)
  await log.flush()
})

test('what cannot be written waits; of too much the oldest is dropped and counted', async () => {
  let away = true
  let dropped = 0
  const db: Database = {
    ...database.db,
    query: (statement, values) =>
      away ? Promise.reject(new DatabaseUnavailable('away')) : database.db.query(statement, values),
  }
  const log = createRequestLog(db, (count) => {
    dropped += count
  })
  await database.rows('delete from request_batches')
  log.note(owner, call('waited'))
  await assert.rejects(log.flush(), DatabaseUnavailable)
  log.note(owner, call('newer'))
  away = false
  await log.flush()
  assert.deepEqual(await written(), ['waited', 'newer'])
  assert.equal(dropped, 0)

  away = true
  const kept = bundleSize * maxBundles + 5
  for (let i = 0; i < bundleSize + kept; i++) log.note(owner, call(`call-${i}`))
  await assert.rejects(log.flush(), DatabaseUnavailable)
  away = false
  await log.flush()
  const [counts] = await database.rows('select sum(calls)::int as calls from api_key_hours')
  const ids = await written()
  assert.equal(dropped, bundleSize)
  assert.deepEqual([counts!.calls, ids.length], [3 + kept, 2 + kept])
  assert.equal(ids[2], `call-${bundleSize}`)
})

test('a batch whose answer was lost is not written twice', async () => {
  let lost = true
  const db: Database = {
    ...database.db,
    async query(statement, values) {
      const rows = await database.db.query<never>(statement, values)
      if (lost) throw new DatabaseUnavailable('the answer is lost')
      return rows
    },
  }
  await database.rows('delete from request_batches')
  const log = createRequestLog(db, () => assert.fail('nothing is dropped'))
  log.note(owner, call('once'))
  await assert.rejects(log.flush(), DatabaseUnavailable)
  log.note(owner, call('after it'))
  lost = false
  await log.flush()
  assert.deepEqual(await written(), ['once', 'after it'])
})

test('who has it written while it is being written is answered when it is', async () => {
  await database.rows('delete from request_batches')
  const log = createRequestLog(database.db, () => assert.fail('nothing is dropped'))
  log.note(owner, call('taken up'))
  const [, there] = await Promise.all([log.flush(), log.flush().then(written)])
  assert.deepEqual(there, ['taken up'])
})

test('days are made ahead and dropped after 14 days', async () => {
  const day = (offset: number) =>
    `request_batches_${new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '_')}`
  await Promise.all([
    createDayPartitions(database.db, new Date()),
    createDayPartitions(database.db, new Date()),
  ])
  assert.deepEqual(await days(), [day(0), day(1)])
  await createDayPartitions(database.db, new Date(Date.now() + 86_400_000))
  assert.deepEqual(await days(), [day(0), day(1), day(2)])
  await dropOldDays(database.db, new Date(Date.now() + 14 * 86_400_000))
  assert.deepEqual(await days(), [day(0), day(1), day(2)])
  await dropOldDays(database.db, new Date(Date.now() + 16 * 86_400_000))
  assert.deepEqual(await days(), [day(2)])
})
