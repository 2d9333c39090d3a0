import { isDeepStrictEqual } from 'node:util'
import type { Database, Db } from '../../../platform/db.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import type { Actor } from '../../kernel/context.ts'
import { dayIn, dayInWords } from '../../kernel/days.ts'
import type { Decimal } from '../../kernel/money.ts'
import { erasedName } from '../../kernel/name.ts'
import { lockTenant, takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { judgeStored } from '../../sites/energy/judge-stored.ts'
import { dayOf } from '../../sites/energy/local-time.ts'
import type { CreditUse } from '../credits/credit.ts'
import { creditFor, takeCredit } from '../credits/use-credit.ts'
import { newDraft } from '../invoices/create-invoice.ts'
import { withdrawDraft } from '../invoices/delete-draft.ts'
import { type Invoice, invoiceEvent } from '../invoices/invoice.ts'
import { insertInvoice, updateInvoice } from '../invoices/queries.ts'
import { lastEndedMonth, monthOf, segmentsUntil } from '../plans/plan.ts'
import { findAnyPlan, type PlannedInstallation } from '../plans/plan-queries.ts'
import { type ComposedMonth, composeMonth, type MonthFacts } from './compose-month.ts'
import { readMonthData, settledDrifts } from './month-data.ts'
import {
  deleteMonthState,
  energyOfDays,
  findCreditBalance,
  findInvoiceOfMonth,
  findMonthState,
  replaceBilledEnergy,
  setMonthState,
} from './month-queries.ts'

/** What came of one month of one installation. */
export interface MonthOutcome {
  installerId: string
  installationId: string
  /** As YYYY-MM. */
  month: string
  outcome: 'drafted' | 'redrafted' | 'withdrawn' | 'unchanged' | 'held' | 'skipped' | 'failed'
  invoiceId: string | null
  amountDue: Decimal | null
  detail: string | null
}

/**
 * Bills one month of one plan, once: makes its draft, makes the draft again where nobody changed it and the energy,
 * the plan or earlier months did, or holds it back while days are missing. Decided first without the tenant's lock,
 * so that a run which finds nothing to do holds nobody up.
 */
export async function billMonth(
  db: Database,
  now: Date,
  planned: PlannedInstallation,
  month: string,
): Promise<MonthOutcome> {
  const first = await decideJudged(db, now, planned, month)
  if (!writes(first)) return report(planned, month, first, null)
  return db.transaction(async (tx) => {
    await lockTenant(tx, planned.plan.installerId)
    const plan = (await findAnyPlan(tx, planned.plan))!
    const decision = await decideMonth(tx, now, { ...planned, plan }, month)
    return report(planned, month, decision, await carryOut(tx, now, planned, month, decision))
  })
}

/** What was stored before readings were judged is judged before it is billed: nothing impossible is asked for. */
async function decideJudged(
  db: Database,
  now: Date,
  planned: PlannedInstallation,
  month: string,
): Promise<Decision> {
  const { plan, installation } = planned
  const decision = await decideMonth(db, now, planned, month)
  if (decision.outcome === 'skipped' || plan.kind !== 'ppa') return decision
  const first = dayOf(month)
  const range = { first, last: first + Temporal.PlainDate.from(month).daysInMonth - 1 }
  const judged = await judgeStored(db, plan.installerId, installation, range, now)
  return judged === 0 ? decision : decideMonth(db, now, planned, month)
}

function writes(decision: Decision): boolean {
  if (decision.outcome === 'held') return !decision.known
  return ['drafted', 'redrafted', 'withdrawn'].includes(decision.outcome)
}

async function carryOut(
  tx: Db,
  now: Date,
  planned: PlannedInstallation,
  month: string,
  decision: Decision,
): Promise<Invoice | null> {
  const { plan, installation } = planned
  if (!writes(decision)) return null
  if (decision.outcome === 'held') {
    await setMonthState(tx, { ...plan, month, state: 'held', reason: decision.detail, at: now })
    return null
  }
  const at = await takeTimes(tx, plan.installerId, now, 1)
  if (decision.outcome === 'redrafted') {
    const { invoice, next, uses } = decision
    await updateInvoice(tx, next)
    await takeCredit(tx, next, uses)
    await replaceBilledEnergy(tx, next, decision.composed.energy)
    await recordEvents(tx, runActor(planned), at, [invoiceEvent('invoice.updated', next, invoice)])
    return next
  }
  if (decision.outcome === 'withdrawn') {
    await withdrawDraft(tx, runActor(planned), at, decision.invoice)
    await deleteMonthState(tx, { ...plan, month })
    return null
  }
  if (decision.outcome !== 'drafted') return null
  const { composed, content, uses } = decision
  const invoice: Invoice = {
    ...newDraft(plan.installerId, installation.companyId, at),
    installationId: installation.id,
    dueDate: null,
    ...content,
    billingMonth: month,
  }
  await insertInvoice(tx, invoice)
  await takeCredit(tx, invoice, uses)
  await replaceBilledEnergy(tx, invoice, composed.energy)
  await setMonthState(tx, { ...plan, month, state: 'drafted', reason: null, at })
  await recordEvents(tx, runActor(planned), at, [invoiceEvent('invoice.created', invoice)])
  return invoice
}

function runActor({ plan, installation }: PlannedInstallation): Actor {
  return {
    kind: 'job',
    id: null,
    name: 'Monthly invoices',
    installerId: plan.installerId,
    companyId: installation.companyId,
    companyKind: 'installer',
    canWrite: true,
  }
}

function report(
  { plan }: PlannedInstallation,
  month: string,
  decision: Decision,
  written: Invoice | null,
): MonthOutcome {
  const there = 'invoice' in decision && decision.outcome !== 'withdrawn' ? decision.invoice : null
  const invoice = written ?? there
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

/** First and last day. */
type Period = [string, string] | [null, null]

type Decision =
  | { outcome: 'skipped' | 'unchanged'; detail: string; invoice: Invoice | null }
  | { outcome: 'held'; detail: string; known: boolean }
  | { outcome: 'drafted'; composed: ComposedMonth; content: MonthContent; uses: CreditUse[] }
  | { outcome: 'redrafted'; composed: ComposedMonth; invoice: Invoice; next: Invoice; uses: CreditUse[] }
  | { outcome: 'withdrawn'; detail: string; invoice: Invoice }

/** What a run does with a month of a plan, as things are. */
async function decideMonth(
  db: Db,
  now: Date,
  planned: PlannedInstallation,
  month: string,
): Promise<Decision> {
  const { plan, installation } = planned
  if (month > lastEndedMonth(dayIn(installation.timezone, now)))
    return skipped(`the month has not ended in ${installation.timezone}`)
  const lastDay = plan.endedAt && dayIn(installation.timezone, plan.endedAt)
  if (lastDay !== null && plan.customer.name === erasedName) return skipped('its customer was erased')
  if (lastDay !== null && month > monthOf(lastDay)) return decideClosing(db, planned, month)
  const segments = segmentsUntil(plan, month, lastDay)
  if (segments.length === 0) {
    const when = lastDay === null ? '' : ` and ended on ${dayInWords(lastDay)}`
    return skipped(`the plan starts on ${dayInWords(plan.startDate)}${when}`)
  }

  const invoice = await findInvoiceOfMonth(db, { ...plan, month })
  if (invoice && invoice.status !== 'draft') {
    return skipped(`billed by invoice ${invoice.number}, which is ${invoice.status}`, invoice)
  }
  if (invoice?.edited) return skipped('its draft was changed by hand', invoice)

  const period: [string, string] = [segments[0]!.firstDay, segments.at(-1)!.lastDay]
  const without = invoice?.id ?? ''
  const data = await readMonthData(db, plan, installation, period)
  const state = await findMonthState(db, { ...plan, month })
  if (data.lack !== null && state?.billAs == null) {
    if (invoice) return { outcome: 'unchanged', detail: data.lack, invoice }
    return {
      outcome: 'held',
      detail: data.lack,
      known: state?.state === 'held' && state.reason === data.lack,
    }
  }
  const estimated = data.lack !== null && state?.billAs === 'estimate'
  const facts: MonthFacts = {
    plan,
    segments,
    energy: await energyOfDays(db, plan, ...period),
    estimate: estimated
      ? { percent: data.percent, missingPart: (segment) => data.missingPart(segment) ?? 0 }
      : null,
    drifts: await settledDrifts(db, planned, without),
    ...(await findCreditBalance(db, { ...plan, without })),
  }
  const composed = composeMonth(facts)
  return drafted(db, planned, composed, period, invoice)
}

/**
 * A plan that has ended bills the days until then. No next invoice can settle what its earlier ones billed too much or
 * too little, or carried over: a month in which such a thing is found gets a closing invoice. It bills nothing else and
 * so has no period; what it leaves in the customer's favour becomes a credit.
 */
async function decideClosing(db: Db, planned: PlannedInstallation, month: string): Promise<Decision> {
  const { plan } = planned
  const invoice = await findInvoiceOfMonth(db, { ...plan, month })
  if (invoice && (invoice.status !== 'draft' || invoice.edited || invoice.periodStart !== null)) {
    return skipped('the plan has ended, and the month has an invoice', invoice)
  }
  const composed = composeMonth(await closingFacts(db, planned, invoice))
  if (composed.energy.length === 0 && composed.carryIn === '0.00') {
    if (!invoice) return skipped('the plan has ended, and nothing is to be trued up')
    return { outcome: 'withdrawn', detail: 'nothing is to be trued up any more', invoice }
  }
  return drafted(db, planned, composed, [null, null], invoice)
}

async function closingFacts(
  db: Db,
  planned: PlannedInstallation,
  invoice: Invoice | null,
): Promise<MonthFacts> {
  const { plan } = planned
  const without = invoice?.id ?? ''
  return {
    plan,
    segments: [],
    energy: new Map(),
    estimate: null,
    drifts: await settledDrifts(db, planned, without),
    ...(await findCreditBalance(db, { ...plan, without })),
  }
}

function skipped(detail: string, invoice: Invoice | null = null): Decision {
  return { outcome: 'skipped', detail, invoice }
}

/** A draft of the month, or the one that is there made again; what it asks for is less its customer's credits. */
async function drafted(
  db: Db,
  planned: PlannedInstallation,
  composed: ComposedMonth,
  period: Period,
  invoice: Invoice | null,
): Promise<Decision> {
  const { plan, installation } = planned
  const said = contentOf(planned, composed, period)
  const { installerId, installationId } = plan
  const companyId = invoice?.companyId ?? installation.companyId
  const credit = await creditFor(db, {
    ...said,
    installerId,
    installationId,
    companyId,
    id: invoice?.id ?? '',
  })
  const content = { ...said, ...credit.amounts }
  if (!invoice) return { outcome: 'drafted', composed, content, uses: credit.uses }
  const next = { ...invoice, ...content }
  if (isDeepStrictEqual(next, invoice)) {
    return { outcome: 'unchanged', detail: 'its draft says the same', invoice }
  }
  return {
    outcome: 'redrafted',
    composed,
    invoice,
    next: { ...next, version: invoice.version + 1 },
    uses: credit.uses,
  }
}

type MonthContent = ReturnType<typeof contentOf> & Pick<Invoice, 'creditApplied' | 'amountDue'>

/** What a draft of the month says, but for its credits. */
function contentOf({ plan }: PlannedInstallation, composed: ComposedMonth, [start, end]: Period) {
  const { lineItems, carryIn, carryOut } = composed
  return {
    currency: plan.currency,
    customer: plan.customer,
    paymentTermDays: plan.paymentTermDays,
    periodStart: start,
    periodEnd: end,
    lineItems,
    carryIn,
    carryOut,
  }
}
