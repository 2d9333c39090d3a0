import assert from 'node:assert/strict'
import { test } from 'node:test'
import { none, startMoving } from '../../../support/moving.ts'

const { database, moving } = await startMoving()

test('a default that is here stays the default, and what has no watts is no panel', async () => {
  const panels: object[] = [
    { brand: 'Qcells', model: 'First', wattage: '410.005', default: true },
    { brand: 'Qcells', model: 'Second', wattage: 420, default: true },
    { brand: 'Tiny', model: 'Panel', wattage: '0.0000000001', default: true },
    { brand: 'Kilo', model: 'Watts', wattage: '0.4 kW' },
  ]
  const { pull, company } = await moving((operation) => {
    if (operation === 'fetch_all_panel') return panels
    if (operation === 'fetch_all_inverter')
      return [{ brand: 'En\x1b[31mphase', model: 'IQ8', watts: '0.00001', default: 'yes' }]
    return none
  })
  const stored = () =>
    database.rows<{ name: string; default: boolean; watts: string | null }>(
      `select concat_ws(' ', manufacturer, model) as name, is_default as default, watts::float8::text as watts
        from equipment where installer_id = $1 order by kind desc, name`,
      [company.id],
    )
  const foreseen = await pull({ dryRun: true })
  const { catalogue } = await pull()
  assert.deepEqual(foreseen.catalogue, catalogue)
  assert.deepEqual(catalogue.fetch_all_panel, {
    made: 2,
    known: 0,
    refused: ['Tiny Panel', 'Kilo Watts'].map((name) => ({
      name,
      message: 'watts: a panel has some, such as 410',
    })),
    moreRefused: 0,
  })
  const expected = [
    { name: 'Qcells First', default: true, watts: '410.01' },
    { name: 'Qcells Second', default: false, watts: '420' },
    { name: 'En [31mphase IQ8', default: true, watts: null },
  ]
  assert.deepEqual(await stored(), expected)

  panels.push({ brand: 'Qcells', model: 'Third', wattage: 430, default: true })
  await pull()
  assert.deepEqual(
    await stored(),
    expected.toSpliced(2, 0, { name: 'Qcells Third', default: false, watts: '430' }),
  )
})
