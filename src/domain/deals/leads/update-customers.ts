import { type Context, scopeOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/domain-error.ts'
import { findLeadDeal } from '../changes/deal.ts'
import type { Lead } from './lead.ts'
import type { LeadPatch } from './patch-lead.ts'
import { phoneDigits } from './phone.ts'
import { updateLead } from './update-lead.ts'

/** One of a lead's two customers; absent fields are kept, empty text and null clear. */
export interface CustomerUpdate {
  firstName?: string
  lastName?: string
  email?: string
  phone?: number | null
}

/** Changes a lead's customers by a caller that knows phones as numbers: one it sends back stays as it is written. */
export async function updateCustomers(
  ctx: Context,
  key: string,
  primary: CustomerUpdate,
  secondary: CustomerUpdate,
): Promise<Lead> {
  const deal = await findLeadDeal(ctx.db, scopeOf(ctx), key)
  if (!deal) throw notFound('lead')
  const { customer, coBorrower } = deal.lead
  const patch: LeadPatch = texts(primary, customer.phone)
  const partner = texts(secondary, coBorrower?.phone ?? null)
  if (Object.keys(partner).length > 0) patch.coBorrower = partner
  return (await updateLead(ctx, key, patch)).deal.lead
}

function texts({ phone, ...rest }: CustomerUpdate, held: string | null) {
  if (phone === undefined || phone === phoneDigits(held)) return rest
  return { ...rest, phone: phone === null ? '' : String(phone) }
}
