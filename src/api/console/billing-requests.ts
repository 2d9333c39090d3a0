import Type, { type Static } from 'typebox'
import { type InvoiceStatus, invoiceStatuses } from '../../domain/billing/invoices/invoice.ts'
import { type InvoiceSorting, invoiceOrders, mostListed } from '../../domain/billing/invoices/list-queries.ts'
import { type PaymentMethod, paymentMethods } from '../../domain/billing/payments/payment.ts'
import { type BillAs, billAs, type PlanKind, planKinds } from '../../domain/billing/plans/plan.ts'
import { type PlanState, planStates } from '../../domain/billing/plans/plan-list-queries.ts'
import { type RunOutcome, runOutcomes } from '../../domain/billing/runs/run.ts'
import { emailPattern } from '../../domain/kernel/email.ts'
import { type SortText, sortTexts } from '../../domain/kernel/sorting.ts'
import { Seen } from './seen.ts'

const exact = { additionalProperties: false }
const optional = Type.Optional
const asItIs = 'must be the "next" of the page before, as it is'
const installationId = Type.String({ pattern: '^inst_[0-9a-z]{10,40}$', 'x-message': asItIs })
const limit = optional(Type.Integer({ minimum: 1, maximum: mostListed }))
const search = optional(Type.String({ minLength: 1, maxLength: 100 }))
const month = Type.String({
  pattern: '^(19|20|21)\\d{2}-(0[1-9]|1[0-2])$',
  'x-message': 'must be a month such as 2026-10',
})
const day = Type.String({ format: 'date', 'x-message': 'must be a day such as 2026-10-31' })
const decimal = (pattern: string, example: string) =>
  Type.String({ pattern, 'x-message': `must be a number such as ${example}` })
const signed = decimal('^-?\\d{1,9}(\\.\\d{1,6})?$', '12.5, with at most six decimal places')
const textOrNull = (more: object) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...more })

const customer = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    email: textOrNull({
      maxLength: 320,
      pattern: `^$|^${emailPattern}$`,
      'x-message': 'must be an email address',
    }),
    address: textOrNull({ maxLength: 500 }),
  },
  exact,
)
export type CustomerBody = Static<typeof customer>

export const InvoicesQuery = Type.Object(
  {
    status: optional(Type.Unsafe<InvoiceStatus>({ type: 'string', enum: [...invoiceStatuses] })),
    month: optional(month),
    installation: optional(Type.String({ minLength: 1, maxLength: 64 })),
    search,
    sort: optional(
      Type.Unsafe<SortText<InvoiceSorting['by']>>({ type: 'string', enum: sortTexts(invoiceOrders) }),
    ),
    after: optional(
      Type.String({ pattern: '^([0-9a-z.-]{1,20}~)?inv_[0-9a-z]{10,40}$', 'x-message': asItIs }),
    ),
    limit,
  },
  exact,
)
export type InvoicesQuery = Static<typeof InvoicesQuery>

export const InvoiceParams = Type.Object({ id: Type.String() })
export const PaperQuery = Type.Object({ download: optional(Type.Literal('yes')) }, exact)
export type PaperQuery = Static<typeof PaperQuery>

/** The version that the person saw. */
const version = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

export const DraftBody = Type.Object(
  {
    version,
    customer: optional(customer),
    dueDate: optional(textOrNull({ format: 'date', 'x-message': 'must be a day such as 2026-10-31' })),
    lineItems: optional(
      Type.Array(
        Type.Object(
          {
            description: Type.String({ minLength: 1, maxLength: 500 }),
            quantity: signed,
            unit: Type.String({ minLength: 1, maxLength: 40 }),
            unitPrice: signed,
          },
          exact,
        ),
        { minItems: 1, maxItems: 500 },
      ),
    ),
  },
  exact,
)
export type DraftBody = Static<typeof DraftBody>

export const SeenBody = Type.Object({ version }, exact)
export type SeenBody = Static<typeof SeenBody>

const money = decimal('^(?=.*[1-9])\\d{1,9}(\\.\\d{1,2})?$', '146.25, above zero')
const transfer = {
  method: Type.Unsafe<PaymentMethod | null>({ type: ['string', 'null'], enum: [...paymentMethods, null] }),
  reference: textOrNull({ maxLength: 200 }),
  on: day,
}

export const PaymentBody = Type.Object(
  {
    version,
    amount: money,
    method: optional(transfer.method),
    reference: optional(transfer.reference),
    on: optional(day),
  },
  exact,
)
export type PaymentBody = Static<typeof PaymentBody>

export const VoidBody = Type.Object({ version, refund: optional(Type.Object(transfer, exact)) }, exact)
export type VoidBody = Static<typeof VoidBody>

export const CreditsQuery = Type.Object(
  {
    state: optional(Type.Unsafe<'left' | 'all'>({ type: 'string', enum: ['left', 'all'] })),
    search,
    after: optional(Type.String({ pattern: '^cred_[0-9a-z]{10,40}$', 'x-message': asItIs })),
    limit,
  },
  exact,
)
export type CreditsQuery = Static<typeof CreditsQuery>

export const RefundBody = Type.Object({ version, amount: money, ...transfer }, exact)
export type RefundBody = Static<typeof RefundBody>

export const PlansQuery = Type.Object(
  {
    state: optional(Type.Unsafe<PlanState>({ type: 'string', enum: [...planStates] })),
    search,
    after: optional(installationId),
    limit,
  },
  exact,
)
export type PlansQuery = Static<typeof PlansQuery>

export const PlanBody = Type.Object(
  {
    seen: optional(Seen),
    kind: Type.Unsafe<PlanKind>({ type: 'string', enum: [...planKinds] }),
    rate: decimal('^\\d{1,6}(\\.\\d{1,6})?$', '0.13'),
    escalatorPercent: decimal('^-?(50|[0-4]?\\d(\\.\\d{1,4})?)$', '2.9, between -50 and 50'),
    startDate: day,
    currency: Type.String({
      pattern: '^[A-Za-z]{3}$',
      'x-message': 'must be a three-letter currency code such as USD',
    }),
    customer,
    paymentTermDays: Type.Integer({ minimum: 0, maximum: 365 }),
    completenessPercent: optional(decimal('^(100|\\d{1,2}(\\.\\d{1,2})?)$', '95, between 0 and 100')),
  },
  exact,
)
export type PlanBody = Static<typeof PlanBody>

export const UnbilledQuery = Type.Object(
  {
    after: optional(Type.String({ pattern: '^\\d{4}-\\d{2}-01~inst_[0-9a-z]{10,40}$', 'x-message': asItIs })),
    limit,
  },
  exact,
)
export type UnbilledQuery = Static<typeof UnbilledQuery>

export const HeldMonthBody = Type.Object(
  { month, as: Type.Unsafe<BillAs>({ type: 'string', enum: [...billAs] }) },
  exact,
)
export type HeldMonthBody = Static<typeof HeldMonthBody>

export const RunBody = Type.Object({ month }, exact)
export type RunBody = Static<typeof RunBody>

export const RunQuery = Type.Object(
  {
    outcome: optional(Type.Unsafe<RunOutcome>({ type: 'string', enum: [...runOutcomes] })),
    after: optional(installationId),
    limit,
  },
  exact,
)
export type RunQuery = Static<typeof RunQuery>
