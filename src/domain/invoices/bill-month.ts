import { isDeepStrictEqual } from 'node:util'
import type { Database, Db } from '../../platform/db.ts'
import { dayIn } from '../companies/company.ts'
import { lockTenant } from '../companies/queries.ts'
import type { Actor } from '../context.ts'
import { recordEvents } from '../events/record-events.ts'
import type { Decimal } from '../leads/lead.ts'
import { takeTimes } from '../renderings/queries.ts'
import { type ComposedMonth, composeMonth, type MonthFacts, missingDays } from './compose-month.ts'
import { newDraft } from './create-invoice.ts'
import { type Invoice, invoiceEvent } from './invoice.ts'
import {
  creditBalance,
  energyOfDays,
  findInvoiceOfMonth,
  listDrifts,
  listMonthStates,
  replaceBilledEnergy,
  setMonthState,
} from './month-queries.ts'
import { lastEndedMonth, segmentsOf } from './plan.ts'
import { findPlan, type PlannedSite } from './plan-queries.ts'
import { insertInvoice, updateInvoice } from './queries.ts'

/** What came of one month of one installation. */
export interface MonthOutcome {
  installerId: string
  installationId: string
  /** As YYYY-MM. */
  month: string
  outcome: 'drafted' | 'redrafted' | 'unchanged' | 'held' | 'skipped' | 'failed'
  invoiceId: string | null
  amountDue: Decimal | null
  detail: string | null
}

type Decision =
  | { outcome: 'skipped' | 'unchanged'; detail: string; invoice: Invoice | null }
  | { outcome: 'held'; detail: string; known: boolean }
  | { outcome: 'drafted'; composed: ComposedMonth; planned: PlannedSite; period: [string, string] }
  | { outcome: 'redrafted'; composed: ComposedMonth; next: Invoice }

/**
 * Bills one month of one plan, once: makes its draft, makes the draft anew where nobody changed it and the energy,
 * the plan or earlier months did, or holds it back while days are missing. Decided first without the tenant's lock,
 * so that a run which finds nothing to do holds nobody up.
 */
export async function billMonth(
  db: Database,
  now: Date,
  planned: PlannedSite,
  month: string,
): Promise<MonthOutcome> {
  const first = await decide(db, now, planned, month)
  if (!writes(first)) return report(planned, month, first, null)
  return db.transaction(async (tx) => {
    await lockTenant(tx, planned.plan.installerId)
    const plan = await findPlan(tx, planned.plan.installerId, planned.plan.installationId)
    if (!plan) {
      return report(planned, month, { outcome: 'skipped', detail: 'the plan is gone', invoice: null }, null)
    }
    const decision = await decide(tx, now, { ...planned, plan }, month)
    return report(planned, month, decision, await carryOut(tx, now, planned, month, decision))
  })
}

function writes(decision: Decision): boolean {
  if (decision.outcome === 'held') return !decision.known
  return decision.outcome === 'drafted' || decision.outcome === 'redrafted'
}

