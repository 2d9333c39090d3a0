import { Big } from 'big.js'
import { dayInWords } from '../../kernel/days.ts'
import type { Decimal } from '../../kernel/money.ts'
import { amountOf, cents, kwhOf, numberInWords, sumOf } from '../../kernel/money.ts'
import type { LineItem } from '../invoices/invoice.ts'
import { totalOf } from '../invoices/line-items.ts'
import { type BillingPlan, daysBetween, type Segment } from '../plans/plan.ts'

/** Days that a finalised invoice bills, with what was measured by now and what is billed already. */
export interface Drift extends Segment {
  measured: number
  billed: number
  /** How much of what is billed was estimated. */
  estimated: number
}

export interface BilledEnergy extends Segment {
  trueUp: boolean
  microkwh: number
  /** How much of it was not measured; below zero where an estimate is taken back. */
  estimatedMicrokwh: number
}

export interface ComposedMonth {
  lineItems: LineItem[]
  amountDue: Decimal
  energy: BilledEnergy[]
  carryIn: Decimal
  carryOut: Decimal
}

export interface MonthFacts {
  plan: BillingPlan
  segments: readonly Segment[]
  /** Millionths of a kWh by day, of the days that have readings. */
  energy: ReadonlyMap<string, number>
  /** Where an estimate is billed: how much more than was measured, as a part of it, and how much came in. */
  estimate: { missingPart: (segment: Segment) => number; percent: number } | null
  drifts: readonly Drift[]
  /** Credit that earlier invoices left over; below zero what they credited too much. */
  balance: Decimal
}

/** A month's invoice: what the plan asks, true-ups of earlier months, and credit; never below zero. */
export function composeMonth(facts: MonthFacts): ComposedMonth {
  const base = facts.plan.kind === 'ppa' ? energyLines(facts) : leaseLines(facts)
  const trueUps = trueUpLines(facts.drifts)
  const lines = [...base.lines, ...trueUps.lines]
  const carryIn = cents(facts.balance)
  if (!new Big(carryIn).eq(0)) {
    const credit = new Big(carryIn).gt(0)
    const description = credit
      ? 'Credit carried over from earlier invoices'
      : 'Correction of an earlier credit'
    lines.push(oneTimeLine(description, cents(new Big(carryIn).neg())))
  }
  const sum = sumOf(lines.map((line) => line.amount))
  const carryOut = new Big(sum).lt(0) ? cents(new Big(sum).neg()) : '0.00'
  if (carryOut !== '0.00') lines.push(oneTimeLine(creditText(facts), carryOut))
  return {
    lineItems: lines,
    amountDue: totalOf(lines),
    energy: [...base.energy, ...trueUps.energy],
    carryIn,
    carryOut,
  }
}

/** After the end of its plan an invoice may be the last. */
function creditText({ plan, segments }: MonthFacts): string {
  return segments.length > 0 && plan.endedAt === null
    ? 'Credit carried over to the next invoice'
    : 'Credit balance'
}

function energyLines({ segments, energy, estimate }: MonthFacts) {
  const lines: LineItem[] = []
  const billed = segments.map((segment): BilledEnergy => {
    const days = daysBetween(segment.firstDay, segment.lastDay)
    const measured = days.reduce((sum, day) => sum + (energy.get(day) ?? 0), 0)
    const estimatedMicrokwh = estimate ? Math.round(measured * estimate.missingPart(segment)) : 0
    lines.push(kwhLine(`Solar energy, ${daysText(segment)}`, measured, segment.rate))
    if (estimate) {
      const why = `${estimate.percent}% of readings received; trued up when the rest arrive`
      lines.push(
        kwhLine(`Estimated solar energy, ${daysText(segment)} (${why})`, estimatedMicrokwh, segment.rate),
      )
    }
    return { ...segment, trueUp: false, microkwh: measured + estimatedMicrokwh, estimatedMicrokwh }
  })
  return { lines, energy: billed }
}

/** A part of a month costs its days' share, shown as one part: days by a price a day would not multiply out. */
function leaseLines({ segments }: MonthFacts) {
  const lines = segments.map((segment) => {
    const days = daysBetween(segment.firstDay, segment.lastDay).length
    const { daysInMonth } = Temporal.PlainDate.from(segment.firstDay)
    if (days === daysInMonth) return line(`Solar lease, ${daysText(segment)}`, '1', 'month', segment.rate)
    const share = cents(new Big(segment.rate).times(days).div(daysInMonth))
    const of = `${days} of ${daysInMonth} days at ${cents(segment.rate)} per month`
    return line(`Solar lease, ${daysText(segment)} (${of})`, '1', 'partial month', share)
  })
  return { lines, energy: [] as BilledEnergy[] }
}

/** What comes to less than half a cent is left until it comes to more. */
function trueUpLines(drifts: readonly Drift[]) {
  const billed = drifts
    .map(({ measured, billed, estimated, firstDay, lastDay, rate }) => {
      const segment: Segment = { firstDay, lastDay, rate: new Big(rate).toFixed() }
      return { segment, measured, billed, estimated, microkwh: measured - billed }
    })
    .filter(({ microkwh, segment }) => !new Big(amountOf(kwhOf(microkwh), segment.rate)).eq(0))
  const lines = billed.map((b) =>
    kwhLine(
      `True-up, ${daysText(b.segment)}: ${energyText(b.measured)} kWh measured, ${energyText(b.billed)} kWh billed before`,
      b.microkwh,
      b.segment.rate,
    ),
  )
  const energy = billed.map(
    (b): BilledEnergy => ({
      ...b.segment,
      trueUp: true,
      microkwh: b.microkwh,
      estimatedMicrokwh: -b.estimated,
    }),
  )
  return { lines, energy }
}

/** As a customer reads it: Oct 1, 2026 – Oct 31, 2026. */
const daysText = ({ firstDay, lastDay }: Segment) => `${dayInWords(firstDay)} – ${dayInWords(lastDay)}`
/** To a hundredth: the line itself is exact. */
const energyText = (microkwh: number) => numberInWords(new Big(kwhOf(microkwh)).toFixed(2))
const kwhLine = (description: string, microkwh: number, rate: Decimal) =>
  line(description, kwhOf(microkwh), 'kWh', rate)
const oneTimeLine = (description: string, amount: Decimal) => line(description, '1', 'credit', amount)

function line(description: string, quantity: Decimal, unit: string, unitPrice: Decimal): LineItem {
  return { description, quantity, unit, unitPrice, amount: amountOf(quantity, unitPrice) }
}
