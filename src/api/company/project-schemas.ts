import Type from 'typebox'
import { financingTypes } from '../../domain/deals/projects/project.ts'
import { folders } from '../../domain/kernel/folder.ts'
import { milestoneKeys, productLines } from '../../domain/kernel/tenant/stage.ts'
import { Answer, number, oneOf, orNull, ref, refOrNull, text, timestamp } from '../http/schema-words.ts'
import { projectExample, projectRowExample } from './examples.ts'

/** `permitSubmitted` is "permit submitted". */
const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const projectRow = {
  id: text("The service's own id"),
  reference: orNull(text(), '10-character UID carried over from an older system'),
  leadId: text('The lead that became this project'),
  productLine: oneOf(productLines, { description: 'What was sold' }),
  stage: Answer(
    {
      id: text('As in the list of stages'),
      name: orNull(text(), 'The stage’s name'),
      enteredAt: orNull(timestamp(), 'When it was entered'),
    },
    { description: 'Where the project stands on its ladder, and since when' },
  ),
  soldAt: orNull(timestamp(), 'When it was sold'),
  updatedAt: orNull(
    timestamp(),
    'Unique and strictly increasing within an installer: keep the newest and send it as updatedSince',
  ),
  ntpGranted: Type.Boolean({ description: 'Whether notice to proceed is granted' }),
  customer: ref('Contact'),
  address: ref('Address'),
}
const address = () => Type.String({ format: 'uri', description: "Address of the service's own copy" })
const milestones = Type.Object(
  Object.fromEntries(
    milestoneKeys.map((key) => [
      key,
      Type.Optional(Type.String({ format: 'date', description: `The day of ${inWords(key)}` })),
    ]),
  ),
  { description: 'A key is there when its day is known' },
)
const files = Type.Object(
  Object.fromEntries(
    folders.map((folder) => [
      folder,
      Type.Array(address(), { description: `The files of the folder \`${folder}\`` }),
    ]),
  ),
  { description: "Addresses by folder. A dealer's key sees internal empty" },
)
export const ProjectRow = Answer(
  { ...projectRow, milestones: Type.Optional(milestones), files: Type.Optional(files) },
  {
    $id: 'ProjectRow',
    description: 'A project as the list shows it; `milestones` and `files` where `expand` asks for them.',
    examples: [projectRowExample],
  },
)

export const Financing = Answer(
  {
    type: oneOf(financingTypes, { description: 'What kind of financing it is' }),
    lender: orNull(text(), 'Who lends'),
    amount: orNull(number('Dollars')),
    aprPercent: orNull(number(), 'The yearly rate, in percent'),
    termMonths: orNull(number(), 'How long it runs, in months'),
    monthlyPayment: orNull(number('Dollars')),
    dealerFeePercent: orNull(number(), 'What the lender keeps, in percent'),
  },
  { $id: 'Financing', description: 'How it is paid for.' },
)
const product = {
  count: orNull(number(), 'How many there are'),
  manufacturer: orNull(text(), 'Who made them'),
  model: orNull(text(), 'What their maker calls them'),
}

export const System = Answer(
  {
    sizeKw: orNull(number(), 'Kilowatts of all panels together'),
    annualProductionKwh: orNull(number(), 'What it is expected to make in a year'),
    panels: Answer(product, { description: 'Its panels' }),
    inverters: Answer(
      {
        ...product,
        name: orNull(text(), 'As the catalogue calls it'),
        microinverter: Type.Boolean({ description: 'Whether each panel has its own' }),
      },
      { description: 'Its inverters' },
    ),
    batteries: Type.Union(
      [Answer({ ...product, capacityKwh: orNull(number(), 'What one of them stores') }), Type.Null()],
      { description: 'Its batteries; null where it has none' },
    ),
    pricePerWatt: Answer(
      {
        base: orNull(number(), 'Dollars, before adders'),
        final: orNull(number(), 'Dollars, with all that was added'),
      },
      { description: 'What a watt costs' },
    ),
    adders: Type.Array(
      Answer({
        name: text('The adder’s name'),
        quantity: number('How many of its units'),
        total: orNull(number('Dollars')),
      }),
      { description: 'What was added to it' },
    ),
  },
  { $id: 'System', description: 'The solar system that was sold.' },
)
export const Project = Answer(
  {
    ...projectRow,
    coBorrower: refOrNull('Contact', 'Who signs with the customer; null where nobody does'),
    notes: Answer(
      {
        customer: orNull(text(), 'What is known about the customer'),
        project: orNull(text(), 'What is known about the project'),
      },
      { description: 'What somebody wrote down' },
    ),
    company: Type.Union([Answer({ name: text('Who sold it') }), Type.Null()], {
      description: 'The company that sold it',
    }),
    salesRep: refOrNull('Staff', 'Who sold it; null where nobody is assigned'),
    setter: refOrNull('Staff', 'Who set the appointment; null where nobody did'),
    projectManager: refOrNull('Staff', 'Who manages it; null where nobody is assigned'),
    siteSurveyor: refOrNull('Staff', 'Who surveys the site; null where nobody is assigned'),
    subcontractor: refOrNull('Staff', 'Who works on it from outside; null where nobody is assigned'),
    contract: Answer(
      {
        signedAt: orNull(timestamp(), 'When it was signed'),
        price: orNull(number('Dollars')),
        files: Type.Array(address(), { description: 'The files of the folder `contract`' }),
      },
      { description: 'What was agreed' },
    ),
    financing: ref('Financing'),
    system: refOrNull('System', 'Null for HI projects'),
    products: Type.Unsafe({
      type: ['array', 'null'],
      items: Answer({ name: text('The product’s name'), price: orNull(number('Dollars')) }),
      description: 'The HI products sold; null for solar projects',
    }),
    milestones,
    files,
    links: Answer(
      {
        project: Type.String({ format: 'uri', description: 'The project in the console' }),
        proposal: orNull(Type.String({ format: 'uri' }), 'Its proposal; null where it has none'),
      },
      { description: 'Where people find it' },
    ),
  },
  { $id: 'Project', description: 'A project as the single read shows it.', examples: [projectExample] },
)
