import Type, { type Static, type TSchema } from 'typebox'
import { equipmentKinds } from '../../domain/catalogue/equipment.ts'
import { maxFiles } from '../../domain/deals/files/copy-files.ts'
import { countryPattern, leadLimits } from '../../domain/deals/leads/lead.ts'
import { maxLimit } from '../../domain/deals/renderings/page.ts'
import { emailPattern } from '../../domain/kernel/email.ts'
import { type Folder, folders } from '../../domain/kernel/folder.ts'
import { productLines } from '../../domain/kernel/tenant/stage.ts'
import { Fields, optional } from '../http/schema-words.ts'
import { leadFields, projectFields } from './change-schemas.ts'

export const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description })

const name = (description: string) => Type.String({ minLength: 1, maxLength: leadLimits.name, description })
const nameOrEmpty = (description: string) => Type.String({ maxLength: leadLimits.name, description })
// An empty text is let through where it clears the field or stands for nothing.
const email = (description: string) =>
  Type.String({
    maxLength: leadLimits.email,
    pattern: `^$|^${emailPattern}$`,
    'x-message': 'must be an email address',
    description,
  })
const phone = (description: string) => Type.String({ maxLength: leadLimits.phone, description })
const notes = (description: string) => Type.String({ maxLength: leadLimits.notes, description })

const country = Type.String({
  pattern: countryPattern,
  'x-message': 'must be a two-letter country code',
  default: 'US',
  description: 'Two-letter code; US when absent',
})

const address = Fields(
  {
    line1: name('Street and number'),
    line2: optional(nameOrEmpty('Unit, floor')),
    city: name('City'),
    state: name('State'),
    postalCode: name('Postal code'),
    country: optional(country),
  },
  { description: 'Where the house stands' },
)

const exampleAddress = { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' }

export const NewLeadBody = Fields(
  {
    firstName: name("Homeowner's first name"),
    lastName: name("Homeowner's last name"),
    address,
    email: optional(email("Homeowner's email")),
    phone: optional(phone("Homeowner's phone, kept as sent")),
    salesRepEmail: optional(email('An active member of the company; any other is listed in `unassigned`')),
    setterEmail: optional(email('Same rule, for the setter')),
    notes: optional(notes('Saved on the lead and posted to its activity')),
    externalId: optional(
      Type.String({
        minLength: 1,
        maxLength: leadLimits.externalId,
        description: "The caller's id: sent again, it answers the lead that exists",
      }),
    ),
    productLine: optional(oneOf(productLines, '`solar` when absent')),
  },
  {
    examples: [
      {
        firstName: 'Ada',
        lastName: 'Moreno',
        address: exampleAddress,
        email: 'ada@example.com',
        externalId: 'crm-1042',
      },
    ],
  },
)
export type NewLeadBody = Static<typeof NewLeadBody>

/** The same, or null: each field takes what a read answers for it. */
const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] })
const cleared = 'Empty text or null clears it'
const kept = 'Null only where the lead has none either'

const patchedAddress = Fields(
  {
    line1: orNull(name(`Street and number. ${kept}`)),
    line2: optional(
      orNull(
        nameOrEmpty('Unit, floor. When absent it is kept with the same `line1`, and cleared with another'),
      ),
    ),
    city: orNull(name(`City. ${kept}`)),
    state: orNull(name(`State. ${kept}`)),
    postalCode: orNull(name(`Postal code. ${kept}`)),
    country: optional(orNull(country)),
  },
  { description: 'Where the house stands, as a whole' },
)

export const LeadPatchBody = Fields(
  {
    firstName: optional(orNull(name(`Homeowner's first name. ${kept}`))),
    lastName: optional(orNull(name(`Homeowner's last name. ${kept}`))),
    email: optional(orNull(email(cleared))),
    phone: optional(orNull(phone(cleared))),
    notes: optional(
      orNull(
        notes("The lead's notes, posted to its activity when they changed; empty text or null clears them"),
      ),
    ),
    address: optional(patchedAddress),
    coBorrower: optional(
      orNull(
        Fields(
          {
            firstName: optional(orNull(nameOrEmpty(cleared))),
            lastName: optional(orNull(nameOrEmpty(cleared))),
            email: optional(orNull(email(cleared))),
            phone: optional(orNull(phone(cleared))),
          },
          { description: 'Null, or with every field cleared, it becomes null' },
        ),
      ),
    ),
    ...leadFields,
  },
  { examples: [{ phone: '+1 619 555 0100', coBorrower: { firstName: 'Luis', lastName: 'Moreno' } }] },
)
export type LeadPatchBody = Static<typeof LeadPatchBody>

export const ProjectPatchBody = Fields(
  {
    installDate: optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'date',
        description: 'The day of the Install Scheduled milestone; null clears it',
      }),
    ),
    ntpGranted: optional(Type.Boolean({ description: 'Whether notice to proceed is granted' })),
    ...projectFields,
  },
  { examples: [{ installDate: '2026-12-01', ntpGranted: true }] },
)
export type ProjectPatchBody = Static<typeof ProjectPatchBody>

export const StageBody = Fields(
  {
    // No limits here: a name that is empty or too long is one that the ladder does not have, and is told those it has.
    stage: Type.String({ description: 'As the ladder shows it; case does not matter' }),
  },
  { examples: [{ stage: 'Permitting' }] },
)
export type StageBody = Static<typeof StageBody>

export const FilesBody = Fields(
  {
    folder: oneOf<Folder>(folders, 'Where the files belong'),
    files: Type.Array(
      Fields({
        url: Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'A public https address of a document, picture, audio or video of at most 100 MB',
        }),
        name: optional(nameOrEmpty("The address's own name when absent")),
      }),
      { minItems: 1, maxItems: maxFiles, description: 'The addresses to copy from' },
    ),
  },
  {
    examples: [
      { folder: 'planset', files: [{ url: 'https://files.example.com/plan.pdf', name: 'Plan set.pdf' }] },
    ],
  },
)
export type FilesBody = Static<typeof FilesBody>

export const limit = optional(
  Type.Integer({ minimum: 1, maximum: maxLimit, default: 50, description: 'Rows per page' }),
)
export const cursor = optional(
  Type.String({
    maxLength: 200,
    description: 'The `next` of the page before, with the same other query fields',
  }),
)

export const ActivityQuery = Fields({ limit, cursor })
export type ActivityQuery = Static<typeof ActivityQuery>

export const EquipmentQuery = Fields({ kind: optional(oneOf(equipmentKinds, 'All three when absent')) })
export type EquipmentQuery = Static<typeof EquipmentQuery>

export const NoQuery = Fields({})

export const IdParams = Type.Object({
  id: Type.String({
    description: "The service's own id, or the record's reference",
    examples: ['lead_01m7eg5y2a01n1c4d7b6q8se'],
  }),
})
export const ProjectIdParams = Type.Object({
  id: Type.String({
    description: "The service's own id, the record's reference, or those of the project's lead",
    examples: ['proj_01m7eg5y2a01n1c4d7b6q8se'],
  }),
})
