import Type, { type Static } from 'typebox'
import { type InvoiceStatus, invoiceStatuses } from '../../domain/billing/invoices/invoice.ts'
import { type PaymentMethod, paymentMethods } from '../../domain/billing/payments/payment.ts'
import { type BillAs, billAs, type PlanKind, planKinds } from '../../domain/billing/plans/plan.ts'
import { emailPattern } from '../../domain/kernel/email.ts'
import { Fields, optional } from '../http/schema-words.ts'
import { exampleIds } from './example-ids.ts'
import { pageFields } from './paging.ts'
import { changeFields, ofInstallation } from './record-lists.ts'

const day = (description: string) => Type.String({ format: 'date', description })
const dayOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date', description })
const between = (minimum: number, maximum: number, description: string) =>
  Type.Number({ minimum, maximum, description })

const currency = optional(
  Type.String({
    pattern: '^[A-Za-z]{3}$',
    'x-message': 'must be a three-letter currency code such as USD',
    description: 'ISO 4217, with two decimal places; that of the plan, or USD, when absent',
  }),
)
const customer = optional(
  Fields(
    {
      name: Type.String({ minLength: 1, maxLength: 200, description: 'As it stands on the invoice' }),
      email: optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          maxLength: 320,
          pattern: `^$|^${emailPattern}$`,
          'x-message': 'must be an email address',
          description: 'Where invoices go',
        }),
      ),
      address: optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          maxLength: 500,
          description: 'In one text',
        }),
      ),
    },
    { description: 'Who is billed; the installation’s name and address when absent' },
  ),
)
const lineItems = Type.Array(
  Fields({
    description: Type.String({ minLength: 1, maxLength: 500, description: 'What is billed' }),
    quantity: optional(between(-1e9, 1e9, '1 when absent; up to six decimal places')),
    unit: optional(Type.String({ minLength: 1, maxLength: 40, description: '`each` when absent' })),
    unit_price: between(-1e9, 1e9, 'Below zero for a credit; up to six decimal places'),
  }),
  { minItems: 1, maxItems: 500, description: 'Amounts are computed; together not below zero' },
)

export const NewInvoiceBody = Fields(
  {
    installation_id: optional(Type.String({ minLength: 1, maxLength: 100, description: 'Or a customer' })),
    customer,
    currency,
    period_start: optional(day('With period_end')),
    period_end: optional(day('Included')),
    due_date: optional(day('When absent, the payment term after it is finalized: the plan’s, or 30 days')),
    line_items: lineItems,
  },
  {
    examples: [
      {
        customer: { name: 'Ada Moreno', email: 'ada@example.com' },
        due_date: '2026-12-31',
        line_items: [{ description: 'Panel cleaning', quantity: 21, unit: 'panel', unit_price: 6.5 }],
      },
    ],
  },
)
export type NewInvoiceBody = Static<typeof NewInvoiceBody>

export const DraftPatchBody = Fields(
  {
    customer,
    currency,
    period_start: optional(dayOrNull('Null clears it, with period_end')),
    period_end: optional(dayOrNull('Null clears it, with period_start')),
    due_date: optional(dayOrNull('Null: the payment term after it is finalized')),
    line_items: optional(lineItems),
  },
  { examples: [{ due_date: '2027-01-31' }] },
)
export type DraftPatchBody = Static<typeof DraftPatchBody>

const transferFields = {
  method: Type.Unsafe<PaymentMethod | null>({
    type: ['string', 'null'],
    enum: [...paymentMethods, null],
    description: 'How the money moved',
  }),
  reference: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 200,
    description: 'The number of a check or a transfer, for example',
  }),
}

interface TransferBody {
  method?: PaymentMethod | null
  reference?: string | null
}

export type PaymentBody = (TransferBody & { amount?: number; received_on?: string }) | undefined
export const PaymentBody = Type.Unsafe<PaymentBody>({
  type: ['object', 'null'],
  properties: {
    amount: between(0.01, 999_999_999.99, 'All that remains when absent; a part keeps the invoice open'),
    ...transferFields,
    received_on: day('The day the money came; today when absent, not a later one'),
  },
  additionalProperties: false,
  examples: [{ amount: 50, method: 'check', reference: '1042', received_on: '2026-11-12' }],
})

