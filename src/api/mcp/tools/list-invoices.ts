import Type from 'typebox'
import { type InvoiceStatus, invoiceStatuses } from '../../../domain/billing/invoices/invoice.ts'
import { invoiceList, invoicesOfInstallation, readInvoice } from '../../../domain/billing/invoices/queries.ts'
import { confinedTo, scopeOf } from '../../../domain/kernel/context.ts'
import { notFound } from '../../../domain/kernel/domain-error.ts'
import { readOfInstallation } from '../../../domain/kernel/installation-lists.ts'
import { findInstallationOwner } from '../../../domain/sites/installations/queries.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { nextPage, numberedPaging, pageAsked } from '../numbered.ts'
import { readingTool } from '../tool.ts'
import { choice, Holds, id, records } from '../words.ts'

export const listInvoices = readingTool({
  name: 'list_invoices',
  title: 'List invoices, or read one',
  description:
    'Invoices, the newest first, narrowed by status or installation; or one with its lines by `id`. Lists leave the lines out.',
  of: 'catalog',
  needs: 'billing.read',
  input: Fields({
    id: optional(id('Reads this invoice, with its lines')),
    status: optional(choice<InvoiceStatus>(invoiceStatuses, 'Only of this status')),
    installation_id: optional(id('Only of this installation')),
    ...numberedPaging,
  }),
  output: Holds({
    invoices: records(
      'As GET /catalog/v1/billing/invoices reads them; the customer and lines under `untrusted`',
    ),
    total: Type.Integer({ description: 'How many there are' }),
    next_page: nextPage,
  }),
  async read({ deps, ctx }, { id: one, status, installation_id: of, ...asked }) {
    const scope = scopeOf(ctx)
    if (one !== undefined) {
      const invoice = await readInvoice(ctx.db, scope.installerId, confinedTo(ctx.actor), one)
      if (!invoice) throw notFound('invoice')
      return { invoices: [invoiceApart(JSON.parse(invoice), true)], total: 1, next_page: null }
    }
    if (of !== undefined && (await findInstallationOwner(ctx.db, scope, of)) === null)
      throw notFound('installation')
    const { page, nextOf } = pageAsked(asked)
    const { records, total } =
      of === undefined
        ? await deps.numberedPage(ctx.db, invoiceList, scope, { status }, page)
        : await readOfInstallation(ctx.db, invoicesOfInstallation, scope, of, { status }, page)
    const invoices = (JSON.parse(`[${records}]`) as object[]).map((invoice) => invoiceApart(invoice, false))
    return { invoices, total, next_page: nextOf(total) }
  },
})

const maxLines = 100

export function invoiceApart(invoice: object, withLines: boolean): object {
  const { customer, line_items, ...rest } = invoice as { customer: object; line_items: object[] }
  if (!withLines) return { ...rest, untrusted: { customer } }
  const shown = { ...rest, untrusted: { customer, line_items: line_items.slice(0, maxLines) } }
  const left = line_items.length - maxLines
  return left <= 0
    ? shown
    : { ...shown, more: `${left} more lines: GET /catalog/v1/billing/invoices/{id} has them all.` }
}
