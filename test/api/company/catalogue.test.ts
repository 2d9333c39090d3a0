import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Adder } from '../../../src/domain/catalogue/adder.ts'
import { startApp } from '../../support/app.ts'
import { adder, createWorld, equipment } from '../../support/factories.ts'

const app = await startApp()
const { installer, other } = await createWorld(app.database.db)
const { key } = installer

/** As the API reads it: tiers are the console's. */
function reading({ tiers, ...adder }: Adder, unitPrice: number) {
  assert.deepEqual(tiers, [])
  return { ...adder, unitPrice }
}

test("adders are the installer's active ones, in its own order, with every field", async () => {
  assert.deepEqual((await app.get('/v1/adders', key)).body, { data: [] })
  const guard = await adder(installer, 3)
  const roof = await adder(installer, 1, {
    name: 'Shingle roof',
    description: '"Best" \\ roof',
    productLine: 'hi',
    productKind: 'roofing',
    unit: 'perSquareFoot',
    unitPrice: '7.2500',
    tiered: true,
    repSponsored: true,
    showOnProposal: false,
    brand: 'GAF',
    model: 'HDZ',
    warrantyYears: 25,
  })
  const watt = await adder(installer, 2, { name: 'Steep roof', unit: 'perWatt', unitPrice: '0.0550' })
  await adder(installer, 0, { name: 'Gone' }, false)
  await adder(other, 0, { name: 'Foreign' })
  const { body } = await app.get('/v1/adders', key)
  assert.deepEqual(body, {
    data: [reading(roof, 7.25), reading(watt, 0.055), reading(guard, 35)],
  })
  assert.deepEqual(Object.keys(body.data[0] as object), [
    'id',
    'name',
    'description',
    'productLine',
    'productKind',
    'unit',
    'unitPrice',
    'tiered',
    'repSponsored',
    'showOnProposal',
    'brand',
    'model',
    'warrantyYears',
  ])
})

test('equipment has the fields of its kind and no others, and can be asked for by kind', async () => {
  const panel = await equipment(installer, 1, {
    kind: 'panel',
    manufacturer: 'Qcells',
    model: 'Q.TRON',
    default: true,
    warrantyYears: 25,
    watts: '400',
    efficiencyPercent: '21.3',
  })
  const inverter = await equipment(installer, 1, {
    kind: 'inverter',
    manufacturer: 'Enphase',
    model: null,
    default: false,
    warrantyYears: null,
    ratedOutputWatts: '290',
    efficiencyPercent: null,
    microinverter: true,
  })
  const battery = await equipment(installer, 1, {
    kind: 'battery',
    manufacturer: 'Tesla',
    model: 'Powerwall 3',
    default: true,
    warrantyYears: 10,
    capacityKwh: '13.5',
    continuousOutputWatts: '11500',
  })
  await equipment(
    installer,
    2,
    {
      kind: 'battery',
      manufacturer: 'Old',
      model: null,
      default: false,
      warrantyYears: null,
      capacityKwh: null,
      continuousOutputWatts: null,
    },
    false,
  )
  await equipment(other, 1, {
    kind: 'battery',
    manufacturer: 'Foreign',
    model: null,
    default: false,
    warrantyYears: null,
    capacityKwh: null,
    continuousOutputWatts: null,
  })
  const shown = {
    panel: { ...panel, watts: 400, efficiencyPercent: 21.3 },
    inverter: { ...inverter, ratedOutputWatts: 290 },
    battery: { ...battery, capacityKwh: 13.5, continuousOutputWatts: 11500 },
  }
  assert.deepEqual((await app.get('/v1/equipment', key)).body, { data: Object.values(shown) })
  for (const [kind, item] of Object.entries(shown)) {
    assert.deepEqual((await app.get(`/v1/equipment?kind=${kind}`, key)).body, { data: [item] })
  }
})
