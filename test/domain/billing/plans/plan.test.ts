import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMonth, type MonthFacts } from '../../../../src/domain/billing/months/compose-month.ts'
import {
  type BillingPlan,
  daysBetween,
  lastEndedMonth,
  segmentsOf,
} from '../../../../src/domain/billing/plans/plan.ts'

const ppa: BillingPlan = {
  installerId: 'comp_1',
  installationId: 'inst_1',
  kind: 'ppa',
  rate: '0.1',
  escalatorPercent: '10',
  startDate: '2024-02-29',
  currency: 'USD',
  customer: { name: 'Ada', email: null, address: null },
  paymentTermDays: 30,
  completenessPercent: '95',
  createdAt: new Date(0),
  endedAt: null,
  updatedAt: new Date(0),
}
const parts = (plan: BillingPlan, month: string) =>
  segmentsOf(plan, month).map((s) => [s.firstDay, s.lastDay, s.rate])

test('a month is billed from the plan’s start on', () => {
  assert.deepEqual(parts(ppa, '2024-01-01'), [])
  assert.deepEqual(parts(ppa, '2024-02-01'), [['2024-02-29', '2024-02-29', '0.1']])
  assert.deepEqual(parts(ppa, '2024-03-01'), [['2024-03-01', '2024-03-31', '0.1']])
})

test('the rate changes on the anniversary: of 29 February on the 28th, except in leap years', () => {
  assert.deepEqual(parts(ppa, '2025-02-01'), [
    ['2025-02-01', '2025-02-27', '0.1'],
    ['2025-02-28', '2025-02-28', '0.11'],
  ])
  assert.deepEqual(parts(ppa, '2025-03-01'), [['2025-03-01', '2025-03-31', '0.11']])
  assert.deepEqual(parts(ppa, '2028-02-01'), [
    ['2028-02-01', '2028-02-28', '0.1331'],
    ['2028-02-29', '2028-02-29', '0.14641'],
  ])
  const firstOfMonth = { ...ppa, startDate: '2025-07-01' }
  assert.deepEqual(parts(firstOfMonth, '2026-06-01'), [['2026-06-01', '2026-06-30', '0.1']])
  assert.deepEqual(parts(firstOfMonth, '2026-07-01'), [['2026-07-01', '2026-07-31', '0.11']])
  const yearEnd = { ...ppa, startDate: '2025-12-31' }
  assert.deepEqual(parts(yearEnd, '2026-12-01'), [
    ['2026-12-01', '2026-12-30', '0.1'],
    ['2026-12-31', '2026-12-31', '0.11'],
  ])
  assert.equal(parts({ ...yearEnd, escalatorPercent: '0' }, '2026-12-01').length, 1)
})

test('days of a month and the last month that has ended', () => {
  assert.equal(daysBetween('2024-02-01', '2024-02-29').length, 29)
  assert.equal(lastEndedMonth('2026-03-01'), '2026-02-01')
  assert.equal(lastEndedMonth('2026-01-31'), '2025-12-01')
})

const facts = (plan: BillingPlan, month: string, more: Partial<MonthFacts> = {}): MonthFacts => {
  const segments = segmentsOf(plan, month)
  const days = segments.flatMap((s) => daysBetween(s.firstDay, s.lastDay))
  return {
    plan,
    segments,
    energy: new Map(days.map((day) => [day, 10_000_000])),
    estimate: null,
    drifts: [],
    balance: '0',
    ...more,
  }
}
const lines = (f: MonthFacts) =>
  composeMonth(f).lineItems.map((l) => [l.quantity, l.unit, l.unitPrice, l.amount])

test('energy is billed by the days of each rate', () => {
  assert.deepEqual(lines(facts(ppa, '2025-02-01')), [
    ['270', 'kWh', '0.1', '27.00'],
    ['10', 'kWh', '0.11', '1.10'],
  ])
})

test('an estimate is a line of its own, named as one, and billed energy says how much of it is', () => {
  const estimate = { missingPart: () => 0.25, percent: 80 }
  const composed = composeMonth(facts(ppa, '2024-03-01', { estimate }))
  assert.deepEqual(
    composed.lineItems.map((l) => [l.description, l.quantity, l.amount]),
    [
      ['Solar energy, Mar 1, 2024 – Mar 31, 2024', '310', '31.00'],
      [
        'Estimated solar energy, Mar 1, 2024 – Mar 31, 2024 (80% of readings received; trued up when the rest arrive)',
        '77.5',
        '7.75',
      ],
    ],
  )
  assert.deepEqual(
    composed.energy.map(({ microkwh, estimatedMicrokwh }) => [microkwh, estimatedMicrokwh]),
    [[387_500_000, 77_500_000]],
  )
})

test('a lease is billed by the month, its first part by its days', () => {
  const lease: BillingPlan = { ...ppa, kind: 'lease', rate: '100', startDate: '2026-10-15' }
  assert.deepEqual(lines(facts(lease, '2026-10-01')), [['1', 'partial month', '54.84', '54.84']])
  assert.match(
    composeMonth(facts(lease, '2026-10-01')).lineItems[0]!.description,
    /17 of 31 days at 100\.00 per month/,
  )
  assert.deepEqual(lines(facts(lease, '2026-11-01')), [['1', 'month', '100', '100.00']])
  assert.deepEqual(lines(facts(lease, '2027-10-01')), [
    ['1', 'partial month', '45.16', '45.16'],
    ['1', 'partial month', '60.32', '60.32'],
  ])
  assert.deepEqual(lines(facts({ ...lease, startDate: '2024-02-29' }, '2024-02-01')), [
    ['1', 'partial month', '3.45', '3.45'],
  ])
})

const drift = { firstDay: '2024-03-01', lastDay: '2024-03-31', rate: '0.100000', estimated: 0 }

test('true-ups are charged or credited at their own rate; what comes to no cent waits', () => {
  const charge = composeMonth(
    facts(ppa, '2024-04-01', { drifts: [{ ...drift, measured: 320_000_000, billed: 310_000_000 }] }),
  )
  assert.deepEqual([charge.lineItems[1]!.quantity, charge.lineItems[1]!.amount], ['10', '1.00'])
  assert.match(charge.lineItems[1]!.description, /320 kWh measured, 310 kWh billed before/)
  assert.equal(charge.amountDue, '31.00')
  assert.deepEqual(
    charge.energy.map((e) => [e.firstDay, e.trueUp, e.microkwh]),
    [
      ['2024-04-01', false, 300_000_000],
      ['2024-03-01', true, 10_000_000],
    ],
  )
  const tiny = { ...drift, measured: 310_049_999, billed: 310_000_000 }
  assert.equal(composeMonth(facts(ppa, '2024-04-01', { drifts: [tiny] })).lineItems.length, 1)
})

test('a credit larger than the month makes it zero and is carried over', () => {
  const drifts = [{ ...drift, measured: 0, billed: 500_000_000 }]
  const first = composeMonth(facts(ppa, '2024-04-01', { drifts }))
  assert.deepEqual([first.amountDue, first.carryIn, first.carryOut], ['0.00', '0.00', '20.00'])
  const second = composeMonth(facts(ppa, '2024-05-01', { balance: first.carryOut }))
  assert.deepEqual([second.amountDue, second.carryIn, second.carryOut], ['11.00', '20.00', '0.00'])
  const owed = composeMonth(facts(ppa, '2024-05-01', { balance: '-5.00' }))
  assert.deepEqual([owed.amountDue, owed.carryIn], ['36.00', '-5.00'])
})
