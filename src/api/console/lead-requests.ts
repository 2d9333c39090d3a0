import Type, { type Static } from 'typebox'
import { leadOrders } from '../../domain/deals/leads/first-leads.ts'
import { countryPattern, type LeadStatus, leadLimits, leadStatuses } from '../../domain/deals/leads/lead.ts'
import { maxLeads } from '../../domain/deals/leads/list-queries.ts'
import { emailPattern } from '../../domain/kernel/email.ts'
import { sortTexts } from '../../domain/kernel/sorting.ts'
import { type ProductLine, productLines } from '../../domain/kernel/tenant/stage.ts'
import { Fields, limitTo, nextPage, oneOf, optional, textOrNull } from '../http/schema-words.ts'
import { Seen } from './seen.ts'

const name = Type.String({ minLength: 1, maxLength: leadLimits.name })
const nameOrEmpty = Type.String({ maxLength: leadLimits.name })
const email = Type.String({
  maxLength: leadLimits.email,
  pattern: `^$|^${emailPattern}$`,
  'x-message': 'must be an email address, such as ada@example.com',
})
const phone = Type.String({ maxLength: leadLimits.phone })
const notes = Type.String({ maxLength: leadLimits.notes })
const country = Type.String({
  pattern: countryPattern,
  'x-message': 'must be a two-letter country code, such as US',
})
/** Decimals are texts, to stay exact. */
const amountOrEmpty = Type.String({
  pattern: '^$|^\\d{1,10}(\\.\\d{1,2})?$',
  'x-message': 'must be an amount such as 182.50, as a text',
})
const memberOrNull = textOrNull({ minLength: 1, maxLength: 64 })

const contact = {
  firstName: optional(nameOrEmpty),
  lastName: optional(nameOrEmpty),
  email: optional(email),
  phone: optional(phone),
}
const utility = { name: optional(nameOrEmpty), monthlyBill: optional(amountOrEmpty) }
const source = { name: optional(nameOrEmpty), subSource: optional(nameOrEmpty) }

export const LeadListQuery = Fields({
  search: optional(Type.String({ maxLength: 200 })),
  status: optional(oneOf<LeadStatus>(leadStatuses)),
  line: optional(oneOf<ProductLine>(productLines)),
  rep: optional(Type.String({ maxLength: 64 })),
  setter: optional(Type.String({ maxLength: 64 })),
  company: optional(Type.String({ maxLength: 64 })),
  source: optional(Type.String({ maxLength: 200 })),
  archived: optional(oneOf(['only', 'all'] as const)),
  sort: optional(oneOf(sortTexts(leadOrders))),
  after: nextPage('^\\d{1,13}-lead_[0-9a-z]{10,40}$'),
  limit: limitTo(maxLeads),
})

export const NewLeadBody = Fields({
  firstName: name,
  lastName: name,
  address: Fields({
    line1: name,
    line2: optional(nameOrEmpty),
    city: name,
    state: name,
    postalCode: name,
    country: optional(country),
  }),
  email: optional(email),
  phone: optional(phone),
  notes: optional(notes),
  externalId: optional(Type.String({ maxLength: leadLimits.externalId })),
  productLine: optional(oneOf<ProductLine>(productLines)),
  status: optional(
    oneOf(leadStatuses.filter((status): status is Exclude<LeadStatus, 'sold'> => status !== 'sold')),
  ),
  coBorrower: optional(Fields(contact)),
  utility: optional(Fields(utility)),
  source: optional(Fields(source)),
  salesRepId: optional(memberOrNull),
  setterId: optional(memberOrNull),
})
export type NewLeadBody = Static<typeof NewLeadBody>

/** Absent fields are kept; empty text clears what may be empty. */
export const LeadPatchBody = Fields(
  {
    seen: optional(Seen),
    ...contact,
    firstName: optional(name),
    lastName: optional(name),
    notes: optional(notes),
    address: optional(
      Fields({
        line1: optional(name),
        line2: optional(nameOrEmpty),
        city: optional(name),
        state: optional(name),
        postalCode: optional(name),
        country: optional(country),
      }),
    ),
    coBorrower: optional(Fields(contact)),
    utility: optional(Fields(utility)),
    source: optional(Fields(source)),
    status: optional(oneOf<LeadStatus>(leadStatuses)),
    salesRepId: optional(memberOrNull),
    setterId: optional(memberOrNull),
  },
  { minProperties: 1 },
)
export type LeadPatchBody = Static<typeof LeadPatchBody>

const maxAtOnce = 200

export const BulkBody = Fields({
  ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: maxAtOnce }),
  assign: optional(
    Fields({ rep: optional(memberOrNull), setter: optional(memberOrNull) }, { minProperties: 1 }),
  ),
  archive: optional(Type.Boolean()),
})
export type BulkBody = Static<typeof BulkBody>
