import Type, { type Static } from 'typebox'
import { type InvoiceStatus, invoiceStatuses } from '../../domain/billing/invoices/invoice.ts'
import { type InvoiceSorting, invoiceOrders, maxListed } from '../../domain/billing/invoices/list-queries.ts'
import { type PaymentMethod, paymentMethods } from '../../domain/billing/payments/payment.ts'
import { type BillAs, billAs, type PlanKind, planKinds } from '../../domain/billing/plans/plan.ts'
import { type PlanState, planStates } from '../../domain/billing/plans/plan-list-queries.ts'
import { type RunOutcome, runOutcomes } from '../../domain/billing/runs/run.ts'
import { emailPattern } from '../../domain/kernel/email.ts'
import { type SortText, sortTexts } from '../../domain/kernel/sorting.ts'
import { Fields, limitTo, nextPage, oneOf, optional, textOrNull } from '../http/schema-words.ts'
import { Seen } from './seen.ts'

const afterInstallation = nextPage('^inst_[0-9a-z]{10,40}$')
const limit = limitTo(maxListed)
const search = optional(Type.String({ minLength: 1, maxLength: 100 }))
const month = Type.String({
  pattern: '^(19|20|21)\\d{2}-(0[1-9]|1[0-2])$',
  'x-message': 'must be a month such as 2026-10',
})
const day = Type.String({ format: 'date', 'x-message': 'must be a day such as 2026-10-31' })
const decimal = (pattern: string, example: string) =>
  Type.String({ pattern, 'x-message': `must be a number such as ${example}` })
const signed = decimal('^-?\\d{1,9}(\\.\\d{1,6})?$', '12.5, with at most six decimal places')

const customer = Fields({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  email: textOrNull({
    maxLength: 320,
    pattern: `^$|^${emailPattern}$`,
    'x-message': 'must be an email address',
  }),
  address: textOrNull({ maxLength: 500 }),
})
export type CustomerBody = Static<typeof customer>

export const InvoicesQuery = Fields({
  status: optional(oneOf<InvoiceStatus>(invoiceStatuses)),
  month: optional(month),
  installation: optional(Type.String({ minLength: 1, maxLength: 64 })),
  search,
  sort: optional(oneOf<SortText<InvoiceSorting['by']>>(sortTexts(invoiceOrders))),
  after: nextPage('^([0-9a-z.-]{1,20}~)?inv_[0-9a-z]{10,40}$'),
  limit,
})

export const PdfQuery = Fields({ download: optional(Type.Literal('yes')) })

/** The version that the person saw. */
const version = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

export const DraftBody = Fields({
  version,
  customer: optional(customer),
  dueDate: optional(textOrNull({ format: 'date', 'x-message': 'must be a day such as 2026-10-31' })),
  lineItems: optional(
    Type.Array(
      Fields({
        description: Type.String({ minLength: 1, maxLength: 500 }),
        quantity: signed,
        unit: Type.String({ minLength: 1, maxLength: 40 }),
        unitPrice: signed,
      }),
      { minItems: 1, maxItems: 500 },
    ),
  ),
})

export const SeenBody = Fields({ version })

const money = decimal('^(?=.*[1-9])\\d{1,9}(\\.\\d{1,2})?$', '146.25, above zero')
const transfer = {
  method: Type.Unsafe<PaymentMethod | null>({ type: ['string', 'null'], enum: [...paymentMethods, null] }),
  reference: textOrNull({ maxLength: 200 }),
  on: day,
}

export const PaymentBody = Fields({
  version,
  amount: money,
  method: optional(transfer.method),
  reference: optional(transfer.reference),
  on: optional(day),
})

export const VoidBody = Fields({ version, refund: optional(Fields(transfer)) })

export const CreditsQuery = Fields({
  state: optional(Type.Unsafe<'left' | 'all'>({ type: 'string', enum: ['left', 'all'] })),
  search,
  after: nextPage('^cred_[0-9a-z]{10,40}$'),
  limit,
})

export const RefundBody = Fields({ version, amount: money, ...transfer })

export const PlansQuery = Fields({
  state: optional(oneOf<PlanState>(planStates)),
  search,
  after: afterInstallation,
  limit,
})

export const PlanBody = Fields({
  seen: optional(Seen),
  kind: oneOf<PlanKind>(planKinds),
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
})

export const UnbilledQuery = Fields({
  after: nextPage('^\\d{4}-\\d{2}-01~inst_[0-9a-z]{10,40}$'),
  limit,
})

export const HeldMonthBody = Fields({ month, as: oneOf<BillAs>(billAs) })

export const RunBody = Fields({ month })

export const RunQuery = Fields({
  outcome: optional(oneOf<RunOutcome>(runOutcomes)),
  after: afterInstallation,
  limit,
})
