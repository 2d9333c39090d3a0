import { isDeepStrictEqual } from 'node:util'
import { recordSetting } from '../audit/record-setting.ts'
import { lockTenant } from '../companies/queries.ts'
import { type Context, requireWriter } from '../context.ts'
import type { Decimal } from '../leads/lead.ts'
import { customerAt, defaultCurrency, defaultTermDays } from './create-invoice.ts'
import type { BilledCustomer } from './invoice.ts'
import { currencyOf, exactly, finePlaces } from './money.ts'
import type { BillingPlan, HeldMonth, PlanKind } from './plan.ts'
import { findPlan, listHeldMonths, savePlan } from './plan-queries.ts'
import { requireSite } from './read-plan.ts'

export interface PlanInput {
  kind: PlanKind
  rate: Decimal
  escalatorPercent?: Decimal
  startDate: string
  currency?: string
  customer?: BilledCustomer
  paymentTermDays?: number
  completenessPercent?: Decimal
}

export interface PlanSet {
  plan: BillingPlan
  held: HeldMonth[]
  created: boolean
}

const defaultCompleteness = '95'

/** Sets the plan of an installation, in place of one it had. Invoices that are final stay as they are. */
export async function setPlan(ctx: Context, installationId: string, input: PlanInput): Promise<PlanSet> {
  const { db, actor, now } = ctx
  const { installerId } = actor
  const rate = exactly(input.rate, input.kind === 'ppa' ? finePlaces : 2, 'rate')
  const escalatorPercent = exactly(input.escalatorPercent ?? '0', 4, 'escalator_percent')
  const completenessPercent = exactly(
    input.completenessPercent ?? defaultCompleteness,
    2,
    'completeness_percent',
  )
  const currency = currencyOf(input.currency ?? defaultCurrency)
  const site = await requireSite(db, ctx, installationId)
  requireWriter(actor)
  return db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const before = await findPlan(tx, installerId, site.id)
    const plan: BillingPlan = {
      installerId,
      installationId: site.id,
      kind: input.kind,
      rate,
      escalatorPercent,
      startDate: input.startDate,
      currency,
      customer: input.customer ?? customerAt(site),
      paymentTermDays: input.paymentTermDays ?? defaultTermDays,
      completenessPercent,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
      endedAt: null,
    }
    const held = await listHeldMonths(tx, installerId, site.id)
    if (before && isDeepStrictEqual(asWritten(before), { ...plan, updatedAt: before.updatedAt })) {
      return { plan: before, held, created: false }
    }
    await savePlan(tx, plan)
    await recordSetting(tx, actor, now, {
      type: before ? 'plan.changed' : 'plan.set',
      companyId: site.companyId,
      subjectId: site.id,
      name: site.name,
      changes: changesOf(before && asWritten(before), plan),
    })
    return { plan, held, created: before === null }
  })
}

const told = [
  'kind',
  'rate',
  'escalatorPercent',
  'startDate',
  'currency',
  'customer',
  'paymentTermDays',
  'completenessPercent',
] as const

function changesOf(before: BillingPlan | null, plan: BillingPlan): Record<string, [unknown, unknown]> {
  const changed = told.filter((field) => !isDeepStrictEqual(before?.[field], plan[field]))
  return Object.fromEntries(changed.map((field) => [field, [before?.[field] ?? null, plan[field]]]))
}

/** The same numbers, without the idle zeros that the database writes. */
function asWritten(plan: BillingPlan): BillingPlan {
  const { rate, escalatorPercent, completenessPercent } = plan
  return {
    ...plan,
    rate: exactly(rate, finePlaces, 'rate'),
    escalatorPercent: exactly(escalatorPercent, finePlaces, 'escalator_percent'),
    completenessPercent: exactly(completenessPercent, finePlaces, 'completeness_percent'),
  }
}
