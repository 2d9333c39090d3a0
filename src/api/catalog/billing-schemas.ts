import Type, { type TSchema } from 'typebox'
import { invoiceStatuses } from '../../domain/invoices/invoice.ts'
import { planKinds } from '../../domain/invoices/plan.ts'
import { Answer, number, oneOf, orNull, ref, text, timestamp } from '../http/schema-words.ts'
import { listSchema } from './paging.ts'

const day = (description?: string) => Type.String({ format: 'date', ...(description ? { description } : {}) })
const money = (description?: string) =>
  Type.Number({ description: `${description ?? 'Money'}, in whole cents` })

const customerExample = {
  name: 'Ada Moreno',
  email: 'ada@example.com',
  address: '1 Market St, San Diego, CA',
}
const invoiceExample = {
  id: 'inv_01jcq5d8m0b6x7v2k9fz3h4t1w',
  number: '1001-000042',
  status: 'open',
  currency: 'USD',
  amount_due: 146.25,
  amount_paid: 0,
  amount_remaining: 146.25,
  installation_id: 'inst_01jcq5d8m0b6x7v2k9fz3h4t1w',
  customer: customerExample,
  period_start: '2026-10-01',
  period_end: '2026-10-31',
  due_date: '2026-12-01',
  line_items: [
    {
      description: 'Solar energy, 2026-10-01 to 2026-10-31',
      quantity: 1125,
      unit: 'kWh',
      unit_price: 0.13,
      amount: 146.25,
    },
  ],
  created_at: '2026-11-01T08:00:00.000Z',
  finalized_at: '2026-11-01T17:30:00.000Z',
  paid_at: null,
  voided_at: null,
}
const planExample = {
  installation_id: 'inst_01jcq5d8m0b6x7v2k9fz3h4t1w',
  kind: 'ppa',
  rate: 0.13,
  escalator_percent: 2.9,
  start_date: '2026-03-15',
  currency: 'USD',
  customer: customerExample,
  payment_term_days: 30,
  held_months: [{ month: '2026-10', reason: 'no readings on 2026-10-31' }],
  created_at: '2026-03-10T17:00:00.000Z',
  updated_at: '2026-03-10T17:00:00.000Z',
}

const Customer = Answer(
  { name: text(), email: orNull(text()), address: orNull(text()) },
  { $id: 'BilledCustomer', description: 'Who is billed.', examples: [customerExample] },
)

const Invoice = Answer(
  {
    id: text("The service's own id"),
    number: orNull(text(), 'The company’s number and its next one, without gaps; null while it is a draft'),
    status: oneOf(invoiceStatuses, {
      description: 'draft → open → paid, open → void; paid and void are final',
    }),
    currency: text('ISO 4217'),
    amount_due: money('What the lines come to'),
    amount_paid: money('What was paid so far'),
    amount_remaining: money('What was not'),
    installation_id: orNull(text()),
    customer: ref('BilledCustomer'),
    period_start: orNull(day()),
    period_end: orNull(day('Included')),
    due_date: orNull(
      day(),
      'Null in a draft where none is set: the payment term begins when it is finalized',
    ),
    line_items: Type.Array(
      Answer({
        description: text(),
        quantity: number('Up to six decimal places'),
        unit: text(),
        unit_price: number('Up to six decimal places'),
        amount: money('Quantity by price, half a cent away from zero'),
      }),
    ),
    created_at: timestamp(),
    finalized_at: orNull(timestamp()),
    paid_at: orNull(timestamp()),
    voided_at: orNull(timestamp()),
  },
  {
    $id: 'Invoice',
    description: 'Computed in exact decimals; amounts are numbers of whole cents.',
    examples: [invoiceExample],
  },
)

const BillingPlan = Answer(
  {
    installation_id: text(),
    kind: oneOf(planKinds, { description: '`ppa` bills each kWh, `lease` each month' }),
    rate: number('For a kWh or a month, in the first year'),
    escalator_percent: number('By how much the rate grows on each anniversary of the start'),
    start_date: day('The first day that is billed'),
    currency: text('ISO 4217'),
    customer: ref('BilledCustomer'),
    payment_term_days: Type.Integer({ description: 'From when an invoice is finalized to when it is due' }),
    held_months: Type.Array(Answer({ month: text('YYYY-MM'), reason: text() }), {
      description: 'Months that are not billed yet because energy data is missing',
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { $id: 'BillingPlan', description: 'What an installation’s customer pays.', examples: [planExample] },
)

export const billingSchemas: readonly TSchema[] = [
  Customer,
  Invoice,
  BillingPlan,
  listSchema('InvoiceList', 'Invoice'),
]
