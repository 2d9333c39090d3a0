import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { currencyOf } from '../../kernel/money.ts'
import { authorize } from '../../kernel/policy.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { creditFor, takeCredit } from '../credits/use-credit.ts'
import { type BilledInstallation, findBilledInstallation, findPlan } from '../plans/plan-queries.ts'
import { type BilledCustomer, type Invoice, invoiceEvent } from './invoice.ts'
import { type NewLineItem, pricedLines } from './line-items.ts'
import { insertInvoice } from './queries.ts'

export const defaultCurrency = 'USD'
export const defaultTermDays = 30

export interface NewInvoice {
  installationId?: string
  customer?: BilledCustomer
  currency?: string
  periodStart?: string
  periodEnd?: string
  dueDate?: string
  lineItems: NewLineItem[]
}

type Composed = Omit<Invoice, keyof ReturnType<typeof newDraft> | 'creditApplied' | 'amountDue'> & {
  companyId: string
}

/** What a draft would say. Customer, currency and term come from the installation and its plan where they are not given. */
async function composeInvoice(ctx: Context, input: NewInvoice, companyId: string): Promise<Composed> {
  const { db, actor } = ctx
  const { installerId } = actor
  authorize(actor, 'billing.read')
  const lineItems = pricedLines(input.lineItems)
  const given = input.currency === undefined ? null : currencyOf(input.currency)
  requirePeriod(input.periodStart ?? null, input.periodEnd ?? null)
  const installation = await installationOf(db, ctx, input.installationId)
  const plan = installation && (await findPlan(db, { installerId, installationId: installation.id }))
  const customer = input.customer ?? plan?.customer ?? (installation && customerAt(installation))
  if (!customer) {
    throw new DomainError('invalid', 'customer is required where there is no installation_id.')
  }
  authorize(actor, 'billing.draft')
  return {
    companyId: installation?.companyId ?? companyId,
    installationId: installation?.id ?? null,
    currency: given ?? plan?.currency ?? defaultCurrency,
    customer,
    periodStart: input.periodStart ?? null,
    periodEnd: input.periodEnd ?? null,
    dueDate: input.dueDate ?? null,
    paymentTermDays: plan?.paymentTermDays ?? defaultTermDays,
    lineItems,
  }
}

/** The draft as it would be made now. Nothing is written. */
export async function previewInvoice(
  ctx: Context,
  input: NewInvoice,
  companyId = ctx.actor.companyId,
): Promise<Invoice> {
  const composed = await composeInvoice(ctx, input, companyId)
  const draft = { ...newDraft(ctx.actor.installerId, composed.companyId, ctx.now), ...composed }
  return { ...draft, ...(await creditFor(ctx.db, draft)).amounts }
}

/** Makes a draft: of the installation's company, or where it is for none, of `companyId`. */
export async function createInvoice(
  ctx: Context,
  input: NewInvoice,
  companyId = ctx.actor.companyId,
): Promise<Invoice> {
  const { db, actor, now } = ctx
  const { installerId } = actor
  const composed = await composeInvoice(ctx, input, companyId)
  return db.transaction(async (tx) => {
    const at = await takeTimes(tx, installerId, now, 1)
    const draft = { ...newDraft(installerId, composed.companyId, at), ...composed }
    const { amounts, uses } = await creditFor(tx, draft)
    const invoice: Invoice = { ...draft, ...amounts }
    await insertInvoice(tx, invoice)
    await takeCredit(tx, invoice, uses)
    await recordEvents(tx, actor, at, [invoiceEvent('invoice.created', invoice)])
    return invoice
  })
}

async function installationOf(
  db: Db,
  { actor }: Context,
  installationId: string | undefined,
): Promise<BilledInstallation | null> {
  if (installationId === undefined) return null
  const installation = await findBilledInstallation(db, {
    installerId: actor.installerId,
    companyId: confinedTo(actor),
    id: installationId,
  })
  if (installation) return installation
  throw new DomainError(
    'invalid',
    'installationId: there is no installation with this id among your records.',
  )
}

/** The customer of an installation of which nothing else is known. */
export function customerAt({ name, address }: BilledInstallation): BilledCustomer {
  return { name, email: null, address }
}

export function requirePeriod(start: string | null, end: string | null): void {
  if ((start === null) !== (end === null)) {
    const absent = start === null ? 'periodStart' : 'periodEnd'
    throw new DomainError(
      'invalid',
      `${absent} is required beside the other day of the period: send both, or neither.`,
    )
  }
  if (start !== null && end !== null && end < start) {
    throw new DomainError('invalid', 'periodEnd must not be before periodStart.')
  }
}

/** What every draft begins with. */
export function newDraft(installerId: string, companyId: string, createdAt: Date) {
  return {
    installerId,
    id: newId('inv'),
    companyId,
    number: null,
    status: 'draft' as const,
    amountPaid: '0.00',
    billingMonth: null,
    edited: false,
    carryIn: '0.00',
    carryOut: '0.00',
    issued: null,
    version: 1,
    createdAt,
    updatedAt: createdAt,
    finalizedAt: null,
    paidAt: null,
    voidedAt: null,
  }
}
