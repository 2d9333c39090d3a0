import { findLeadDeal } from '../../deals/changes/deal.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { billersSeen, personOf } from './erasure.ts'
import { findCustomerInstallations, listCustomerInvoices } from './installation-queries.ts'
import { countHeld, findOthers, type Held, type OtherLead } from './person-queries.ts'
import { keepsInvoiceNames } from './retention-queries.ts'

export interface ErasurePreview extends Held {
  leadId: string
  /** Empty once it is erased. */
  name: string
  erasedAt: Date | null
  sold: boolean
  installations: number
  drafts: number
  /** Finalised ones: they stay. */
  invoices: number
  keepsInvoiceNames: boolean
  /** A plan bills the customer still, so they cannot be erased yet. */
  billed: boolean
  others: OtherLead[]
}

const maxInvoices = 1_000

/** What is kept of a lead's customer, and what erasing them would take. */
export async function previewErasure(ctx: Context, key: string): Promise<ErasurePreview> {
  const { db } = ctx
  const scope = scopeOf(ctx)
  const deal = await findLeadDeal(db, scope, key)
  if (!deal) throw notFound('lead')
  authorize(ctx.actor, 'privacy.export')
  const { lead, project } = deal
  const { installerId, companyId } = lead
  const projectId = project?.id ?? null
  const { emails, names, addresses } = personOf(deal)
  const companyIds = billersSeen(ctx.actor, { installerId, companyId, projectId })
  const installations = await findCustomerInstallations(db, { installerId, companyIds, projectId, emails })
  const installationIds = installations.map(({ id }) => id)
  const invoices = await listCustomerInvoices(db, {
    installerId,
    companyIds,
    installationIds,
    emails,
    names,
    addresses,
    after: '',
    limit: maxInvoices,
  })
  const drafts = invoices.filter(({ status }) => status === 'draft').length
  return {
    leadId: lead.id,
    name: nameOf(deal.lead.customer),
    erasedAt: lead.erasedAt,
    sold: project !== null,
    ...(await countHeld(db, { installerId, leadId: lead.id, projectId })),
    installations: installations.length,
    drafts,
    invoices: invoices.length - drafts,
    keepsInvoiceNames: await keepsInvoiceNames(db, { installerId, companyId }),
    billed: installations.some(({ billed }) => billed),
    others: lead.erasedAt ? [] : await findOthers(db, scope, deal),
  }
}

/** As somebody types it to say that they mean it. */
export function nameOf({
  firstName,
  lastName,
}: {
  firstName: string | null
  lastName: string | null
}): string {
  return [firstName, lastName].filter(Boolean).join(' ')
}
