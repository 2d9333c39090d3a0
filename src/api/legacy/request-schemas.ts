import Type, { type Static, type TSchema } from 'typebox'
import { maxFiles } from '../../domain/deals/files/copy-files.ts'
import { financingTypes } from '../../domain/deals/projects/project.ts'
import { emailPattern } from '../../domain/kernel/email.ts'
import { optional } from '../http/schema-words.ts'

const required = (description: string, maxLength = 200) =>
  Type.String({ minLength: 1, maxLength, description })
const email = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 320,
    pattern: `^${emailPattern}$|^$`,
    'x-message': 'must be an email address',
    description,
  })
/** Ids are looked up, not judged: what is no id is an unknown one. */
const id = (description: string) => Type.String({ minLength: 1, description })
const idOrNumber = (description: string) =>
  Type.Unsafe<string | number>({ type: ['string', 'integer'], minLength: 1, description })
const projectId = 'The project’s id or reference, or its lead’s'

export const IdQuery = Type.Object({ id: id('The record’s id or reference') })
export type IdQuery = Static<typeof IdQuery>

export const StageQuery = Type.Object({
  project_stage_name: Type.String({ description: 'As the ladder shows it; case does not matter' }),
  id: id(projectId),
})
export type StageQuery = Static<typeof StageQuery>

const queryFields = {
  org_id: id('The company’s number'),
  installer_id: id('The installer’s id or number'),
  page: Type.String({
    pattern: '^0*[1-9][0-9]*$',
    'x-message': 'must be a whole number from 1',
    description: 'Pages are counted from 1, which is read when absent',
    examples: ['1'],
  }),
}
export type ListQuery = Partial<Record<keyof typeof queryFields, string>>

/** The query of a list: whose it is and which page, where they are asked for or not. */
export function listQuery(of: 'org_id' | 'installer_id', needed: readonly (keyof ListQuery)[]): TSchema {
  const field = (name: keyof ListQuery) =>
    needed.includes(name) ? queryFields[name] : optional(queryFields[name])
  return Type.Object({ [of]: field(of), page: field('page') })
}

export const CatalogueQuery = Type.Object({ installer_id: queryFields.installer_id })
export const OptionalCatalogueQuery = Type.Object({ installer_id: optional(queryFields.installer_id) })
export type OptionalCatalogueQuery = Static<typeof OptionalCatalogueQuery>

const addressExample = '1 Market St, Unit 4, San Diego, CA 92101'

export const NewLeadBody = Type.Object(
  {
    firstName: required('Homeowner’s first name'),
    lastName: required('Homeowner’s last name'),
    email: email('Homeowner’s email'),
    phoneNumber: required('Homeowner’s phone, kept as sent', 40),
    address: required(
      'Where the house stands, in one text; kept whole where it cannot be read as a US address',
      500,
    ),
    salesRepEmail: email('An active member of the company; any other leaves the sales rep empty'),
  },
  {
    examples: [
      {
        firstName: 'Ada',
        lastName: 'Moreno',
        email: 'ada@example.com',
        phoneNumber: '619 555 0100',
        address: addressExample,
        salesRepEmail: 'sam@example.com',
      },
    ],
  },
)
export type NewLeadBody = Static<typeof NewLeadBody>

const clearable = (description: string) => optional(Type.String({ maxLength: 200, description }))
const clearableEmail = optional(
  Type.String({
    maxLength: 320,
    pattern: `^$|^${emailPattern}$`,
    'x-message': 'must be an email address',
    description: 'Empty text clears it',
  }),
)
const phoneNumber = optional(
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: 999_999_999_999_999,
    description: 'The digits as a number; null clears it. Sent back as it was read, it changes nothing',
  }),
)

export const LeadUpdateBody = Type.Object(
  {
    id: id('The lead’s reference or id'),
    home_improvement: Type.Boolean({ description: 'Whether it is a home-improvement lead' }),
    primary_first_name: optional(required('First name')),
    primary_last_name: optional(required('Last name')),
    primary_email: clearableEmail,
    primary_phone: phoneNumber,
    secondary_first_name: clearable('Empty text clears it'),
    secondary_last_name: clearable('Empty text clears it'),
    secondary_email: clearableEmail,
    secondary_phone: phoneNumber,
  },
  { examples: [{ id: 'Xb93kQ7LmZ', home_improvement: false, primary_phone: 6195550100 }] },
)
export type LeadUpdateBody = Static<typeof LeadUpdateBody>

export const ActivityBody = Type.Object(
  {
    project_id: id(projectId),
    installer_id: idOrNumber('The installer’s id or number'),
    notes: required('The note', 20_000),
  },
  { examples: [{ project_id: 'Xb93kQ7LmZ', installer_id: '1001', notes: 'Gate code is 4711.' }] },
)
export type ActivityBody = Static<typeof ActivityBody>

const folderIds = [
  'contract',
  'utility_bill',
  'drivers_license',
  'materials',
  'survey_photos',
  'engineering_plansets',
  'permits',
  'interconnection',
  'insurance',
  'installation_photos',
  'internal_documents',
] as const
export type FolderId = (typeof folderIds)[number]

