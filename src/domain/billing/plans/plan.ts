import { Big } from 'big.js'
import type { Decimal } from '../../kernel/money.ts'
import { finePlaces } from '../../kernel/money.ts'
import type { BilledCustomer } from '../invoices/invoice.ts'

export const planKinds = ['ppa', 'lease'] as const
export type PlanKind = (typeof planKinds)[number]

/** What an installation's customer pays: for each kWh, or each month. */
export interface BillingPlan {
  installerId: string
  installationId: string
  kind: PlanKind
  /** In the first year. */
  rate: Decimal
  /** By how much the rate grows on each anniversary of the start. */
  escalatorPercent: Decimal
  startDate: string
  currency: string
  customer: BilledCustomer
  paymentTermDays: number
  /** A month of which less than this came in is held. */
  completenessPercent: Decimal
  createdAt: Date
  updatedAt: Date
  /** It bills no more, and is kept for what is trued up after it. */
  endedAt: Date | null
}

/** How a month is billed of which readings are missing. */
export const billAs = ['measured', 'estimate'] as const
export type BillAs = (typeof billAs)[number]

/** A month that is not billed yet, and why. */
export interface HeldMonth {
  month: string
  reason: string
}

/** As the catalogue API reads it. */
export function planRecord(plan: BillingPlan, held: readonly HeldMonth[]) {
  return {
    installation_id: plan.installationId,
    kind: plan.kind,
    rate: Number(plan.rate),
    escalator_percent: Number(plan.escalatorPercent),
    start_date: plan.startDate,
    currency: plan.currency,
    customer: { name: plan.customer.name, email: plan.customer.email, address: plan.customer.address },
    payment_term_days: plan.paymentTermDays,
    completeness_percent: Number(plan.completenessPercent),
    held_months: held.map(({ month, reason }) => ({ month: month.slice(0, 7), reason })),
    created_at: plan.createdAt.toISOString(),
    updated_at: plan.updatedAt.toISOString(),
  }
}

/**
 * The rate after so many anniversaries, always from the first one, so that roundings do not add up. What is
 * billed is the rounded one: a customer who multiplies the line gets its amount.
 */
export function rateAfter(
  plan: Pick<BillingPlan, 'kind' | 'rate' | 'escalatorPercent'>,
  years: number,
): Decimal {
  const growth = new Big(plan.escalatorPercent).div(100).plus(1).pow(years)
  const places = plan.kind === 'ppa' ? finePlaces : 2
  return new Big(new Big(plan.rate).times(growth).toFixed(places, Big.roundHalfUp)).toFixed()
}

/** Days that are billed at one rate, both ends included. */
export interface Segment {
  firstDay: string
  lastDay: string
  rate: Decimal
}

/** A month as the plan bills it until a day: to its end, or to the last day of a plan that has ended. */
export function segmentsUntil(plan: BillingPlan, month: string, lastDay: string | null): Segment[] {
  const segments = segmentsOf(plan, month)
  if (lastDay === null) return segments
  return segments
    .filter(({ firstDay }) => firstDay <= lastDay)
    .map((segment) => (segment.lastDay <= lastDay ? segment : { ...segment, lastDay }))
}

/** A month as the plan bills it: from its start on, in two parts where its anniversary changes the rate within. */
export function segmentsOf(plan: BillingPlan, month: string): Segment[] {
  const first = Temporal.PlainDate.from(month)
  const last = first.with({ day: first.daysInMonth })
  const start = Temporal.PlainDate.from(plan.startDate)
  if (Temporal.PlainDate.compare(start, last) > 0) return []
  const from = Temporal.PlainDate.compare(start, first) > 0 ? start : first
  // Of a 29 February the anniversary is 28 February where there is no other.
  let years = from.year - start.year
  if (Temporal.PlainDate.compare(start.add({ years }), from) > 0) years -= 1
  const rate = rateAfter(plan, years)
  const anniversary = start.add({ years: years + 1 })
  const nextRate = rateAfter(plan, years + 1)
  if (Temporal.PlainDate.compare(anniversary, last) > 0 || nextRate === rate) {
    return [{ firstDay: from.toString(), lastDay: last.toString(), rate }]
  }
  return [
    { firstDay: from.toString(), lastDay: anniversary.subtract({ days: 1 }).toString(), rate },
    { firstDay: anniversary.toString(), lastDay: last.toString(), rate: nextRate },
  ]
}

/** The first day of a day's month. */
export function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/** The first day of the last month that has ended by a day. */
export function lastEndedMonth(today: string): string {
  return Temporal.PlainDate.from(today).with({ day: 1 }).subtract({ months: 1 }).toString()
}

export function daysBetween(firstDay: string, lastDay: string): string[] {
  const days: string[] = []
  const last = Temporal.PlainDate.from(lastDay)
  for (let day = Temporal.PlainDate.from(firstDay); Temporal.PlainDate.compare(day, last) <= 0; ) {
    days.push(day.toString())
    day = day.add({ days: 1 })
  }
  return days
}
