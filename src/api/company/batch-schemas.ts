import Type, { type Static } from 'typebox'
import { FieldProblems } from '../http/error-schema.ts'
import { errorCodes } from '../http/errors.ts'
import { Answer, Fields, oneOf, optional, text } from '../http/schema-words.ts'
import { LeadPatchBody, NewLeadBody } from './request-schemas.ts'

export const maxItems = 500

/** A change of a lead names it beside what is to change. */
export const LeadChange = Fields(
  {
    id: Type.String({ minLength: 1, maxLength: 64, description: "The lead's id or reference" }),
    ...LeadPatchBody.properties,
  },
  { description: 'A change, as `PATCH /v1/leads/{id}` takes it' },
)
export type LeadChange = Static<typeof LeadChange>

const list = { minItems: 1, maxItems, description: 'Done in this order' }

export const BatchBody = Fields(
  { items: Type.Array(Type.Union([NewLeadBody, LeadChange]), list) },
  {
    examples: [
      {
        items: [
          {
            firstName: 'Ada',
            lastName: 'Moreno',
            address: { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' },
            externalId: 'crm-1042',
          },
          { id: 'lead_01m7eg5y2a01n1c4d7b6q8se', status: 'contacted' },
        ],
      },
    ],
  },
)

/** What is looked at before the items, each of which is looked at by itself. */
export const BatchShell = Fields({ items: Type.Array(Type.Unknown(), list) })
export type BatchShell = Static<typeof BatchShell>

const results = Type.Array(
  Type.Object({
    index: Type.Integer({ description: 'Which item, from 0' }),
    status: Type.Integer({
      description:
        'As the call for this item alone answers it: 201 created, 200 changed or there already, 4xx refused',
    }),
    leadId: optional(text('The lead that was created, changed or found')),
    created: optional(Type.Boolean({ description: 'Of a create: false where its `externalId` was known' })),
    unassigned: optional(
      Type.Array(text(), {
        description: "Of a create: the rep's or setter's emails that are no active member's",
      }),
    ),
    error: optional(
      Answer(
        {
          code: oneOf(Object.keys(errorCodes), { description: 'What is wrong' }),
          message: text('Which field of the item is wrong, and what it must be'),
          docs: text('Where the code is explained'),
          fields: optional(FieldProblems),
        },
        { description: 'Why it was refused; then the item changed nothing' },
      ),
    ),
  }),
  { description: 'One for each item, in their order' },
)

export const BatchResults = Answer(
  { results },
  {
    $id: 'BatchResults',
    description: 'What became of each item.',
    examples: [
      {
        results: [
          { index: 0, status: 201, leadId: 'lead_01m7egddcx026jrjpbagkdnn', created: true, unassigned: [] },
          {
            index: 1,
            status: 404,
            error: {
              code: 'not_found',
              message: 'There is no lead with this id among your records.',
              docs: 'http://127.0.0.1:8080/docs/errors#not_found',
            },
          },
        ],
      },
    ],
  },
)
