import Type, { type TSchema } from 'typebox'
import { FieldProblems } from '../http/error-schema.ts'
import { errorCodes } from '../http/errors.ts'
import { Answer, oneOf, orNull, text } from '../http/schema-words.ts'
import { fieldWords } from './field-words.ts'

const texts = (...names: (keyof typeof fieldWords)[]) =>
  Object.fromEntries(names.map((name) => [name, text(fieldWords[name])]))
const address = (description: string) => text(`${description}; empty where there is none`)

const customer = {
  ...texts('customerFirstName', 'customerLastName', 'customerPhoneNumber', 'customerEmail'),
  customerAddress: text('The whole address in one line'),
  ...texts('customerStreet', 'customerCity', 'customerState', 'customerZip'),
  ...texts('secondaryCustomerFirstName', 'secondaryCustomerLastName'),
  ...texts('secondaryCustomerPhoneNumber', 'secondaryCustomerEmail'),
}
const sellers = {
  ...texts('salesRepName', 'salesRepEmail', 'salesRepPhone'),
  ...texts('setterName', 'setterEmail', 'setterPhone'),
}
const crew = texts('siteSurveyorName', 'subContractorName')
const status = (form: string) => ({
  projectStatus: text('The name of the stage'),
  contractSignedDate: text(form),
  submittedDate: text(`When it was sold, ${form}`),
})
const links = { proposalURL: address('The proposal'), projectURL: address('The project’s page') }
const finance = {
  ...texts('financeCompany', 'financeAmount'),
  financeAPR: text('Percent'),
  financeTerm: text('Months'),
  financeType: text('`cash`, `loan`, `lease` or `ppa`'),
}
const folderNames = [
  ...[
    'surveyFiles',
    'personalFiles',
    'utilityBills',
    'insuranceFiles',
    'driverLicense',
    'installationPhotos',
  ],
  ...['plansets', 'materials', 'otherDocuments', 'interconnection', 'permits', 'internalDocuments'],
]
const folders = (value: TSchema) =>
  Answer(Object.fromEntries(folderNames.map((name) => [name, value])), {
    description: 'The project’s files, by folder',
  })
const id = text('The reference where there is one, else the id')

const solarProject = {
  ...customer,
  ...status('MM/DD/YYYY'),
  projectSiteId: address('The installation’s id'),
  contractURL: address('The newest contract'),
  ...links,
  ...texts('systemSize', 'estProduction', 'numberOfPanel', 'panelModel', 'numberOfInverter', 'inverterName'),
  ...texts('numberOfBattery', 'batteryName'),
  contractPrice: text('Such as 12,345.67'),
  ...finance,
  ...texts('basePPW', 'finalPPW'),
  addersCost: text('The sum of the adders'),
  adders: Type.Array(text(), { description: 'The names of the adders' }),
  ...sellers,
  ...crew,
  allFilesURL: folders(text('A page that lists the folder’s files')),
}
const hiLead = {
  ...customer,
  ...texts('customerNotes'),
  ...status('MM/DD/YY'),
  contractURL: Type.Array(text(), { description: 'The contracts’ addresses' }),
  ...links,
  ...finance,
  financeDealerFee: text('Percent'),
  ...texts('monthlyPayment'),
  Products: Type.Array(
    Answer({ product_name: text('What was sold'), product_cost: text('Dollars, as decimal text') }),
    { description: 'What was sold' },
  ),
  adjustments: text('The contract’s price less the sum of the products'),
  contractPrice: text('Such as 12,345.67'),
  ...sellers,
}
const hiProject = {
  ...hiLead,
  allFilesURL: folders(Type.Array(text(), { description: 'The addresses of the folder’s files' })),
}
const solarLead = {
  ...customer,
  ...texts('customerNotes', 'leadStatus'),
  projectStatus: text('The name of the project’s stage'),
  ...texts('utilityCompany', 'monthlyBill'),
  ...sellers,
  ...crew,
  ...links,
}

const outcome = {
  success: Type.Boolean({ description: 'True where the call was done' }),
  message: text('What came of it, in words'),
}
const made = (...names: (keyof typeof fieldWords)[]) =>
  Answer(texts(...names), { description: 'Which record it was' })

const single = (name: string, data: Record<string, TSchema>) =>
  Answer({ data: Answer(data, { description: 'The record' }), id }, { $id: name, description: 'A record.' })
const list = (name: string, item: Record<string, TSchema>) =>
  Answer(
    {
      ...outcome,
      data: Type.Array(Answer({ id, ...item }), { description: 'The records of this page' }),
      page: Type.Number({ description: 'The number of this page, counted from 1' }),
      per_page: Type.Integer({ description: 'How many records a page has' }),
      count: Type.Integer({ description: 'Records on this page' }),
      remaining: Type.Integer({ description: 'Records on the pages after this one' }),
      total: Type.Integer({ description: 'Records on all pages' }),
    },
    { $id: name, description: 'A page of a list.' },
  )
const done = (name: string, data?: TSchema) =>
  Answer({ ...outcome, ...(data ? { data } : {}) }, { $id: name, description: 'What came of the call.' })
const catalogueList = (name: string, fields: Record<string, TSchema>) =>
  done(name, Type.Array(Answer(fields), { description: 'All that is sold now' }))

const equipment = texts('id', 'kind', 'manufacturer', 'model', 'default')
const phone = orNull(Type.Integer(), 'The digits as a number')

/** Every answer of the legacy API, by name. */
export const answerSchemas: readonly TSchema[] = [
  single('Project', solarProject),
  single('HiProject', hiProject),
  Answer({ id, ...solarLead }, { $id: 'Lead', description: 'A solar lead.' }),
  Answer({ id, ...hiLead }, { $id: 'HiLead', description: 'A home-improvement lead.' }),
  list('ProjectList', solarProject),
  list('HiProjectList', hiProject),
  list('LeadList', solarLead),
  list('HiLeadList', hiLead),
  done('ProjectCreated', made('project_id', 'lead_id')),
  done('StageUpdated', made('project_id', 'new_status')),
  done('FileUploaded'),
  done('ActivityCreated', made('project_id', 'installer_id')),
  Answer(
    { status: Type.Integer({ description: '200' }), leaduid: text('The lead’s reference') },
    { $id: 'LeadCreated', description: 'The lead that was made.' },
  ),
  Answer(
    {
      id,
      home_improvement: Type.Boolean({ description: 'Whether it is a home-improvement lead' }),
      ...texts('primary_first_name', 'primary_last_name', 'primary_email'),
      primary_phone: phone,
      ...texts('secondary_first_name', 'secondary_last_name', 'secondary_email'),
      secondary_phone: phone,
    },
    { $id: 'LeadRecord', description: 'A lead as it now reads.' },
  ),
  catalogueList('PanelList', { ...equipment, ...texts('watts', 'efficiencyPercent', 'warrantyYears') }),
  catalogueList('InverterList', {
    ...equipment,
    ...texts('ratedOutputWatts', 'efficiencyPercent', 'microinverter', 'warrantyYears'),
  }),
  catalogueList('AdderList', {
    ...texts('id', 'name', 'description', 'productLine', 'productKind', 'unit', 'unitPrice', 'tiered'),
    ...texts('repSponsored', 'showOnProposal', 'brand', 'model', 'warrantyYears'),
  }),
  Answer(
    {
      success: Type.Literal(false, { description: 'The call was not done' }),
      message: text('What to change'),
      code: oneOf(Object.keys(errorCodes), { description: 'What kind of error it is' }),
      fields: Type.Optional(FieldProblems),
    },
    { $id: 'ErrorResponse', description: 'What went wrong.' },
  ),
]
