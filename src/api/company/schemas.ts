import Type, { type TSchema } from 'typebox'
import { activityTypes } from '../../domain/activities/activity.ts'
import { productKinds, units } from '../../domain/catalogue/adder.ts'
import { equipmentKinds } from '../../domain/catalogue/equipment.ts'
import { folders } from '../../domain/files/file.ts'
import { milestoneKeys, productLines } from '../../domain/ladders/stage.ts'
import { leadStatuses } from '../../domain/leads/lead.ts'
import { financingTypes } from '../../domain/projects/project.ts'
import { errorCodes } from './errors.ts'

/** An answer's object: nothing but these, all of them there. */
const Answer = (properties: Record<string, TSchema>, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

const orNull = (schema: TSchema, description?: string) =>
  Type.Unsafe({ ...orNullType(schema), ...(description ? { description } : {}) })
function orNullType(schema: TSchema): object {
  const plain = schema as { type?: string; enum?: unknown[] }
  if (plain.type && !plain.enum) return { ...schema, type: [plain.type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}
const oneOf = (values: readonly string[], options: object = {}) =>
  Type.Unsafe<string>({ type: 'string', enum: [...values], ...options })
const text = (description?: string) => Type.String(description ? { description } : {})
const timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description ? { description } : {}) })
const number = (description?: string) => Type.Number(description ? { description } : {})
const ref = (name: string) => Type.Unsafe({ $ref: `${name}#` })
const refOrNull = (name: string, description?: string) =>
  Type.Unsafe({ anyOf: [{ $ref: `${name}#` }, { type: 'null' }], ...(description ? { description } : {}) })

const contact = {
  firstName: orNull(text()),
  lastName: orNull(text()),
  email: orNull(text()),
  phone: orNull(text()),
}
const Contact = Answer(contact, { $id: 'Contact', description: 'A homeowner.' })
const Staff = Answer(
  { name: orNull(text()), email: orNull(text()), phone: orNull(text()) },
  { $id: 'Staff', description: "A member of the company's team." },
)
const Address = Answer(
  {
    line1: orNull(text()),
    line2: orNull(text()),
    city: orNull(text()),
    state: orNull(text()),
    postalCode: orNull(text()),
    country: orNull(text('Two-letter code')),
  },
  { $id: 'Address' },
)

const projectRow = {
  id: text("The service's own id"),
  reference: orNull(text(), '10-character UID carried over from an older system'),
  leadId: text('The lead that became this project'),
  productLine: oneOf(productLines),
  stage: Answer(
    { name: orNull(text()), enteredAt: orNull(timestamp()) },
    { description: 'Where the project stands on its ladder, and since when' },
  ),
  soldAt: orNull(timestamp()),
  updatedAt: orNull(
    timestamp(),
    'Unique and strictly increasing within an installer: keep the newest and send it as updatedSince',
  ),
  ntpGranted: Type.Boolean({ description: 'Whether notice to proceed is granted' }),
  customer: ref('Contact'),
  address: ref('Address'),
}
const ProjectRow = Answer(projectRow, { $id: 'ProjectRow', description: 'A project as the list shows it.' })

