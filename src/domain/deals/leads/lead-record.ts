import { newId } from '../../../platform/ids.ts'
import type { Address } from '../../kernel/contact.ts'
import type { Context } from '../../kernel/context.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { Lead, LeadStatus } from './lead.ts'

export interface LeadDetails {
  firstName: string
  lastName: string
  address: Address
  email?: string | null
  phone?: string | null
  notes?: string | null
  externalId?: string | null
  productLine?: ProductLine
  reference?: string | null
  status?: Exclude<LeadStatus, 'sold'>
  coBorrower?: Lead['coBorrower']
  utility?: Lead['utility']
  source?: Lead['source']
}

/** A lead as it begins, in one of the tenant's companies. */
export function leadRecord(
  { actor, now }: Context,
  companyId: string,
  details: LeadDetails & Pick<Lead, 'salesRepId' | 'setterId'>,
): Lead {
  return {
    installerId: actor.installerId,
    id: newId('lead'),
    companyId,
    reference: details.reference ?? null,
    productLine: details.productLine ?? 'solar',
    status: details.status ?? 'new',
    archived: false,
    createdAt: now,
    updatedAt: now,
    customer: {
      firstName: details.firstName,
      lastName: details.lastName,
      email: details.email || null,
      phone: details.phone || null,
    },
    coBorrower: details.coBorrower ?? null,
    address: details.address,
    utility: details.utility ?? { name: null, monthlyBill: null },
    source: details.source ?? { name: null, subSource: null },
    externalId: details.externalId || null,
    notes: details.notes || null,
    salesRepId: details.salesRepId,
    setterId: details.setterId,
    projectId: null,
    erasedAt: null,
  }
}
