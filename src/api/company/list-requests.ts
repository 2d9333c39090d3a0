import Type, { type Static } from 'typebox'
import { leadLimits, leadStatuses } from '../../domain/deals/leads/lead.ts'
import { maxWords } from '../../domain/deals/leads/search-words.ts'
import { expansions } from '../../domain/deals/projects/list-projects.ts'
import { type ProductLine, productLines } from '../../domain/kernel/tenant/stage.ts'
import { Fields, optional } from '../http/schema-words.ts'
import { cursor, limit, oneOf } from './request-schemas.ts'

const orders = ['desc', 'asc'] as const
type Order = (typeof orders)[number]

const paging = {
  limit,
  cursor,
  updatedSince: optional(
    Type.String({
      format: 'date-time',
      maxLength: 64,
      description:
        'Only rows changed after this time: any ISO 8601 timestamp with offset. In an address a `+` is written `%2B`',
    }),
  ),
  productLine: optional(oneOf<ProductLine>(productLines, 'Both lines when absent')),
  order: optional(
    oneOf<Order>(
      orders,
      '`desc` when absent: newest change first. `asc`: oldest change first, so that a sync can stop after any page and go on with the `updatedAt` of the last row as `updatedSince`; a row that changes meanwhile comes again, at the end',
    ),
  ),
}

const PagingQuery = Fields(paging)
export type PagingQuery = Static<typeof PagingQuery>

const said = (maxLength: number, description: string) =>
  optional(Type.String({ minLength: 1, maxLength, description }))

// Accents and apostrophes are not looked for: a search for these alone would list everything.
const lookedFor = "[^\\s\\u0300-\\u036f'`´ʹʻʼʽˈ‘’‛′＇]"

const people = {
  salesRep: said(leadLimits.email, 'The sales rep’s member id or email'),
  companyId: said(64, 'Only records of this company: the installer’s own, or a dealer’s'),
  search: optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: `^(?=.*${lookedFor})\\s*(\\S+\\s+){0,${maxWords - 1}}\\S*\\s*$`,
      'x-message': `must hold a letter or a digit, and at most ${maxWords} words`,
      description: `Only where the customer’s name, email, phone or address, or an id, holds every word, in any place and without case or accents; at most ${maxWords} words`,
    }),
  ),
}

/** A list of these, with commas between them. */
const commaList = (values: readonly string[], description: string) => {
  const one = `(${values.join('|')})`
  return optional(
    Type.String({
      pattern: `^${one}(,${one})*$`,
      maxLength: 100,
      'x-message': `must be one or more of ${values.join(', ')}, with commas between them`,
      description,
      examples: [values.join(',')],
    }),
  )
}

export const LeadListQuery = Fields({
  ...paging,
  externalId: said(leadLimits.externalId, 'The caller’s own id, as sent on create'),
  email: said(leadLimits.email, 'The customer’s email; case does not matter'),
  phone: said(leadLimits.phone, 'The customer’s phone in any form: numbers are compared as E.164'),
  status: optional(oneOf(leadStatuses, 'Only leads of this status')),
  ...people,
  expand: commaList(['project'], '`project`: the whole Project instead of its ids'),
})
export type LeadListQuery = Static<typeof LeadListQuery>

const day = (description: string) => optional(Type.String({ format: 'date', description }))

export const ProjectListQuery = Fields({
  ...paging,
  stage: said(200, 'A stage’s id or name; case does not matter. Where both ladders have the name, of both'),
  ...people,
  installDateFrom: day('Only projects whose install is scheduled for this day or later'),
  installDateTo: day('Only projects whose install is scheduled for this day or earlier'),
  expand: commaList(
    expansions,
    '`milestones`, `files`: these fields of the Project in each row. `project`: the whole Project instead of its row',
  ),
})
export type ProjectListQuery = Static<typeof ProjectListQuery>
