import type { Database, Db } from '../../../platform/db.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Decimal } from '../../kernel/money.ts'
import { lockTenant, takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { judgeStored } from '../../sites/energy/judge-stored.ts'
import { dayOf } from '../../sites/energy/local-time.ts'
import { takeCredit } from '../credits/use-credit.ts'
import { newDraft } from '../invoices/create-invoice.ts'
import { withdrawDraft } from '../invoices/delete-draft.ts'
import { type Invoice, invoiceEvent } from '../invoices/invoice.ts'
import { insertInvoice, updateInvoice } from '../invoices/queries.ts'
import { findAnyPlan, type PlannedInstallation } from '../plans/plan-queries.ts'
import { type Decision, decideMonth } from './decide-month.ts'
import { deleteMonthState, replaceBilledEnergy, setMonthState } from './month-queries.ts'

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
    const { invoice, uses } = decision
    const next = { ...decision.next, updatedAt: at }
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
