import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksQuantity, fittingInverters } from '../../../../src/domain/deals/sale/fitting.ts'

test('inverters fit the panels: one each where they are small, else as many as carry them', () => {
  const panels = { count: 20, watts: 410 }
  assert.equal(fittingInverters(panels, { microinverter: true, ratedOutputWatts: 366 }), 20)
  // 8,200 W of panels on 5,000 W, which carry 6,500 W, and on 7,600 W, which carry 9,880 W.
  assert.equal(fittingInverters(panels, { microinverter: false, ratedOutputWatts: 5_000 }), 2)
  assert.equal(fittingInverters(panels, { microinverter: false, ratedOutputWatts: 7_600 }), 1)
  // What exactly carries them is enough.
  assert.equal(fittingInverters({ count: 13, watts: 400 }, { ratedOutputWatts: 4_000 }), 1)
  assert.equal(fittingInverters({ count: 14, watts: 400 }, { ratedOutputWatts: 4_000 }), 2)
  assert.equal(fittingInverters(panels, { microinverter: null, ratedOutputWatts: null }), 1)
})

test('a sale is asked how much of what the system does not measure', () => {
  assert.equal(asksQuantity('flat', 'hi'), false)
  assert.equal(asksQuantity('perPanel', 'solar'), false)
  assert.equal(asksQuantity('perWatt', 'solar'), false)
  assert.equal(asksQuantity('perFoot', 'solar'), true)
  assert.equal(asksQuantity('perPanel', 'hi'), true)
})
