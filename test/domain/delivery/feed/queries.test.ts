import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grow } from '../../../../bench/growth/grow.ts'
import { createGrowthTenant } from '../../../../bench/growth/tenant.ts'
import { readEvents } from '../../../../src/domain/delivery/feed/queries.ts'
import { oneServerOnly } from '../../../support/citus.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { atFileEnd } from '../../../support/endings.ts'
import { withGenericPlans } from '../../../support/generic-plans.ts'

test('what is of some types is read along their index, however few the statistics take them for', {
  skip: oneServerOnly(),
}, async () => {
  const database = await createTestDatabase()
  atFileEnd(() => database.drop())
  const { installerId, dealerId } = await growTenant(database)
  const explaining = await withGenericPlans(database.db, database.url)
  for (const companyId of [null, dealerId])
    for (const moreTypes of [[], ['file.deleted', 'lead.updated']]) {
      const from = { at: '-infinity', ordinal: 0, type: 'note.created', moreTypes, limit: 50 }
      await readEvents(explaining.db, { installerId, companyId, ...from })
      const plan = explaining.plans.pop()!
      const index = companyId ? 'webhook_messages_of_dealers_by_type' : 'webhook_messages_by_type'
      const used = plan.match(/(?<=Index Scan using )webhook_messages\w*/g)
      assert.deepEqual(used, Array(1 + moreTypes.length).fill(index), plan)
    }
  await explaining.close()
})

async function growTenant({ db, url, rows }: Awaited<ReturnType<typeof createTestDatabase>>) {
  const tenant = await createGrowthTenant(db)
  await grow(url, tenant, 0, 5_000, { tables: ['webhook_messages'] })
  // As if every event were of the same type: then the log itself would do as well.
  await rows('alter table webhook_messages alter column type set (n_distinct = 1)')
  await rows('analyze webhook_messages')
  return tenant
}
