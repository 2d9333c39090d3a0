import Type, { type Static } from 'typebox'
import { createLead } from '../../../domain/deals/leads/create-lead.ts'
import { leadLimits, leadStatuses } from '../../../domain/deals/leads/lead.ts'
import { findLeadIdByExternalId, readLead } from '../../../domain/deals/leads/queries.ts'
import { type LeadUpdate, updateLead } from '../../../domain/deals/leads/update-lead.ts'
import { confinedTo } from '../../../domain/kernel/context.ts'
import { DomainError, notFound } from '../../../domain/kernel/domain-error.ts'
import { emailPattern } from '../../../domain/kernel/email.ts'
import { productLines } from '../../../domain/kernel/tenant/stage.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { effectsSince, lastEntry } from '../effects.ts'
import { type Outcome, type ToolCall, writingTool } from '../tool.ts'
import { choice, id, said, Writing, Written } from '../words.ts'

const name = (description: string) => optional(said(leadLimits.name, description))
const email = (description: string) =>
  optional(
    Type.String({
      maxLength: leadLimits.email,
      pattern: `^$|^${emailPattern}$`,
      'x-message': 'must be an email address',
      description,
    }),
  )

const statuses = leadStatuses.filter((status) => status !== 'sold')

const input = Writing({
  id: optional(
    id(
      'The lead to change: its id or reference. Without it, a lead is created, or the one of `external_id` changed',
    ),
  ),
  external_id: optional(said(leadLimits.externalId, 'The id that another system has for it')),
  first_name: name('A new lead needs it'),
  last_name: name('A new lead needs it'),
  email: email('Empty text clears it'),
  phone: optional(Type.String({ maxLength: leadLimits.phone, description: 'Empty text clears it' })),
  address: optional(
    Fields(
      {
        line1: said(leadLimits.name, 'Street and number'),
        line2: optional(Type.String({ maxLength: leadLimits.name, description: 'Unit, floor' })),
        city: said(leadLimits.name, 'City'),
        state: said(leadLimits.name, 'State'),
        postal_code: said(leadLimits.name, 'Postal code'),
        country: optional(
          Type.String({
            pattern: '^[A-Za-z]{2}$',
            'x-message': 'must be a two-letter country code',
            description: 'US when absent',
          }),
        ),
      },
      { description: 'Where the house stands, as a whole; a new lead needs it' },
    ),
  ),
  notes: optional(
    Type.String({
      maxLength: leadLimits.notes,
      description: 'Notes on the customer; empty text clears them',
    }),
  ),
  status: optional(choice(statuses, 'It becomes sold by mark_as_sold only')),
  product_line: optional(choice(productLines, 'Of a new lead; solar when absent')),
  sales_rep: email('The email of a member'),
  setter: email('The email of a member'),
})
type Input = Static<typeof input>

export const saveLead = writingTool({
  name: 'save_lead',
  title: 'Create or change a lead',
  description:
    'Changes the lead of `id` or `external_id`, or creates one. Fields that are left out stay as they are. Search first, so that no customer is there twice.',
  of: 'company',
  needs: 'leads.change',
  destructive: false,
  idempotent: false,
  open: false,
  kept: 'together',
  input,
  output: Written,
  async write(call, asked) {
    const known = await findKnown(call, asked)
    return known === null ? create(call, asked) : change(call, known, asked)
  },
})

async function findKnown({ ctx: { db, actor } }: ToolCall, asked: Input): Promise<string | null> {
  if (asked.id !== undefined) {
    const lead = await readLead(db, actor.installerId, confinedTo(actor), asked.id)
    if (!lead) throw notFound('lead')
    return lead.id
  }
  if (asked.external_id === undefined) return null
  return findLeadIdByExternalId(db, actor.installerId, actor.companyId, asked.external_id)
}

function addressOf({ line1, line2, city, state, postal_code, country }: NonNullable<Input['address']>) {
  return {
    line1,
    line2: line2 || null,
    city,
    state,
    postalCode: postal_code,
    country: country?.toUpperCase() ?? 'US',
  }
}

async function create({ ctx }: ToolCall, asked: Input): Promise<Outcome> {
  const { first_name: firstName, last_name: lastName, address } = asked
  const missing = (['first_name', 'last_name', 'address'] as const).filter(
    (field) => asked[field] === undefined,
  )
  if (firstName === undefined || lastName === undefined || address === undefined)
    throw new DomainError(
      'invalid',
      `${missing.map((field) => `${field} is required for a new lead`).join('; ')}.`,
    )
  if (asked.status !== undefined && asked.status !== 'new')
    throw new DomainError('invalid', 'status: a lead begins as new. Change it once it is there.')
  const { email, phone, notes, external_id, product_line, sales_rep, setter } = asked
  const { leadId, created, unassigned } = await createLead(ctx, {
    firstName,
    lastName,
    address: addressOf(address),
    ...(email ? { email } : {}),
    ...(phone ? { phone } : {}),
    ...(notes ? { notes } : {}),
    ...(external_id ? { externalId: external_id } : {}),
    ...(product_line ? { productLine: product_line } : {}),
    ...(sales_rep ? { salesRepEmail: sales_rep } : {}),
    ...(setter ? { setterEmail: setter } : {}),
  })
  const effects = created ? await effectsSince(ctx, leadId, null) : []
  return {
    changed: created,
    summary: created ? 'The lead is created.' : 'A lead with this external_id was there already.',
    effects: [
      ...effects,
      ...unassigned.map((one) => `Nobody is assigned by the email ${one}: no active member has it`),
    ],
    record: { lead_id: leadId, created },
    ...(created ? { made: ['lead_id'] } : {}),
  }
}

async function change({ ctx }: ToolCall, leadId: string, asked: Input): Promise<Outcome> {
  const before = await lastEntry(ctx, leadId)
  if (asked.product_line !== undefined)
    throw new DomainError('invalid', 'product_line: it is that of the lead for good. Leave it out.')
  const { first_name, last_name, email, phone, notes, status, address, sales_rep, setter } = asked
  const update: LeadUpdate = {
    ...(first_name === undefined ? {} : { firstName: first_name }),
    ...(last_name === undefined ? {} : { lastName: last_name }),
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
    ...(notes === undefined ? {} : { notes }),
    ...(status === undefined ? {} : { status }),
    ...(address === undefined ? {} : { fullAddress: addressOf(address) }),
    people: {
      ...(sales_rep === undefined ? {} : { salesRep: sales_rep === '' ? null : { email: sales_rep } }),
      ...(setter === undefined ? {} : { setter: setter === '' ? null : { email: setter } }),
    },
  }
  await updateLead(ctx, leadId, update)
  const effects = await effectsSince(ctx, leadId, before)
  const changed = effects.length > 0
  return {
    changed,
    summary: changed ? 'The lead is changed.' : 'The lead was so already.',
    effects,
    record: { lead_id: leadId, created: false },
  }
}