async function decide(db: Db, now: Date, planned: PlannedSite, month: string): Promise<Decision> {
  const { plan, site } = planned
  const skipped = (detail: string, invoice: Invoice | null = null): Decision => ({
    outcome: 'skipped',
    detail,
    invoice,
  })
  if (month > lastEndedMonth(dayIn(site.timezone, now)))
    return skipped(`the month has not ended in ${site.timezone}`)
  const segments = segmentsOf(plan, month)
  if (segments.length === 0) return skipped(`the plan begins on ${plan.startDate}`)

  const invoice = await findInvoiceOfMonth(db, plan, month)
  if (invoice && invoice.status !== 'draft') {
    return skipped(`billed by invoice ${invoice.number}, which is ${invoice.status}`, invoice)
  }
  if (invoice?.edited) return skipped('its draft was changed by hand', invoice)

  const period: [string, string] = [segments[0]!.firstDay, segments.at(-1)!.lastDay]
  const without = invoice?.id ?? ''
  const facts: MonthFacts = {
    plan,
    segments,
    energy: await energyOfDays(db, plan, ...period),
    drifts: await listDrifts(db, plan, plan.currency, without),
    balance: await creditBalance(db, plan, plan.currency, without),
  }
  const missing = missingDays(facts)
  if (missing.length > 0 && invoice) {
    return { outcome: 'unchanged', detail: reasonOf(missing), invoice }
  }
  if (missing.length > 0) {
    const states = await listMonthStates(db, plan)
    const before = states.find((state) => state.month === month)
    const detail = reasonOf(missing)
    return { outcome: 'held', detail, known: before?.state === 'held' && before.reason === detail }
  }
  const composed = composeMonth(facts)
  if (!invoice) return { outcome: 'drafted', composed, planned, period }
  const next = { ...invoice, ...contentOf(planned, composed, period) }
  if (isDeepStrictEqual(next, invoice)) {
    return { outcome: 'unchanged', detail: 'its draft says the same', invoice }
  }
  return { outcome: 'redrafted', composed, next: { ...next, version: invoice.version + 1 } }
}

const shownDays = 5

function reasonOf(missing: string[]): string {
  const more = missing.length > shownDays ? ` and ${missing.length - shownDays} more` : ''
  return `no readings on ${missing.slice(0, shownDays).join(', ')}${more}`
}

/** What a draft of the month says. */
function contentOf({ plan }: PlannedSite, composed: ComposedMonth, [start, end]: [string, string]) {
  const { lineItems, amountDue, carryIn, carryOut } = composed
  return {
    currency: plan.currency,
    customer: plan.customer,
    paymentTermDays: plan.paymentTermDays,
    periodStart: start,
    periodEnd: end,
    lineItems,
    amountDue,
    carryIn,
    carryOut,
  }
}

async function carryOut(
  tx: Db,
  now: Date,
  { plan, site }: PlannedSite,
  month: string,
  decision: Decision,
): Promise<Invoice | null> {
  if (!writes(decision)) return null
  if (decision.outcome === 'held') {
    await setMonthState(tx, plan, { month, state: 'held', reason: decision.detail }, now)
    return null
  }
  if (decision.outcome === 'redrafted') {
    await updateInvoice(tx, decision.next)
    await replaceBilledEnergy(tx, decision.next, decision.composed.energy)
    return decision.next
  }
  if (decision.outcome !== 'drafted') return null
  const { composed, planned, period } = decision
  const at = await takeTimes(tx, plan.installerId, now, 1)
  const invoice: Invoice = {
    ...newDraft(plan.installerId, site.companyId, at),
    installationId: site.id,
    dueDate: null,
    ...contentOf(planned, composed, period),
    billingMonth: month,
  }
  await insertInvoice(tx, invoice)
  await replaceBilledEnergy(tx, invoice, composed.energy)
  await setMonthState(tx, plan, { month, state: 'drafted', reason: null }, at)
  await recordEvents(tx, runActor(planned), at, [invoiceEvent('invoice.created', invoice)])
  return invoice
}

function runActor({ plan, site }: PlannedSite): Actor {
  return {
    kind: 'job',
    id: null,
    name: 'Monthly invoices',
    installerId: plan.installerId,
    companyId: site.companyId,
    companyKind: 'installer',
    canWrite: true,
  }
}

function report(
  { plan }: PlannedSite,
  month: string,
  decision: Decision,
  written: Invoice | null,
): MonthOutcome {
  const invoice = written ?? ('invoice' in decision ? decision.invoice : null)
  return {
    installerId: plan.installerId,
    installationId: plan.installationId,
    month: month.slice(0, 7),
    outcome: decision.outcome,
    invoiceId: invoice?.id ?? null,
    amountDue: invoice?.amountDue ?? null,
    detail: 'detail' in decision ? decision.detail : null,
  }
}
