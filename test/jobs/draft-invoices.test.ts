import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { draftInvoices } from '../../src/jobs/draft-invoices.ts'
import type { Log } from '../../src/platform/log.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { made, plan, site } from '../support/invoices.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { installer, other } = await createWorld(database.db)

test('each month is drafted soon after it ends where the installation is, once, and what fails is logged', async () => {
  const east = await site(database, installer, { timezone: 'America/New_York' })
  const west = await site(database, other, { timezone: 'America/Los_Angeles' })
  for (const [of, id] of [
    [installer, east],
    [other, west],
  ] as const) {
    await plan(of, id, { kind: 'lease', rate: '80', startDate: '2026-02-01' })
  }
  const broken = await site(database, installer)
  await plan(installer, broken, { rate: '1000000', startDate: '2026-02-01' })
  await made(database, installer, broken, '2026-02-01', '2026-02-28', 1_000_000)

  const logged: [level: string, fields: Record<string, unknown>][] = []
  const level = (name: string) => (fields: Record<string, unknown>) => logged.push([name, fields])
  const log = { info: level('info'), warn: level('warn') } as unknown as Log
  const at = async (now: string) => {
    logged.length = 0
    await draftInvoices(database.db, log, new Date(now), new AbortController().signal)
    return (await database.rows('select installation_id as id from invoices order by id')).map((r) => r.id)
  }
  assert.deepEqual(await at('2026-03-01T04:59:59Z'), [])
  assert.equal(logged.length, 0)
  assert.deepEqual(await at('2026-03-01T05:00:00Z'), [east])
  assert.deepEqual(await at('2026-03-01T07:59:59Z'), [east])
  assert.deepEqual(await at('2026-03-01T08:00:00Z'), [east, west])
  assert.deepEqual(
    logged.map(([name]) => name),
    ['info', 'warn'],
  )
  assert.deepEqual([logged[0]![1].drafted, logged[1]![1].installationId], [1, broken])
  assert.deepEqual(await at('2026-03-02T08:00:00Z'), [east, west])
})
