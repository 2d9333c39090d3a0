import type { NewLead } from '../../domain/deals/leads/prepare-lead.ts'
import type { NewLeadBody } from './request-schemas.ts'

/** A body in the words of the domain. */
export function newLeadOf({ address, ...body }: NewLeadBody): NewLead {
  return {
    ...body,
    address: {
      line1: address.line1,
      line2: address.line2 || null,
      city: address.city,
      state: address.state,
      postalCode: address.postalCode,
      country: address.country?.toUpperCase() ?? 'US',
    },
  }
}
