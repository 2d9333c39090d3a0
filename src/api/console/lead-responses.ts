import type { Deal } from '../../domain/deals/changes/deal.ts'
import type { DuplicateRow } from '../../domain/deals/leads/duplicate-queries.ts'
import type { Lead, LeadStatus } from '../../domain/deals/leads/lead.ts'
import type { LeadRow } from '../../domain/deals/leads/list-queries.ts'
import { sellsLead } from '../../domain/deals/leads/who-may.ts'
import type { Address, Contact } from '../../domain/kernel/contact.ts'
import type { Actor } from '../../domain/kernel/context.ts'
import type { Figure } from '../../domain/kernel/counted.ts'
import type { Decimal } from '../../domain/kernel/money.ts'
import { may } from '../../domain/kernel/policy.ts'
import type { Directory } from '../../domain/kernel/tenant/directory.ts'
import type { ProductLine } from '../../domain/kernel/tenant/stage.ts'

type Written<Row> = Omit<Row, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string }

export type LeadListed = Written<LeadRow>

export interface LeadList {
  leads: LeadListed[]
  /** For `after`; null at the end. */
  next: string | null
  /** On the first page alone. */
  total: Figure | null
}

export interface LeadDuplicates {
  duplicates: Written<DuplicateRow>[]
}

export interface LeadPerson {
  id: string
  name: string
  email: string
  phone: string | null
}

/** A lead with everything that its page shows. */
export interface LeadResponse {
  id: string
  reference: string | null
  externalId: string | null
  productLine: ProductLine
  status: LeadStatus
  archived: boolean
  /** Since when nothing says who it was. */
  erasedAt: string | null
  createdAt: string
  updatedAt: string
  /** Grows with every change. */
  version: number
  company: { id: string; name: string }
  customer: Contact
  coBorrower: Contact | null
  address: Address
  utility: { name: string | null; monthlyBill: Decimal | null }
  source: Lead['source']
  notes: string | null
  salesRepId: string | null
  setterId: string | null
  salesRep: LeadPerson | null
  setter: LeadPerson | null
  project: { id: string; reference: string | null; stage: string } | null
  links: { record: string }
  can: {
    edit: boolean
    sell: boolean
    archive: boolean
    /** Hand out what is known about the customer. */
    export: boolean
    /** Erase it: once they have bought, only the installer does. */
    erase: boolean
  }
}

export function leadResponse(
  { lead, project }: Deal,
  directory: Directory,
  actor: Actor,
  baseUrl: string,
): LeadResponse {
  const person = (id: string | null) => {
    const member = id ? directory.members.get(id) : undefined
    return member ? { id: member.id, name: member.name, email: member.email, phone: member.phone } : null
  }
  const sale = may(actor, 'sales.read')
  const isErased = lead.erasedAt !== null
  return {
    id: lead.id,
    reference: lead.reference,
    externalId: lead.externalId,
    productLine: lead.productLine,
    status: lead.status,
    archived: lead.archived,
    erasedAt: lead.erasedAt?.toISOString() ?? null,
    createdAt: lead.createdAt.toISOString(),
    updatedAt: lead.updatedAt.toISOString(),
    version: lead.updatedAt.getTime(),
    company: { id: lead.companyId, name: directory.companies.get(lead.companyId)?.name ?? '' },
    customer: lead.customer,
    coBorrower: lead.coBorrower,
    address: lead.address,
    utility: sale ? lead.utility : { ...lead.utility, monthlyBill: null },
    source: lead.source,
    notes: sale ? lead.notes : null,
    salesRepId: lead.salesRepId,
    setterId: lead.setterId,
    salesRep: person(lead.salesRepId),
    setter: person(lead.setterId),
    project: project && {
      id: project.id,
      reference: project.reference,
      stage: directory.stages.get(project.stageId)?.name ?? '',
    },
    links: { record: `${baseUrl}/leads/${lead.id}` },
    can: {
      edit: !isErased && may(actor, 'leads.change'),
      sell: !isErased && project === null && sellsLead(actor, lead),
      archive: !isErased && may(actor, 'leads.changeMany'),
      export: !isErased && may(actor, 'privacy.export'),
      erase: !isErased && may(actor, project ? 'privacy.eraseBuyer' : 'privacy.erase'),
    },
  }
}
