import { type Actors, adder, equipment } from './factories.ts'

/** Fills an installer's catalogue with something of every kind, and gives it all. */
export async function stock(installer: Actors) {
  const panel = await equipment(installer, 1, {
    kind: 'panel',
    manufacturer: 'Helianth',
    model: 'HX-410',
    default: true,
    watts: '410',
    efficiencyPercent: '21.2',
    warrantyYears: 25,
  })
  const inverter = await equipment(installer, 2, {
    kind: 'inverter',
    manufacturer: 'Lumenode',
    model: 'LN8',
    default: true,
    ratedOutputWatts: '366',
    efficiencyPercent: '97.5',
    microinverter: true,
    warrantyYears: 25,
  })
  const battery = await equipment(installer, 3, {
    kind: 'battery',
    manufacturer: 'Voltessa',
    model: 'Cellar 10',
    default: true,
    capacityKwh: '10.1',
    continuousOutputWatts: '5000',
    warrantyYears: 10,
  })
  const retired = await equipment(
    installer,
    4,
    { ...panel, id: 'eqp_retired0001', model: 'Old' } as never,
    false,
  )
  const guard = await adder(installer, 1, { unitPrice: '42.00' })
  const ground = await adder(installer, 2, {
    name: 'Ground mount',
    unit: 'perWatt',
    unitPrice: '0.65',
    tiered: true,
    tiers: [
      { from: '8000', unitPrice: '0.58' },
      { from: '12000', unitPrice: '0.52' },
    ],
  })
  const trench = await adder(installer, 3, { name: 'Trenching', unit: 'perFoot', unitPrice: '38.005' })
  const panelUpgrade = await adder(installer, 4, { name: 'Panel upgrade', unit: 'flat', unitPrice: '2850' })
  const thermostat = await adder(installer, 5, {
    name: 'Thermostat',
    unit: 'each',
    unitPrice: '249',
    repSponsored: true,
  })
  await adder(installer, 6, { name: 'No more' }, false)
  const roof = await adder(installer, 7, {
    name: 'Roof',
    productLine: 'hi',
    productKind: 'roofing',
    unit: 'perSquareFoot',
    unitPrice: '6.75',
    tiered: true,
    tiers: [{ from: '1500', unitPrice: '6.45' }],
  })
  const permit = await adder(installer, 8, {
    name: 'Permit',
    productLine: 'hi',
    unit: 'flat',
    unitPrice: '650',
  })
  return { panel, inverter, battery, retired, guard, ground, trench, panelUpgrade, thermostat, roof, permit }
}