export type VoidBody = (TransferBody & { paid_as?: 'credit' | 'refund'; refunded_on?: string }) | undefined
export const VoidBody = Type.Unsafe<VoidBody>({
  type: ['object', 'null'],
  properties: {
    paid_as: {
      type: 'string',
      enum: ['credit', 'refund'],
      description:
        'What becomes of what was paid: a credit that the customer’s next invoices use (when absent), or a refund',
    },
    ...transferFields,
    refunded_on: day('Of a refund: the day it was paid back; today when absent, not a later one'),
  },
  additionalProperties: false,
  examples: [{ paid_as: 'refund', method: 'check', reference: '2017' }],
})

export type RefundBody = (TransferBody & { amount?: number; refunded_on?: string }) | undefined
export const RefundBody = Type.Unsafe<RefundBody>({
  type: ['object', 'null'],
  properties: {
    amount: between(0.01, 999_999_999.99, 'All that is left of the credit when absent'),
    ...transferFields,
    refunded_on: day('The day it was paid back; today when absent, not a later one'),
  },
  additionalProperties: false,
  examples: [{ amount: 40, method: 'ach', reference: 'TRX-20261112-7' }],
})

export const PlanBody = Fields(
  {
    kind: Type.Unsafe<PlanKind>({
      type: 'string',
      enum: [...planKinds],
      description: '`ppa` bills each kWh, `lease` each month',
    }),
    rate: between(0, 1_000_000, 'For a kWh (up to six decimal places) or a month (two), in the first year'),
    escalator_percent: optional(
      between(-50, 50, 'By how much the rate grows on each anniversary; 0 when absent, up to four places'),
    ),
    start_date: day('The first day that is billed'),
    currency,
    customer,
    payment_term_days: optional(Type.Integer({ minimum: 0, maximum: 365, description: '30 when absent' })),
    completeness_percent: optional(
      between(0, 100, 'A month of which less than this came in is held; 95 when absent, up to two places'),
    ),
  },
  {
    examples: [
      {
        kind: 'ppa',
        rate: 0.13,
        escalator_percent: 2.9,
        start_date: '2026-03-15',
        customer: { name: 'Ada Moreno', email: 'ada@example.com', address: '1 Market St, San Diego, CA' },
      },
    ],
  },
)
export type PlanBody = Static<typeof PlanBody>

export const InvoicesQuery = Fields({
  status: optional(
    Type.Unsafe<InvoiceStatus>({
      type: 'string',
      enum: [...invoiceStatuses],
      description: 'Only those in this status',
    }),
  ),
  installation_id: ofInstallation,
  ...changeFields,
})
export type InvoicesQuery = Static<typeof InvoicesQuery>

export const PlansQuery = Fields({
  ...pageFields,
  kind: optional(
    Type.Unsafe<PlanKind>({ type: 'string', enum: [...planKinds], description: 'Only those of this kind' }),
  ),
})
export type PlansQuery = Static<typeof PlansQuery>

export const PagesQuery = Fields(pageFields)
export type PagesQuery = Static<typeof PagesQuery>

const installation_id = Type.String({
  description: 'The id of the installation that is billed',
  examples: [exampleIds.installation],
})

export const InvoiceParams = Type.Object({
  id: Type.String({ description: 'The invoice’s id', examples: [exampleIds.invoice] }),
})
export const CreditParams = Type.Object({
  id: Type.String({ description: 'The credit’s id', examples: [exampleIds.credit] }),
})
export const MonthParams = Type.Object({
  installation_id,
  month: Type.String({ description: 'YYYY-MM', examples: ['2026-05'] }),
})
export type ReleaseBody = { as?: BillAs } | null
export const ReleaseBody = Type.Unsafe<ReleaseBody>({
  type: ['object', 'null'],
  properties: {
    as: {
      type: 'string',
      enum: [...billAs],
      description:
        '`measured`, when absent: what came in; `estimate`: that, and an estimate of the rest, which the invoice names as one and which is trued up when the readings come',
    },
  },
  additionalProperties: false,
  examples: [{ as: 'estimate' }],
})

export const PlanParams = Type.Object({ installation_id })
