import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../platform/db.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { requireUnchanged, type Seen } from '../../kernel/changed-meanwhile.ts'
import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { currencyOf, type Decimal, exactly, finePlaces } from '../../kernel/money.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { customerAt, defaultCurrency, defaultTermDays } from '../invoices/create-invoice.ts'
import type { BilledCustomer } from '../invoices/invoice.ts'
import type { BillingPlan, HeldMonth, PlanKind } from './plan.ts'
import {
  type BilledInstallation,
  endPlan,
  findAnyPlan,
  lastBilledDay,
  listHeldMonths,
  savePlan,
} from './plan-queries.ts'
import { readPlan, requireBilledInstallation } from './read-plan.ts'

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
export async function setPlan(
  ctx: Context,
  installationId: string,
  input: PlanInput,
  seen?: Seen,
): Promise<PlanSet> {
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
  const installation = await requireBilledInstallation(db, ctx, installationId)
  authorize(actor, 'billing.plan')
  return db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    const there = await findAnyPlan(tx, { installerId, installationId: installation.id })
    const before = there?.endedAt === null ? there : null
    const plan: BillingPlan = {
      installerId,
      installationId: installation.id,
      kind: input.kind,
      rate,
      escalatorPercent,
      startDate: input.startDate,
      currency,
      customer: input.customer ?? customerAt(installation),
      paymentTermDays: input.paymentTermDays ?? defaultTermDays,
      completenessPercent,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
      endedAt: null,
    }
    const held = await listHeldMonths(tx, plan)
    if (before && isDeepStrictEqual(asWritten(before), { ...plan, updatedAt: before.updatedAt })) {
      return { plan: before, held, created: false }
    }
    requireUnchanged(fieldChanges(there, plan), seen)
    if (there) await refuseGap(tx, there, installation, plan.startDate)
    await savePlan(tx, plan)
    await recordSetting(tx, actor, now, {
      type: before ? 'plan.changed' : 'plan.set',
      companyId: installation.companyId,
      subjectId: installation.id,
      name: installation.name,
      changes: changesOf(before && asWritten(before), plan),
    })
    return { plan, held, created: before === null }
  })
}

/**
 * The terms of the plan that is replaced are gone: days that it was to bill, and has not, would be nobody's. One that has
 * billed nothing yet is corrected by whatever takes its place.
 */
async function refuseGap(
  tx: Db,
  there: BillingPlan,
  { timezone }: BilledInstallation,
  startDate: string,
): Promise<void> {
  const { day: billedUntil } = await lastBilledDay(tx, there)
  if (billedUntil === null) return
  const next = Temporal.PlainDate.from(billedUntil).add({ days: 1 }).toString()
  const ended = there.endedAt && dayIn(timezone, there.endedAt)
  if (startDate <= next || (ended !== null && ended <= billedUntil)) return
  throw new DomainError(
    'invalid',
    `startDate: the plan that is there has billed until ${billedUntil}, and a plan that begins on ${startDate} would leave out the days after that. Begin on ${next} or earlier, or wait until those days are billed.`,
  )
}

const publishedFields = [
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
  const changed = publishedFields.filter((field) => !isDeepStrictEqual(before?.[field], plan[field]))
  return Object.fromEntries(changed.map((field) => [field, [before?.[field] ?? null, plan[field]]]))
}

/** Field by field, as a form has them; `running` is null where there was no plan. */
function fieldChanges(before: BillingPlan | null, plan: BillingPlan): Record<string, [unknown, unknown]> {
  const flat = (one: BillingPlan | null) => {
    const { customer, ...fields } = one ? asWritten(one) : { customer: null }
    return {
      ...fields,
      'customer.name': customer?.name,
      'customer.email': customer?.email,
      'customer.address': customer?.address,
      running: one && one.endedAt === null,
    } as Record<string, unknown>
  }
  const [was, is] = [flat(before), flat(plan)]
  const names = [...publishedFields.filter((field) => field !== 'customer'), ...customerFields, 'running']
  return Object.fromEntries(
    names
      .filter((name) => (was[name] ?? null) !== (is[name] ?? null))
      .map((name) => [name, [was[name], is[name]]]),
  )
}

const customerFields = ['customer.name', 'customer.email', 'customer.address']

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

/**
 * Ends the billing of an installation with this day. What was made until then is billed as it would have been, and months
 * that are held back stay so. What is measured later of days that were billed is trued up by a closing invoice.
 */
export async function deletePlan(ctx: Context, installationId: string): Promise<void> {
  const { db, actor } = ctx
  const { plan, installation } = await readPlan(ctx, installationId)
  authorize(actor, 'billing.plan')
  await db.transaction(async (tx) => {
    await lockTenant(tx, actor.installerId)
    await endPlan(tx, { ...plan, at: ctx.now })
    await recordSetting(tx, actor, ctx.now, {
      type: 'plan.ended',
      companyId: installation.companyId,
      subjectId: installation.id,
      name: installation.name,
    })
  })
}
