import Type, { type Static } from 'typebox'
import { Answer, number, optional, orNull, text, timestamp } from '../http/schema-words.ts'
import { exampleIds } from './example-ids.ts'
import { capacityKw } from './panel-schemas.ts'
import { changeFields } from './record-lists.ts'

const closed = { additionalProperties: false }

const region = (description: string) => Type.String({ minLength: 1, maxLength: 16, description })

export const NewInstallationBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'How it is shown' }),
    address: Type.String({ minLength: 1, maxLength: 500, description: 'Where it stands, in one text' }),
    region: region('Region code; ISO 3166-2, such as US-CA, is recommended'),
    capacity_kw: optional(
      capacityKw('Kilowatts of the whole; four decimals are kept. The sum of its panels when absent'),
    ),
    timezone: optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'IANA name; that of the region when absent, else your company’s',
      }),
    ),
  },
  {
    ...closed,
    examples: [
      {
        name: 'Moreno residence',
        address: '1 Market St, San Diego, CA 92101',
        region: 'US-CA',
        capacity_kw: 8.4,
      },
    ],
  },
)
export type NewInstallationBody = Static<typeof NewInstallationBody>

export const ChangedInstallationBody = Type.Object(
  {
    name: optional(Type.String({ minLength: 1, maxLength: 200, description: 'How it is shown' })),
    address: optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Where it stands, in one text' }),
    ),
    region: optional(region('A time zone that is its region’s follows it')),
    timezone: optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'IANA name; its days are counted anew' }),
    ),
  },
  { ...closed, examples: [{ name: 'Moreno residence', timezone: 'America/Denver' }] },
)
export type ChangedInstallationBody = Static<typeof ChangedInstallationBody>

export const InstallationQuery = Type.Object(
  { ...changeFields, region: optional(region('Only installations of this region, written as on create')) },
  closed,
)
export type InstallationQuery = Static<typeof InstallationQuery>

export const InstallationParams = Type.Object({
  installation_id: Type.String({
    description: 'The installation’s id',
    examples: [exampleIds.installation],
  }),
})
export type InstallationParams = Static<typeof InstallationParams>

const listed = {
  id: text('The installation’s id'),
  name: text('How it is shown'),
  address: text('Where it stands, in one text'),
  region: text('Region code'),
  panel_count: Type.Integer({ minimum: 0, description: 'How many panels it has now' }),
  updated_at: timestamp('When it or the number of its panels changed last'),
}
const itemExample = {
  id: exampleIds.installation,
  name: 'Moreno residence',
  address: '1 Market St, San Diego, CA 92101',
  region: 'US-CA',
  panel_count: 20,
  updated_at: '2026-11-14T08:12:40.310Z',
}

export const InstallationItem = Answer(listed, {
  $id: 'InstallationItem',
  description: 'An installation as a list shows it.',
  examples: [itemExample],
})

export const Installation = Answer(
  {
    ...listed,
    timezone: text('IANA name of the zone whose days its energy is counted by'),
    capacity_kw: number('As it was stated, else what its panels have together'),
    project_id: orNull(text(), 'The project that became it; null where it was registered by itself'),
    created_at: timestamp('When it was registered'),
  },
  {
    $id: 'Installation',
    description: 'Where panels are.',
    examples: [
      {
        ...itemExample,
        timezone: 'America/Los_Angeles',
        capacity_kw: 8.4,
        project_id: null,
        created_at: '2026-11-02T17:20:11.004Z',
      },
    ],
  },
)
