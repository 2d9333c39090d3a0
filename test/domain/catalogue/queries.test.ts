import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { checkCatalogueRenderings, listAdders, listEquipment } from '../../../src/domain/catalogue/queries.ts'
import { createTestDatabase } from '../../support/database.ts'
import { adder, createWorld, equipment } from '../../support/factories.ts'

const database = await createTestDatabase()
const world = await createWorld(database.db)
const installerId = world.installer.company.id
after(() => database.drop())

test('what is stored is what would be rendered; what went stale is found and mended', async () => {
  const made = await adder(world.installer, 1, { unitPrice: '0.15', unit: 'perWatt', warrantyYears: 10 })
  const described = { manufacturer: 'Helio', model: null, default: true, warrantyYears: 25 }
  await equipment(world.installer, 1, {
    kind: 'panel',
    watts: '420',
    efficiencyPercent: '21.4',
    ...described,
  })
  await equipment(world.installer, 2, {
    kind: 'inverter',
    ratedOutputWatts: '7600',
    efficiencyPercent: null,
    microinverter: false,
    ...described,
  })
  await equipment(world.installer, 3, {
    kind: 'battery',
    capacityKwh: '13.5',
    continuousOutputWatts: null,
    ...described,
  })
  assert.deepEqual(await checkCatalogueRenderings(database.db, installerId, false), { checked: 4, stale: [] })

  const before = [
    await listAdders(database.db, { installerId }),
    await listEquipment(database.db, { installerId, kind: null }),
  ]
  await database.rows(`update adders set rendering = '{}' where id = $1`, [made.id])
  await database.rows(`update equipment set rendering = '{}' where kind = 'battery'`)
  assert.equal((await checkCatalogueRenderings(database.db, installerId, false)).stale.length, 2)
  assert.equal((await checkCatalogueRenderings(database.db, installerId, true)).stale.length, 2)
  assert.deepEqual((await checkCatalogueRenderings(database.db, installerId, false)).stale, [])
  const mended = [
    await listAdders(database.db, { installerId }),
    await listEquipment(database.db, { installerId, kind: null }),
  ]
  assert.deepEqual(mended, before)
})
