import Type, { type TSchema } from 'typebox'
import { errorCodes } from '../http/errors.ts'
import { Answer, oneOf, orNull, text } from '../http/schema-words.ts'

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text()]))
const address = (description: string) => text(`${description}; empty where there is none`)

const customer = {
  ...texts('customerFirstName', 'customerLastName', 'customerPhoneNumber', 'customerEmail'),
  customerAddress: text('The whole address in one line'),
  ...texts('customerStreet', 'customerCity', 'customerState', 'customerZip'),
  ...texts('secondaryCustomerFirstName', 'secondaryCustomerLastName'),
  ...texts('secondaryCustomerPhoneNumber', 'secondaryCustomerEmail'),
}
const sellers = texts(
  ...['salesRepName', 'salesRepEmail', 'salesRepPhone', 'setterName', 'setterEmail', 'setterPhone'],
)
const crew = texts('siteSurveyorName', 'subContractorName')
const status = (form: string) => ({
  projectStatus: text('The name of the stage'),
  contractSignedDate: text(form),
  submittedDate: text(`When it was sold, ${form}`),
})
const links = { proposalURL: address('The proposal'), projectURL: address('The project’s page') }
const finance = {
  financeCompany: text(),
  financeAmount: text(),
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
const folders = (value: TSchema) => Answer(Object.fromEntries(folderNames.map((name) => [name, value])))
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
  adders: Type.Array(text()),
  ...sellers,
  ...crew,
  allFilesURL: folders(text('A page that lists the folder’s files')),
}
const hiLead = {
  ...customer,
  customerNotes: text(),
  ...status('MM/DD/YY'),
  contractURL: Type.Array(text()),
  ...links,
  ...finance,
  financeDealerFee: text('Percent'),
  monthlyPayment: text(),
  Products: Type.Array(Answer({ product_name: text(), product_cost: text() })),
  adjustments: text('The contract’s price less the sum of the products'),
  contractPrice: text('Such as 12,345.67'),
  ...sellers,
}
const hiProject = { ...hiLead, allFilesURL: folders(Type.Array(text())) }
const solarLead = {
  ...customer,
  customerNotes: text(),
  leadStatus: text(),
  projectStatus: text('The name of the project’s stage'),
  ...texts('utilityCompany', 'monthlyBill'),
  ...sellers,
  ...crew,
  ...links,
}

const single = (name: string, data: Record<string, TSchema>) =>
  Answer({ data: Answer(data), id }, { $id: name })
const list = (name: string, item: Record<string, TSchema>) =>
  Answer(
    {
      success: Type.Boolean(),
      message: text(),
      data: Type.Array(Answer({ id, ...item })),
      page: Type.Number(),
      per_page: Type.Integer(),
      count: Type.Integer({ description: 'Records on this page' }),
      remaining: Type.Integer({ description: 'Records on the pages after this one' }),
      total: Type.Integer({ description: 'Records on all pages' }),
    },
    { $id: name },
  )
const done = (name: string, data?: TSchema) =>
  Answer({ success: Type.Boolean(), message: text(), ...(data ? { data } : {}) }, { $id: name })
const catalogueList = (name: string, fields: Record<string, TSchema>) =>
  done(name, Type.Array(Answer(fields)))

const equipment = texts('id', 'kind', 'manufacturer', 'model', 'default')
const phone = orNull(Type.Integer(), 'The digits as a number')

/** Every answer of the legacy API, by name. */
export const answerSchemas: readonly TSchema[] = [
  single('Project', solarProject),
  single('HiProject', hiProject),
  Answer({ id, ...solarLead }, { $id: 'Lead' }),
  Answer({ id, ...hiLead }, { $id: 'HiLead' }),
  list('ProjectList', solarProject),
  list('HiProjectList', hiProject),
  list('LeadList', solarLead),
  list('HiLeadList', hiLead),
  done('ProjectCreated', Answer(texts('project_id', 'lead_id'))),
  done('StageUpdated', Answer(texts('project_id', 'new_status'))),
  done('FileUploaded'),
  done('ActivityCreated', Answer(texts('project_id', 'installer_id'))),
  Answer({ status: Type.Integer(), leaduid: text('The lead’s reference') }, { $id: 'LeadCreated' }),
  Answer(
    {
      id,
      home_improvement: Type.Boolean(),
      ...texts('primary_first_name', 'primary_last_name', 'primary_email'),
      primary_phone: phone,
      ...texts('secondary_first_name', 'secondary_last_name', 'secondary_email'),
      secondary_phone: phone,
    },
    { $id: 'LeadRecord' },
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
      success: Type.Literal(false),
      message: text('What to change'),
      code: oneOf(Object.keys(errorCodes)),
    },
    { $id: 'Error' },
  ),
]
