import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  createPartitionsFor,
  createUpcomingPartitions,
} from '../../../../src/domain/sites/energy/partitions.ts'
import { takeReadings } from '../../../../src/domain/sites/energy/take-readings.ts'
import { createTestDatabase, dropPartitions } from '../../../support/database.ts'
import { boundlessSite as site } from '../../../support/energy.ts'
import { createWorld } from '../../../support/factories.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { installer, other } = await createWorld(database.db)
await dropPartitions(database, 'readings')

const partitions = async () =>
  (
    await database.rows<{ name: string; bounds: string }>(
      `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds from pg_inherits i
       join pg_class c on c.oid = i.inhrelid where i.inhparent = 'readings'::regclass order by 1`,
    )
  ).map(({ name, bounds }) => `${name} ${bounds}`)

test('this month and the next three are made ahead, once, however many do it', async () => {
  const now = new Date('2026-11-30T23:59:59.999Z')
  await Promise.all(Array.from({ length: 8 }, () => createUpcomingPartitions(database.db, now)))
  assert.deepEqual(await partitions(), [
    "readings_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00')",
    "readings_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00')",
    "readings_2027_01 FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00')",
    "readings_2027_02 FOR VALUES FROM ('2027-02-01 00:00:00+00') TO ('2027-03-01 00:00:00+00')",
  ])
  await createUpcomingPartitions(database.db, now)
  assert.equal((await partitions()).length, 4)
})

test('late readings make the months they need, also several senders at once', async () => {
  const ours = await site(database, installer, 'America/Los_Angeles')
  const theirs = await site(database, other, 'America/Los_Angeles')
  const months = ['2000-01', '2003-02', '2012-12', '2024-02']
  const send = (ctx: typeof installer, panel: string) =>
    takeReadings(
      ctx.as(),
      months.map((month) => ({ panel_id: panel, timestamp: `${month}-01T00:00:00Z`, kwh: 1 })),
    )
  const taken = await Promise.all([
    send(installer, ours.panels[0]!),
    send(other, theirs.panels[0]!),
    send(installer, ours.panels[0]!),
    createPartitionsFor(database.db, [Date.UTC(2003, 1, 14)]),
  ])
  assert.deepEqual(
    taken.slice(0, 3),
    Array(3).fill({ accepted: 4, updated: 0, quarantined: 0, rejected: [] }),
  )
  const names = (await partitions()).map((line) => line.split(' ')[0])
  for (const month of months) assert.ok(names.includes(`readings_${month.replace('-', '_')}`), month)
  const [{ count }] = (await database.rows('select count(*)::int as count from readings')) as [
    { count: number },
  ]
  assert.equal(count, 8)
})