const Financing = Answer(
  {
    type: oneOf(financingTypes),
    lender: orNull(text()),
    amount: orNull(number('Dollars')),
    aprPercent: orNull(number()),
    termMonths: orNull(number()),
    monthlyPayment: orNull(number('Dollars')),
    dealerFeePercent: orNull(number()),
  },
  { $id: 'Financing' },
)
const System = Answer(
  {
    sizeKw: orNull(number()),
    annualProductionKwh: orNull(number()),
    panels: Answer({ count: orNull(number()), manufacturer: orNull(text()), model: orNull(text()) }),
    inverters: Answer({
      count: orNull(number()),
      manufacturer: orNull(text()),
      model: orNull(text()),
      name: orNull(text()),
      microinverter: Type.Boolean(),
    }),
    batteries: Type.Union([
      Answer({
        count: orNull(number()),
        manufacturer: orNull(text()),
        model: orNull(text()),
        capacityKwh: orNull(number()),
      }),
      Type.Null(),
    ]),
    pricePerWatt: Answer({ base: orNull(number('Dollars')), final: orNull(number('Dollars')) }),
    adders: Type.Array(Answer({ name: text(), quantity: number(), total: orNull(number('Dollars')) })),
  },
  { $id: 'System', description: 'The solar system that was sold.' },
)
const address = () => Type.String({ format: 'uri', description: "Address of the service's own copy" })
const Project = Answer(
  {
    ...projectRow,
    coBorrower: refOrNull('Contact'),
    notes: Answer({ customer: orNull(text()), project: orNull(text()) }),
    company: Type.Union([Answer({ name: text('Who sold it') }), Type.Null()]),
    salesRep: refOrNull('Staff'),
    setter: refOrNull('Staff'),
    projectManager: refOrNull('Staff'),
    siteSurveyor: refOrNull('Staff'),
    subcontractor: refOrNull('Staff'),
    contract: Answer({
      signedAt: orNull(timestamp()),
      price: orNull(number('Dollars')),
      files: Type.Array(address()),
    }),
    financing: ref('Financing'),
    system: refOrNull('System', 'Null for HI projects'),
    products: Type.Unsafe({
      type: ['array', 'null'],
      items: Answer({ name: text(), price: orNull(number('Dollars')) }),
      description: 'The HI products sold; null for solar projects',
    }),
    milestones: Type.Object(
      Object.fromEntries(milestoneKeys.map((key) => [key, Type.Optional(Type.String({ format: 'date' }))])),
      { additionalProperties: false, description: 'A key is there when its day is known' },
    ),
    files: Type.Object(Object.fromEntries(folders.map((folder) => [folder, Type.Array(address())])), {
      additionalProperties: false,
      description: "Addresses by folder. A dealer's key sees internal empty",
    }),
    links: Answer({
      project: Type.String({ format: 'uri' }),
      proposal: orNull(Type.String({ format: 'uri' })),
    }),
  },
  { $id: 'Project', description: 'A project as the single read shows it.' },
)

const Lead = Answer(
  {
    id: text("The service's own id"),
    reference: orNull(text(), '10-character UID carried over from an older system'),
    productLine: oneOf(productLines),
    status: oneOf(leadStatuses, { description: '`sold` exactly when `project` is not null' }),
    archived: Type.Boolean(),
    createdAt: orNull(timestamp()),
    updatedAt: orNull(
      timestamp(),
      'Unique and strictly increasing within an installer: keep the newest and send it as updatedSince',
    ),
    customer: ref('Contact'),
    coBorrower: refOrNull('Contact'),
    address: ref('Address'),
    utility: Answer({ name: orNull(text()), monthlyBill: orNull(number('Dollars')) }),
    source: Answer({ name: orNull(text()), subSource: orNull(text()) }),
    externalId: orNull(text(), "The caller's own id, as sent on create"),
    notes: orNull(text()),
    salesRep: refOrNull('Staff'),
    setter: refOrNull('Staff'),
    project: Type.Union([Answer({ id: text(), reference: orNull(text()) }), Type.Null()], {
      description: 'Null until the customer bought',
    }),
    links: Answer({ record: Type.String({ format: 'uri' }) }),
  },
  { $id: 'Lead' },
)

