import { recordSetting } from '../../journal/audit/record-setting.ts'
import { createLongJob } from '../../journal/long-jobs/create-long-job.ts'
import { findLatestLongJob } from '../../journal/long-jobs/queries.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lastEndedMonth } from '../plans/plan.ts'
import { type BillingRun, runKind } from './run.ts'
import { countPlansToBill } from './run-queries.ts'

/** Lets a month be billed by every plan that the caller sees: a job does it, and notes what came of each. */
export async function orderRun(ctx: Context, month: string): Promise<BillingRun> {
  const { db, actor, now } = ctx
  authorize(actor, 'billing.run')
  const { companies } = await ctx.directories.current(db, actor.installerId)
  const last = lastEndedMonth(dayIn(companies.get(actor.companyId)!.timezone, now))
  if (`${month}-01` > last)
    throw new DomainError(
      'invalid',
      `month: ${month} has not ended. Choose ${last.slice(0, 7)} or a month before it.`,
    )
  return db.transaction(async (tx) => {
    const { installerId, companyId } = actor
    const run = await createLongJob(tx, actor, now, {
      kind: runKind,
      subjectId: companyId,
      companyId,
      input: { month: `${month}-01` },
      total: (await countPlansToBill(tx, scopeOf(ctx))).count,
    })
    if (!run)
      return requireSame(
        await findLatestLongJob(tx, { installerId, kind: runKind, subjectId: companyId }),
        month,
      )
    await recordSetting(tx, actor, now, {
      type: 'plan.run_started',
      companyId: actor.companyId,
      subjectId: run.id,
      name: month,
    })
    return run
  })
}

/** Whoever asks for the month that is being billed gets that run. */
function requireSame(run: BillingRun | null, month: string): BillingRun {
  if (run?.input.month.startsWith(month)) return run
  throw new DomainError(
    'invalid',
    `${run?.input.month.slice(0, 7) ?? 'Another month'} is being billed. Wait until that is done.`,
  )
}
