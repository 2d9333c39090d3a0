import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { type BillAs, segmentsUntil } from '../plans/plan.ts'
import { findAnyPlan, findOnceBilledInstallation } from '../plans/plan-queries.ts'
import { requireBilledInstallation } from '../plans/read-plan.ts'
import { billMonth, type MonthOutcome } from './bill-month.ts'
import { readMonthData } from './month-data.ts'
import { decideMonthState, findMonthState } from './month-queries.ts'

const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/

/**
 * A person bills a month that is held although readings are missing: what was measured, or that and an estimate of
 * the rest, which the invoice names as one. Readings that come later are trued up.
 */
export async function billHeldMonth(
  ctx: Context,
  installationId: string,
  yearAndMonth: string,
  as: BillAs,
): Promise<MonthOutcome> {
  const { db, actor, now } = ctx
  const installation = await requireBilledInstallation(db, ctx, installationId, findOnceBilledInstallation)
  if (!monthForm.test(yearAndMonth)) throw notFound('held month')
  const month = `${yearAndMonth}-01`
  const key = { installerId: actor.installerId, installationId: installation.id, month }
  const plan = await findAnyPlan(db, key)
  if (plan === null) throw notFound('billing plan')
  if ((await findMonthState(db, key))?.state !== 'held') throw notFound('held month')
  authorize(actor, 'billing.run')
  const segments = segmentsUntil(plan, month, plan.endedAt && dayIn(installation.timezone, plan.endedAt))
  if (as === 'estimate' && segments.length > 0) {
    const period = [segments[0]!.firstDay, segments.at(-1)!.lastDay] as const
    const data = await readMonthData(db, plan, installation, period)
    if (segments.some((segment) => data.missingPart(segment) === null))
      throw new DomainError(
        'invalid',
        'as: nothing was measured in this month, so there is nothing to estimate from. Bill what was measured, or write an invoice by hand.',
      )
  }
  await db.transaction(async (tx) => {
    await lockTenant(tx, actor.installerId)
    if ((await findMonthState(tx, key))?.state !== 'held') throw notFound('held month')
    await decideMonthState(tx, { ...key, billAs: as, by: actor.name, at: now })
    await recordSetting(tx, actor, now, {
      type: as === 'measured' ? 'plan.month_released' : 'plan.month_estimated',
      companyId: installation.companyId,
      subjectId: installation.id,
      name: installation.name,
      changes: { month: [null, yearAndMonth] },
    })
  })
  return billMonth(db, now, { plan, installation }, month)
}
