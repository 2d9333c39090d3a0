import Type, { type TSchema } from 'typebox'
import { invoiceStatuses } from '../../domain/billing/invoices/invoice.ts'
import { paymentMethods } from '../../domain/billing/payments/payment.ts'
import { planKinds, type planRecord } from '../../domain/billing/plans/plan.ts'
import { Answer, number, oneOf, orNull, ref, text, timestamp } from '../http/schema-words.ts'
import { exampleIds } from './example-ids.ts'
import { changesSchema, listSchema } from './paging.ts'

const day = (description?: string) => Type.String({ format: 'date', ...(description ? { description } : {}) })
const money = (description?: string) =>
  Type.Number({ description: `${description ?? 'Money'}, in whole cents` })

const customerExample = {
  name: 'Ada Moreno',
  email: 'ada@example.com',
  address: '1 Market St, San Diego, CA',
}
const invoiceExample = {
  id: exampleIds.invoice,
  number: '1001-000042',
  status: 'open',
  currency: 'USD',
  subtotal: 146.25,
  credit_applied: 0,
  amount_due: 146.25,
  amount_paid: 0,
  amount_remaining: 146.25,
  installation_id: exampleIds.installation,
  customer: customerExample,
  period_start: '2026-10-01',
  period_end: '2026-10-31',
  due_date: '2026-12-01',
  line_items: [
    {
      description: 'Solar energy, Oct 1, 2026 – Oct 31, 2026',
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
  updated_at: '2026-11-01T17:30:00.000Z',
}
const planExample: ReturnType<typeof planRecord> = {
  installation_id: exampleIds.installation,
  kind: 'ppa',
  rate: 0.13,
  escalator_percent: 2.9,
  start_date: '2026-03-15',
  currency: 'USD',
  customer: customerExample,
  payment_term_days: 30,
  completeness_percent: 95,
  held_months: [
    {
      month: '2026-10',
      reason: '82.4% of the daylight readings received, 95% needed; Panel 7 sent 0%',
    },
  ],
  created_at: '2026-03-10T17:00:00.000Z',
  updated_at: '2026-03-10T17:00:00.000Z',
}

const Customer = Answer(
  {
    name: text('As it stands on the invoice'),
    email: orNull(text(), 'Where invoices go; null where nobody said'),
    address: orNull(text(), 'In one text; null where nobody said'),
  },
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
    subtotal: money('What the lines come to'),
    credit_applied: money(
      'What of it is covered by the customer’s credits: a draft takes those that are there, and once more when it is finalized',
    ),
    amount_due: money('The subtotal less the credit'),
    amount_paid: money('What was paid so far; stays on a void one, where it became a credit or a refund'),
    amount_remaining: money('What was not; nothing on a void one'),
    installation_id: orNull(text(), 'The installation that is billed; null where it is for none'),
    customer: ref('BilledCustomer'),
    period_start: orNull(day(), 'The first day that is billed; null where it bills no time'),
    period_end: orNull(day('Included')),
    due_date: orNull(
      day(),
      'Null in a draft where none is set: the payment term begins when it is finalized',
    ),
    line_items: Type.Array(
      Answer({
        description: text('What is billed'),
        quantity: number('Up to six decimal places'),
        unit: text('What is counted, such as kWh'),
        unit_price: number('Up to six decimal places'),
        amount: money('Quantity by price, half a cent away from zero'),
      }),
      { description: 'What is billed, line by line' },
    ),
    created_at: timestamp('When it was drafted'),
    finalized_at: orNull(timestamp(), 'When it got its number; null while it is a draft'),
    paid_at: orNull(timestamp(), 'When the whole was paid; null before'),
    voided_at: orNull(timestamp(), 'When it was voided; null unless it is'),
    updated_at: timestamp('When it changed last'),
  },
  {
    $id: 'Invoice',
    description: 'Computed in exact decimals; amounts are numbers of whole cents.',
    examples: [invoiceExample],
  },
)

const BillingPlan = Answer(
  {
    installation_id: text('The installation that it bills'),
    kind: oneOf(planKinds, { description: '`ppa` bills each kWh, `lease` each month' }),
    rate: number('For a kWh or a month, in the first year'),
    escalator_percent: number('By how much the rate grows on each anniversary of the start'),
    start_date: day('The first day that is billed'),
    currency: text('ISO 4217'),
    customer: ref('BilledCustomer'),
    payment_term_days: Type.Integer({ description: 'From when an invoice is finalized to when it is due' }),
    completeness_percent: number('A month of which less than this came in is held'),
    held_months: Type.Array(Answer({ month: text('YYYY-MM'), reason: text('What is missing') }), {
      description:
        'Months that are not billed yet because readings are missing. They are billed when enough has come in, or when somebody releases them',
    }),
    created_at: timestamp('When the installation got a plan'),
    updated_at: timestamp('When the plan was set as it is'),
  },
  { $id: 'BillingPlan', description: 'What an installation’s customer pays.', examples: [planExample] },
)

const transfer = {
  method: orNull(oneOf(paymentMethods), 'How the money moved; null where nobody said'),
  reference: orNull(text(), 'The number of a check or a transfer, for example'),
}

const Payment = Answer(
  {
    id: text('The payment’s id'),
    amount: money('What was paid'),
    ...transfer,
    received_on: day('The day the money came'),
    created_at: timestamp('When it was noted'),
  },
  {
    $id: 'Payment',
    description: 'A payment of an invoice. It is never changed.',
    examples: [
      {
        id: exampleIds.payment,
        amount: 50,
        method: 'check',
        reference: '1042',
        received_on: '2026-11-12',
        created_at: '2026-11-12T17:30:00.000Z',
      },
    ],
  },
)

const Credit = Answer(
  {
    id: text('The credit’s id'),
    reason: oneOf(['voided_invoice', 'closing_invoice'], {
      description:
        '`voided_invoice`: it was paid on an invoice that was voided; `closing_invoice`: after the end of its plan, too much was found to have been billed',
    }),
    invoice_id: text('The invoice that it comes from'),
    installation_id: orNull(text(), 'The installation of that invoice; null where it was for none'),
    customer: ref('BilledCustomer'),
    currency: text('ISO 4217'),
    amount: money('What was paid too much'),
    amount_used: money('What invoices use of it'),
    amount_refunded: money('What was paid back'),
    amount_remaining: money('What is left'),
    uses: Type.Array(
      Answer({ invoice_id: text('The invoice that uses it'), amount: money('How much it uses') }),
      { description: 'Which invoices use it' },
    ),
    refunds: Type.Array(
      Answer({
        id: text('The refund’s id'),
        amount: money('What was paid back'),
        ...transfer,
        refunded_on: day('The day it was paid back'),
        created_at: timestamp('When it was noted'),
      }),
      { description: 'What was paid back' },
    ),
    created_at: timestamp('When it came to be'),
  },
  {
    $id: 'Credit',
    description:
      'What a customer paid on an invoice that was voided, or what the closing invoice of a plan that has ended leaves in their favour. Their next invoices in the same currency use it, the oldest credit first; a draft that is deleted and an invoice that is voided give it back.',
    examples: [
      {
        id: exampleIds.credit,
        reason: 'voided_invoice',
        invoice_id: exampleIds.invoice,
        installation_id: exampleIds.installation,
        customer: customerExample,
        currency: 'USD',
        amount: 40,
        amount_used: 30,
        amount_refunded: 0,
        amount_remaining: 10,
        uses: [{ invoice_id: exampleIds.laterInvoice, amount: 30 }],
        refunds: [],
        created_at: '2026-11-12T17:30:00.000Z',
      },
    ],
  },
)

const ReleasedMonth = Answer(
  {
    installation_id: text('The installation that is billed'),
    month: text('YYYY-MM'),
    outcome: text('`drafted`, or what else the monthly run makes of it'),
    invoice_id: orNull(text(), 'The draft'),
    detail: orNull(text(), 'Why it has none'),
  },
  {
    $id: 'ReleasedMonth',
    description: 'What came of a month that was held.',
    examples: [
      {
        installation_id: planExample.installation_id,
        month: '2026-05',
        outcome: 'drafted',
        invoice_id: exampleIds.invoice,
        detail: null,
      },
    ],
  },
)

export const billingSchemas: readonly TSchema[] = [
  ReleasedMonth,
  Customer,
  Invoice,
  BillingPlan,
  Payment,
  Credit,
  changesSchema('InvoiceList', 'Invoice'),
  listSchema('BillingPlanList', 'BillingPlan'),
  listSchema('PaymentList', 'Payment'),
  listSchema('CreditList', 'Credit'),
]
