import Type, { type Static } from 'typebox'
import { createInvoice, type NewInvoice } from '../../../domain/billing/invoices/create-invoice.ts'
import { finalizeInvoice } from '../../../domain/billing/invoices/finalize-invoice.ts'
import { type Invoice, remainingOf } from '../../../domain/billing/invoices/invoice.ts'
import { findProjectDeal } from '../../../domain/deals/changes/deal.ts'
import { type Context, scopeOf } from '../../../domain/kernel/context.ts'
import { DomainError, notFound } from '../../../domain/kernel/domain-error.ts'
import { emailPattern } from '../../../domain/kernel/email.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { type Outcome, type ToolCall, writingTool } from '../tool.ts'
import { Deciding, day, id, said, Written } from '../words.ts'

const input = Deciding({
  invoice_id: optional(id('A draft to finalize; then nothing else is needed')),
  project_id: optional(id('Bills this project’s customer')),
  installation_id: optional(id('Bills this installation’s customer')),
  customer: optional(
    Fields(
      {
        name: said(200, 'Whom it is for'),
        email: optional(
          Type.String({
            maxLength: 320,
            pattern: `^$|^${emailPattern}$`,
            'x-message': 'must be an email address',
            description: 'Their email',
          }),
        ),
        address: optional(Type.String({ maxLength: 500, description: 'Their address in one line' })),
      },
      { description: 'Where it is for neither a project nor an installation, or for somebody else' },
    ),
  ),
  line_items: optional(
    Type.Array(
      Fields({
        description: said(500, 'What it is for'),
        quantity: optional(Type.Number({ minimum: -1e9, maximum: 1e9, description: '1 when absent' })),
        unit: optional(said(40, '`each` when absent')),
        unit_price: Type.Number({ minimum: -1e9, maximum: 1e9, description: 'Negative for a discount' }),
      }),
      { minItems: 1, maxItems: 100, description: 'What is billed' },
    ),
  ),
  due_date: optional(day('When it is due; by the payment term when absent')),
  finalize: optional(
    Type.Boolean({
      default: false,
      description: 'Gives it its number and makes it open: it can then only be paid or voided',
    }),
  ),
})
type Input = Static<typeof input>

export const bill = writingTool({
  name: 'bill',
  title: 'Draft or finalize an invoice',
  description:
    'Drafts an invoice for a project, an installation or any customer, and finalizes it where that is asked for; or finalizes a draft. Amounts are computed, and what the customer has in credits is used.',
  of: 'catalog',
  needs: 'billing.draft',
  destructive: true,
  idempotent: false,
  open: false,
  kept: 'together',
  input,
  output: Written,
  async proposal(call, asked) {
    if (asked.invoice_id !== undefined) return { kind: 'finalizeInvoice', invoice: asked.invoice_id }
    const { project_id: project, finalize = false } = asked
    const invoice = await newInvoice(call, asked)
    return { kind: 'draftInvoice', invoice, finalize, ...(project === undefined ? {} : { project }) }
  },
  async write(call, asked) {
    const { ctx } = call
    if (asked.invoice_id !== undefined) return finalized(ctx, asked)
    const draft = await createInvoice(ctx, await newInvoice(call, asked))
    return outcomeOf(asked.finalize ? await finalizeInvoice(ctx, draft.id) : draft, ['invoice_id', 'number'])
  },
})

async function finalized(ctx: Context, { invoice_id, ...others }: Input): Promise<Outcome> {
  const [other] = Object.keys(others).filter((name) => name !== 'finalize' && name !== 'reason')
  if (other !== undefined)
    throw new DomainError('invalid', `${other}: a draft is finalized as it stands. Leave it out.`)
  return outcomeOf(await finalizeInvoice(ctx, invoice_id!), ['number'])
}

async function newInvoice({ ctx, caller }: ToolCall, asked: Input): Promise<NewInvoice> {
  if (asked.project_id !== undefined && !caller.interfaces.includes('company'))
    throw new DomainError(
      'forbidden',
      'project_id: this key was not made for projects. Bill an installation or a customer.',
    )
  const { project_id, installation_id, customer, line_items, due_date } = asked
  if (!line_items) throw new DomainError('invalid', 'line_items is required: say what is billed.')
  const whose = project_id === undefined ? {} : await ofProject(ctx, project_id)
  return {
    ...whose,
    ...(installation_id === undefined ? {} : { installationId: installation_id }),
    ...(customer
      ? {
          customer: { name: customer.name, email: customer.email || null, address: customer.address || null },
        }
      : {}),
    ...(due_date === undefined ? {} : { dueDate: due_date }),
    lineItems: line_items.map(({ description, quantity = 1, unit = 'each', unit_price }) => ({
      description,
      quantity: String(quantity),
      unit,
      unitPrice: String(unit_price),
    })),
  }
}

/** A project's installation where it is built, else its customer. */
async function ofProject(
  ctx: Context,
  key: string,
): Promise<Pick<NewInvoice, 'installationId' | 'customer'>> {
  const deal = await findProjectDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('project')
  const { customer, address } = deal.lead
  const { line1, line2, city, state, postalCode } = address
  const { installationId } = deal.project
  return {
    ...(installationId === null ? {} : { installationId }),
    customer: {
      name: [customer.firstName, customer.lastName].filter(Boolean).join(' ') || 'Customer',
      email: customer.email,
      address:
        [line1, line2, city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ') ||
        null,
    },
  }
}

function outcomeOf(invoice: Invoice, made: readonly string[]): Outcome {
  const { id, status, number, currency, amountDue, creditApplied, dueDate } = invoice
  const effects = [`Due are ${amountDue} ${currency}`]
  if (dueDate !== null) effects.push(`It is due on ${dueDate}`)
  if (creditApplied !== '0.00') effects.push(`Credits of ${creditApplied} ${currency} are used`)
  if (status === 'draft') effects.push('It is a draft, which bill finalizes by its invoice_id')
  return {
    changed: true,
    summary: status === 'draft' ? 'The invoice is drafted.' : `The invoice is ${status}.`,
    effects,
    record: {
      invoice_id: id,
      status,
      number,
      amount_due: amountDue,
      amount_remaining: remainingOf(invoice),
      currency,
    },
    made,
  }
}
