import { DatabaseUnavailable } from '../../../platform/database-errors.ts'
import type { Database } from '../../../platform/db.ts'
import { dayIn } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { requireCompany } from '../../kernel/tenant/require-company.ts'
import { billMonth, type MonthOutcome } from '../months/bill-month.ts'
import { lastEndedMonth, monthOf } from '../plans/plan.ts'
import { type ListedPlan, listPlansAfter, type PlannedInstallation } from '../plans/plan-queries.ts'

const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/
const pageSize = 200

/** Bills one month of every plan, or of one installer's, and tells what came of each. A second run bills nothing twice. */
export async function runMonth(
  db: Database,
  now: Date,
  { month, installer }: { month: string; installer?: string },
): Promise<MonthOutcome[]> {
  if (!monthForm.test(month)) throw new DomainError('invalid', 'The month must be written like 2026-10.')
  const company = installer === undefined ? null : await requireCompany(db, installer)
  if (company?.kind === 'dealer') {
    throw new DomainError(
      'invalid',
      `${company.name} is a dealer. Name its installer, ${company.installerId}.`,
    )
  }
  const installerId = company?.id ?? null
  const outcomes: MonthOutcome[] = []
  await eachPlan(db, installerId, async (planned) => {
    outcomes.push(await attempt(db, now, planned, `${month}-01`))
  })
  return outcomes
}

/** Goes through the plans in the order of their keys, a page at a time. */
async function eachPlan(
  db: Database,
  installerId: string | null,
  work: (planned: ListedPlan) => Promise<void>,
): Promise<void> {
  for (let after = { installerId: '', installationId: '' }; ; ) {
    const page = await listPlansAfter(db, installerId, after, pageSize)
    for (const planned of page) await work(planned)
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.plan
  }
}

/** One plan that cannot be billed does not keep the others from it. */
export async function attempt(
  db: Database,
  now: Date,
  planned: PlannedInstallation,
  month: string,
): Promise<MonthOutcome> {
  try {
    return await billMonth(db, now, planned, month)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    const { installerId, installationId } = planned.plan
    return {
      installerId,
      installationId,
      month: month.slice(0, 7),
      outcome: 'failed',
      invoiceId: null,
      amountDue: null,
      detail: error instanceof Error ? error.message : String(error),
    }
  }
}

/**
 * Bills every month that has ended since its plan was made and is not billed yet, those held back included, and
 * makes drafts anew that nobody has changed. Months from before the plan was made are billed only when asked for:
 * a contract that is carried over from elsewhere has been billed there.
 */
export async function runDueMonths(db: Database, now: Date, signal?: AbortSignal): Promise<MonthOutcome[]> {
  const outcomes: MonthOutcome[] = []
  await eachPlan(db, null, async (planned) => {
    for (const month of dueMonths(now, planned)) {
      signal?.throwIfAborted()
      outcomes.push(await attempt(db, now, planned, month))
    }
  })
  return outcomes
}

/** In order, so that a credit goes to the month that comes next. */
function dueMonths(now: Date, { plan, installation, months }: ListedPlan): string[] {
  const known = new Set(months.map(({ month }) => month))
  const again = months.filter(({ state, open }) => state === 'held' || open).map(({ month }) => month)
  const last = lastEndedMonth(dayIn(installation.timezone, now))
  const made = dayIn(installation.timezone, plan.createdAt)
  const end = plan.endedAt && monthOf(dayIn(installation.timezone, plan.endedAt))
  const lastOwn = end !== null && end < last ? end : last
  const begin = [plan.startDate, made].sort().at(-1)!
  const fresh: string[] = []
  for (let month = monthOf(begin); month <= lastOwn; month = monthAfter(month)) {
    if (!known.has(month)) fresh.push(month)
  }
  // After its end, only what is found in the month before is looked at, for a closing invoice.
  if (last > lastOwn && !known.has(last)) fresh.push(last)
  return [...again, ...fresh].sort()
}

function monthAfter(month: string): string {
  return Temporal.PlainDate.from(month).add({ months: 1 }).toString()
}
