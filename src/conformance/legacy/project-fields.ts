import { expectEqual, expectShape, expectStatus } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { need } from '../outcome.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { isObject, list, matching, record, type Shape, text } from '../shape.ts'
import { hiData, hiLead, hiLeadData, hiProject, read, solarData, solarProject } from './records.ts'

const texts = (names: string): Record<string, Shape> =>
  Object.fromEntries(names.split(' ').map((name) => [name, text]))

const customer = texts(
  'customerFirstName customerLastName customerPhoneNumber customerEmail customerAddress customerStreet customerCity customerState customerZip',
)
const coCustomer = texts(
  'secondaryCustomerFirstName secondaryCustomerLastName secondaryCustomerPhoneNumber secondaryCustomerEmail',
)
const people = texts('salesRepName salesRepEmail salesRepPhone setterName setterEmail setterPhone')
const folders =
  'surveyFiles personalFiles utilityBills insuranceFiles driverLicense installationPhotos plansets materials otherDocuments interconnection permits internalDocuments'

const within = (shape: Shape) =>
  Object.fromEntries(folders.split(' ').map((name) => [`allFilesURL.${name}`, shape]))

const solarFields: Record<string, Shape> = {
  ...customer,
  ...coCustomer,
  ...texts('projectStatus contractSignedDate submittedDate projectSiteId contractURL proposalURL projectURL'),
  ...within(text),
  ...texts(
    'systemSize estProduction numberOfPanel panelModel numberOfInverter inverterName numberOfBattery batteryName',
  ),
  ...texts(
    'contractPrice financeCompany financeAmount financeAPR financeTerm financeType basePPW finalPPW addersCost',
  ),
  adders: list(text),
  ...people,
  ...texts('siteSurveyorName subContractorName'),
}

const hiFields: Record<string, Shape> = {
  ...customer,
  ...coCustomer,
  ...texts('customerNotes projectStatus contractSignedDate submittedDate'),
  contractURL: list(text),
  ...texts('proposalURL projectURL'),
  ...texts('financeCompany financeAmount financeAPR financeDealerFee financeTerm monthlyPayment financeType'),
  Products: list(record({ product_name: text, product_cost: text })),
  ...texts('adjustments contractPrice'),
  ...people,
}

const decimal = matching('decimal text or empty', /^(-?\d+(\.\d+)?)?$/)
const numbers = (names: string): Record<string, Shape> =>
  Object.fromEntries(names.split(' ').map((name) => [name, decimal]))
const price = matching('a price such as 12,345.67, or empty', /^(-?\d{1,3}(,\d{3})*\.\d\d)?$/)

const solarForms: Record<string, Shape> = {
  ...numbers('systemSize estProduction numberOfPanel numberOfInverter numberOfBattery'),
  ...numbers('financeAmount financeAPR financeTerm basePPW finalPPW addersCost'),
}

const dated = (form: RegExp, example: string): Record<string, Shape> => ({
  contractPrice: price,
  contractSignedDate: matching(`a day as ${example}, or empty`, form),
  submittedDate: matching(`a day as ${example}, or empty`, form),
})

const one = (of: (kit: Kit) => Promise<unknown>) => async (kit: Kit) => [await of(kit)]

const wrapped = (name: string, path: (kit: Kit) => Promise<string>): Rule => ({
  id: `legacy.${name}.answer`,
  says: `\`${name}\` answers \`{data, id}\`.`,
  async check(kit) {
    const answer = await read(kit, await need('a project', path(kit)))
    expectStatus(answer, 200)
    expectShape(
      answer,
      record({ id: text, data: (value, at) => (isObject(value) ? null : `${at} is no object`) }),
    )
  },
})

export const legacyProjectRules: Rule[] = [
  wrapped('fetch_project', async (kit) => `/fetch_project?id=${await solarProject(kit)}`),
  ...fieldRules('legacy.fetch_project.fields', 'A solar project', solarFields, one(solarData)),
  ...fieldRules(
    'legacy.fetch_project.numbers',
    'A solar project, in decimal text,',
    solarForms,
    one(solarData),
  ),
  ...fieldRules(
    'legacy.fetch_project.forms',
    'A solar project, in its form,',
    dated(/^(\d\d\/\d\d\/\d{4})?$/, 'MM/DD/YYYY'),
    one(solarData),
    { decision: true },
  ),
  wrapped('fetch_project_hi', async (kit) => `/fetch_project_hi?id=${await hiProject(kit)}`),
  ...fieldRules(
    'legacy.fetch_project_hi.fields',
    'An HI project',
    { ...hiFields, ...within(list(text)) },
    one(hiData),
  ),
  ...fieldRules(
    'legacy.fetch_project_hi.forms',
    'An HI project, in its form,',
    dated(/^(\d\d\/\d\d\/\d\d)?$/, 'MM/DD/YY'),
    one(hiData),
    { decision: true },
  ),
  {
    id: 'legacy.fetch_lead_hi.answer',
    says: '`fetch_lead_hi` answers a flat record with its `id`, and without `data`.',
    async check(kit) {
      const answer = await read(kit, `/fetch_lead_hi?id=${await need('an HI lead', hiLead(kit))}`)
      expectStatus(answer, 200)
      expectShape(answer, record({ id: text }))
      expectEqual((answer.json as Record<string, unknown>)['data'], undefined, 'data')
    },
  },
  ...fieldRules('legacy.fetch_lead_hi.fields', 'An HI lead', hiFields, one(hiLeadData)),
]
