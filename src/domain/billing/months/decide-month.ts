import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../platform/db.ts'
import { dayIn, dayInWords } from '../../kernel/days.ts'
import { erasedName } from '../../kernel/name.ts'
import type { CreditUse } from '../credits/credit.ts'
import { creditFor } from '../credits/use-credit.ts'
import type { Invoice } from '../invoices/invoice.ts'
import { lastEndedMonth, monthOf, segmentsUntil } from '../plans/plan.ts'
import type { PlannedInstallation } from '../plans/plan-queries.ts'
import { type ComposedMonth, composeMonth, type MonthFacts } from './compose-month.ts'
import { readMonthData, settledDrifts } from './month-data.ts'
import { energyOfDays, findCreditBalance, findInvoiceOfMonth, findMonthState } from './month-queries.ts'

/** First and last day. */
type Period = [string, string] | [null, null]

export type Decision =
  | { outcome: 'skipped' | 'unchanged'; detail: string; invoice: Invoice | null }
  | { outcome: 'held'; detail: string; known: boolean }
  | { outcome: 'drafted'; composed: ComposedMonth; content: MonthContent; uses: CreditUse[] }
  | { outcome: 'redrafted'; composed: ComposedMonth; invoice: Invoice; next: Invoice; uses: CreditUse[] }
  | { outcome: 'withdrawn'; detail: string; invoice: Invoice }

/** What a run does with a month of a plan, as things are. */
export async function decideMonth(
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
