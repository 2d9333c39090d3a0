import type { Database } from '../../../platform/db.ts'
import { dayIn } from '../../kernel/days.ts'
import type { MonthOutcome } from '../months/bill-month.ts'
import { listMonthStates } from '../months/month-queries.ts'
import { lastEndedMonth, monthOf } from '../plans/plan.ts'
import type { PlannedSite } from '../plans/plan-queries.ts'
import { attempt, eachPlan } from './run-month.ts'

/**
 * Bills every month that has ended since its plan was made and is not billed yet, those held back included, and
 * makes drafts anew that nobody has changed. Months from before the plan was made are billed only when asked for:
 * a contract that is carried over from elsewhere has been billed there.
 */
export async function runDueMonths(db: Database, now: Date, signal?: AbortSignal): Promise<MonthOutcome[]> {
  const outcomes: MonthOutcome[] = []
  await eachPlan(db, null, async (planned) => {
    for (const month of await dueMonths(db, now, planned)) {
      signal?.throwIfAborted()
      outcomes.push(await attempt(db, now, planned, month))
    }
  })
  return outcomes
}

/** In order, so that a credit goes to the month that comes next. */
async function dueMonths(db: Database, now: Date, { plan, site }: PlannedSite): Promise<string[]> {
  const states = await listMonthStates(db, plan)
  const known = new Set(states.map((state) => state.month))
  const again = states.filter(({ state, open }) => state === 'held' || open).map(({ month }) => month)
  const last = lastEndedMonth(dayIn(site.timezone, now))
  const made = dayIn(site.timezone, plan.createdAt)
  const end = plan.endedAt && monthOf(dayIn(site.timezone, plan.endedAt))
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
