import { hash } from 'node:crypto'
import type { Address, Contact } from '../../kernel/contact.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'

export const leadStatuses = [
  'new',
  'contacted',
  'nurture',
  'appointmentSet',
  'proposalSent',
  'sold',
  'lost',
  'unqualified',
] as const
export type LeadStatus = (typeof leadStatuses)[number]

/** As a sentence has them. */
export const statusWords: Record<LeadStatus, string> = {
  new: 'new',
  contacted: 'contacted',
  nurture: 'nurture',
  appointmentSet: 'appointment set',
  proposalSent: 'proposal sent',
  sold: 'sold',
  lost: 'lost',
  unqualified: 'unqualified',
}

export interface Lead {
  installerId: string
  id: string
  companyId: string
  reference: string | null
  productLine: ProductLine
  status: LeadStatus
  archived: boolean
  createdAt: Date
  updatedAt: Date
  customer: Contact
  coBorrower: Contact | null
  address: Address
  utility: { name: string | null; monthlyBill: Decimal | null }
  source: { name: string | null; subSource: string | null }
  externalId: string | null
  notes: string | null
  salesRepId: string | null
  setterId: string | null
  projectId: string | null
  /** Since when nothing in it says who the customer was, by their own wish or the company's. */
  erasedAt: Date | null
}

/** What is kept of an id of a company's own system once the lead is erased: enough to know it when it is sent again. */
export function externalIdHash(companyId: string, externalId: string): string {
  return hash('sha256', `${companyId}\n${externalId}`, 'hex')
}

/** How many characters a lead's texts may have, whichever way they come in. */
export const leadLimits = { name: 200, email: 320, phone: 40, notes: 20_000, externalId: 128 } as const

/** A country is its two letters. */
export const countryPattern = '^[A-Za-z]{2}$'
