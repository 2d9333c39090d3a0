import { createInvoice, previewInvoice } from '../billing/invoices/create-invoice.ts'
import { finalizeInvoice } from '../billing/invoices/finalize-invoice.ts'
import { type Invoice, subtotalOf } from '../billing/invoices/invoice.ts'
import { requireInvoiceFor } from '../billing/invoices/on-invoice.ts'
import { findProjectDeal } from '../deals/changes/deal.ts'
import { scopeOf } from '../kernel/context.ts'
import { notFound } from '../kernel/domain-error.ts'
import { authorize } from '../kernel/policy.ts'
import type { Proposable, RequestOf } from './agent-proposal.ts'
import { amountInWords } from './in-words.ts'

/** A new draft, finalized at once where that is asked for. */
export const draftInvoice: Proposable<RequestOf<'draftInvoice'>> = {
  action: 'billing.draft',

  async foresee(ctx, { invoice: input, finalize, project }, companyId) {
    if (finalize) authorize(ctx.actor, 'billing.finalize')
    const draft = await previewInvoice(ctx, input, companyId)
    const deal = project === undefined ? null : await findProjectDeal(ctx.db, scopeOf(ctx), project)
    if (project !== undefined && !deal) throw notFound('project')
    const { currency, customer, lineItems, installationId, creditApplied } = draft
    const follows = lineItems.map(
      ({ description, amount }) => `${description}: ${amountInWords(amount, currency)}.`,
    )
    if (creditApplied !== '0.00')
      follows.push(`${amountInWords(creditApplied, currency)} of it is covered by the customer’s credit.`)
    follows.push(
      ...(finalize ? finalized(draft) : ['A draft is made. Nothing is owed before it is finalized.']),
    )
    const { name, email, address } = customer
    const { periodStart, periodEnd, dueDate } = draft
    const meaning = [
      ...[finalize === true, installationId ?? deal?.project.id ?? null, name, email, address],
      ...[currency, periodStart, periodEnd, dueDate, lineItems],
    ]
    const what = `an invoice of ${amountInWords(subtotalOf(draft), currency)} for ${name}`
    return {
      about: {
        leadId: deal?.lead.id ?? null,
        projectId: deal?.project.id ?? null,
        installationId,
        invoiceId: null,
      },
      basis: null,
      meaning,
      summary: finalize ? `Bill ${what}` : `Draft ${what}`,
      follows,
    }
  },

  async carryOut(ctx, { invoice, finalize }, companyId) {
    const { id } = await createInvoice(ctx, invoice, companyId)
    if (finalize) await finalizeInvoice(ctx, id)
    return { resultId: id }
  },
}

/** A draft becomes an invoice that is owed. */
export const finalizing: Proposable<RequestOf<'finalizeInvoice'>> = {
  action: 'billing.finalize',

  async foresee(ctx, { invoice: id }) {
    const invoice = await requireInvoiceFor(ctx.db, ctx, id, 'finalize', undefined)
    const { installationId, version, currency, customer } = invoice
    return {
      about: { leadId: null, projectId: null, installationId, invoiceId: invoice.id },
      basis: String(version),
      meaning: invoice.id,
      summary: `Finalize the draft of ${amountInWords(subtotalOf(invoice), currency)} for ${customer.name}`,
      follows: finalized(invoice),
    }
  },

  carryOut: async (ctx, { invoice }) => ({ resultId: (await finalizeInvoice(ctx, invoice)).id }),
}

function finalized({ amountDue, currency, dueDate, paymentTermDays }: Invoice): string[] {
  const due = dueDate === null ? `within ${paymentTermDays} days` : `on ${dueDate}`
  return [
    'It gets its number, and can then only be paid or voided.',
    amountDue === '0.00'
      ? 'It asks for nothing, so it is paid at once.'
      : `${amountInWords(amountDue, currency)} is due ${due}.`,
  ]
}
