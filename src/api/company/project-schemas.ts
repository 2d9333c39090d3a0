import Type from 'typebox'
import { financingTypes } from '../../domain/deals/projects/project.ts'
import { folders } from '../../domain/kernel/folder.ts'
import { milestoneKeys, productLines } from '../../domain/kernel/tenant/stage.ts'
import { Answer, number, oneOf, orNull, ref, refOrNull, text, timestamp } from '../http/schema-words.ts'
import { projectExample, projectRowExample } from './examples.ts'

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
export const ProjectRow = Answer(projectRow, {
  $id: 'ProjectRow',
  description: 'A project as the list shows it.',
  examples: [projectRowExample],
})

export const Financing = Answer(
  {
    type: oneOf(financingTypes),
    lender: orNull(text()),
    amount: orNull(number('Dollars')),
    aprPercent: orNull(number()),
    termMonths: orNull(number()),
    monthlyPayment: orNull(number('Dollars')),
    dealerFeePercent: orNull(number()),
  },
  { $id: 'Financing', description: 'How it is paid for.' },
)
export const System = Answer(
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
export const Project = Answer(
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
  { $id: 'Project', description: 'A project as the single read shows it.', examples: [projectExample] },
)