const LeadCreated = Answer(
  {
    leadId: text(),
    created: Type.Boolean({ description: 'False where the externalId was known already' }),
    unassigned: Type.Array(text(), {
      description: "The rep's or setter's emails that are no active member's",
    }),
  },
  {
    $id: 'LeadCreated',
    examples: [{ leadId: 'lead_01jcq5d8m0b6x7v2k9fz3h4t1w', created: true, unassigned: [] }],
  },
)
const Activity = Answer(
  {
    id: text(),
    type: oneOf(activityTypes),
    body: text(),
    internal: Type.Boolean({ description: "Only the company's admins see it" }),
    customerFacing: Type.Boolean(),
    replyTo: orNull(text()),
    author: orNull(text()),
    createdAt: orNull(timestamp()),
  },
  { $id: 'Activity' },
)
const Adder = Answer(
  {
    id: text(),
    name: text(),
    description: orNull(text()),
    productLine: oneOf(productLines),
    productKind: Type.Unsafe({
      anyOf: [oneOf(productKinds), { type: 'null' }],
      description: 'Null for plain adders',
    }),
    unit: oneOf(units),
    unitPrice: number('Dollars; dollars per watt when the unit is perWatt'),
    tiered: Type.Boolean(),
    repSponsored: Type.Boolean(),
    showOnProposal: Type.Boolean(),
    brand: orNull(text()),
    model: orNull(text()),
    warrantyYears: orNull(number()),
  },
  { $id: 'Adder', description: 'An adder or an HI product.' },
)
const Equipment = Answer(
  {
    id: text(),
    kind: oneOf(equipmentKinds),
    manufacturer: text(),
    model: orNull(text()),
    default: Type.Optional(Type.Boolean()),
    watts: Type.Optional(number('Panels')),
    ratedOutputWatts: Type.Optional(orNull(number('Inverters'))),
    efficiencyPercent: Type.Optional(orNull(number('Panels and inverters'))),
    microinverter: Type.Optional(Type.Boolean({ description: 'Inverters' })),
    capacityKwh: Type.Optional(orNull(number('Batteries'))),
    continuousOutputWatts: Type.Optional(orNull(number('Batteries'))),
    warrantyYears: Type.Optional(orNull(number())),
  },
  { $id: 'Equipment' },
)
const KeyInfo = Answer(
  {
    key: Answer({ name: text(), prefix: text('psk_ and the first 8 digits') }),
    company: Answer({ name: text() }),
  },
  {
    $id: 'KeyInfo',
    examples: [{ key: { name: 'CRM sync', prefix: 'psk_1a2b3c4d' }, company: { name: 'Solar Co' } }],
  },
)
const StageMoved = Answer(
  { changed: Type.Boolean(), stage: text("The stage's name") },
  { $id: 'StageMoved', examples: [{ changed: true, stage: 'Permitting' }] },
)
const Changed = Answer({ changed: Type.Boolean() }, { $id: 'Changed', examples: [{ changed: true }] })
const FilesAdded = Answer(
  {
    files: Type.Array(
      Answer({
        id: text(),
        name: text(),
        folder: oneOf(folders),
        added: Type.Boolean({ description: 'False where the folder held the address already' }),
      }),
    ),
  },
  {
    $id: 'FilesAdded',
    examples: [
      {
        files: [{ id: 'file_01jcq5d8m0b6x7v2k9fz3h4t1w', name: 'plan.pdf', folder: 'planset', added: true }],
      },
    ],
  },
)
const ErrorAnswer = Answer(
  {
    error: Answer({
      code: oneOf(Object.keys(errorCodes)),
      message: text('Says what to change'),
      docs: Type.String({ format: 'uri', description: 'Where the code is explained' }),
    }),
  },
  {
    $id: 'Error',
    examples: [
      {
        error: {
          code: 'invalid',
          message: 'firstName is required.',
          docs: 'http://127.0.0.1:8080/docs/errors#invalid',
        },
      },
    ],
  },
)
const page = (id: string, item: string) =>
  Answer(
    { data: Type.Array(ref(item)), next: orNull(text(), 'Cursor of the next page; null at the end') },
    { $id: id },
  )
const list = (id: string, item: string) => Answer({ data: Type.Array(ref(item)) }, { $id: id })

export const answerSchemas: TSchema[] = [
  Contact,
  Staff,
  Address,
  ProjectRow,
  Financing,
  System,
  Project,
  Lead,
  LeadCreated,
  Activity,
  Adder,
  Equipment,
  KeyInfo,
  StageMoved,
  Changed,
  FilesAdded,
  ErrorAnswer,
  page('ProjectPage', 'ProjectRow'),
  page('LeadPage', 'Lead'),
  page('ActivityPage', 'Activity'),
  list('AdderList', 'Adder'),
  list('EquipmentList', 'Equipment'),
]

const descriptions: Record<number, string> = {
  400: '`invalid`: the request is not valid',
  401: '`unauthorized`: the key is not good',
  403: '`forbidden`: not for this key',
  404: '`not_found`: no such record of yours',
  429: '`rate_limited`: more than 100 calls in a minute',
  500: '`internal`: our side failed',
  503: '`unavailable`: not just now',
}

/** The answers of an endpoint: its successes by schema name, and the errors it may give. */
export function answers(
  successes: Record<number, [schema: string, description: string]>,
  errors: number[],
): object {
  const responses: Record<number, object> = {}
  for (const [status, [schema, description]] of Object.entries(successes)) {
    responses[Number(status)] = { description, $ref: `${schema}#` }
  }
  for (const status of [...errors, 401, 429, 500, 503]) {
    responses[status] = { description: descriptions[status], $ref: 'Error#' }
  }
  return responses
}