const fileAddress = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'A public https address of a document, picture, audio or video of at most 100 MB',
})

export const UploadBody = Type.Object(
  {
    fileurl: Type.Array(fileAddress, {
      minItems: 1,
      maxItems: maxFiles,
      description: 'The addresses to copy from',
    }),
    project_id: id(projectId),
    folder_id: Type.Unsafe<FolderId>({
      type: 'string',
      enum: [...folderIds],
      description: 'Where the files belong',
    }),
  },
  {
    examples: [
      { fileurl: ['https://files.example.com/permit.pdf'], project_id: 'Xb93kQ7LmZ', folder_id: 'permits' },
    ],
  },
)
export type UploadBody = Static<typeof UploadBody>

const amount = (description: string, maximum: number) => Type.Number({ minimum: 0, maximum, description })
// A number that is sent as text, or as a number by those who did not read closely; empty text is none.
// It has so many digits before the point, whichever way it is sent.
const numberText = (description: string, digits: number, whole = false) =>
  optional(
    Type.Unsafe<string | number>({
      type: ['string', whole ? 'integer' : 'number'],
      pattern: whole ? `^[0-9]{0,${digits}}$` : `^([0-9]{1,${digits}}([.][0-9]{1,10})?)?$`,
      'x-message': `must be a ${whole ? 'whole' : 'decimal'} number below ${10 ** digits}, as text`,
      minimum: 0,
      exclusiveMaximum: 10 ** digits,
      description,
    }),
  )
const anyCase = (words: readonly string[]) =>
  words.map((word) => word.replace(/[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`)).join('|')

export const NewProjectBody = Type.Object(
  {
    address: required(
      'Where the house stands, in one text; kept whole where it cannot be read as a US address',
      500,
    ),
    first_name: required('Homeowner’s first name'),
    last_name: required('Homeowner’s last name'),
    email: email('Homeowner’s email'),
    phone_number: required('Homeowner’s phone, kept as sent', 40),
    org_id: idOrNumber('The number of the company that sold it'),
    sales_rep: required('Email, name or member id', 320),
    setter: required('Email, name or member id', 320),
    system_size: amount('Kilowatts', 1_000_000),
    annual_production: amount('Kilowatt-hours a year', 10_000_000_000),
    consumption: amount('Kilowatt-hours that the house uses in a year', 10_000_000_000),
    system_cost: amount('The contract’s price', 999_999_999_999),
    final_ppw: amount('Price per watt with everything', 1_000_000),
    base_ppw: amount('Price per watt of the system alone', 1_000_000),
    adder_ppw: amount('What adders add to the price per watt', 1_000_000),
    financing_type: optional(
      Type.String({
        pattern: `^(${anyCase(financingTypes)})?$`,
        'x-message': `must be one of ${financingTypes.join(', ')}`,
        description: '`cash`, `loan`, `lease` or `ppa`; guessed from the other fields when absent',
      }),
    ),
    term_years: numberText('Years, as text', 2),
    project_stage: clearable('A stage of the solar ladder; the first when absent'),
    panel_profile_id: clearable('A panel of the installer’s catalogue'),
    panel_count: numberText('As text', 6, true),
    inverter_profile_id: clearable('An inverter of the installer’s catalogue'),
    inverter_count: numberText('As text', 6, true),
    lease_ppa_rate: numberText('Dollars a month (lease) or a kilowatt-hour (PPA), as text', 6),
    pre_itc_payment: numberText('The monthly payment, as text', 9),
    escalator_rate: numberText('Percent a year, as text', 3),
    apr: optional(Type.Number({ minimum: 0, maximum: 100, description: 'Percent' })),
    site_survey_photos: optional(
      Type.Array(fileAddress, {
        maxItems: maxFiles,
        description: 'Each file is copied into the folder of the site survey',
      }),
    ),
    adders: optional(
      Type.Array(
        Type.Unsafe<string | { id?: string; name?: string; quantity?: number }>({
          type: ['string', 'object'],
          minLength: 1,
          minProperties: 1,
          properties: {
            id: Type.String({ minLength: 1, description: 'The adder’s id' }),
            name: Type.String({ minLength: 1, description: 'Or its name' }),
            quantity: Type.Number({
              minimum: 0,
              maximum: 1_000_000,
              description: 'How many of its units; as the system needs when absent',
            }),
          },
        }),
        {
          maxItems: 100,
          description:
            'Solar adders of the catalogue by id or name, or objects of `id` (or `name`) and `quantity`',
        },
      ),
    ),
  },
  {
    examples: [
      {
        address: addressExample,
        first_name: 'Ada',
        last_name: 'Moreno',
        email: 'ada@example.com',
        phone_number: '619 555 0100',
        org_id: '1001',
        sales_rep: 'sam@example.com',
        setter: 'Selma Lind',
        system_size: 8.4,
        annual_production: 12650,
        consumption: 11800,
        system_cost: 28728.5,
        final_ppw: 3.42,
        base_ppw: 2.95,
        adder_ppw: 0.47,
        financing_type: 'loan',
        term_years: '25',
        apr: 5.49,
      },
    ],
  },
)
export type NewProjectBody = Static<typeof NewProjectBody>
