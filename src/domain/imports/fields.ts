/** What a column of a file may fill, with the headers that people write over it. */
const leadFields = {
  externalId: [
    'external id',
    'externalid',
    'crm id',
    'record id',
    'lead id',
    'id',
    'customer id',
    'source id',
  ],
  firstName: ['first name', 'firstname', 'first', 'given name', 'vorname', 'homeowner first name'],
  lastName: ['last name', 'lastname', 'last', 'surname', 'family name', 'nachname', 'homeowner last name'],
  fullName: [
    'name',
    'full name',
    'customer',
    'customer name',
    'homeowner',
    'homeowner name',
    'contact',
    'client',
  ],
  email: ['email', 'e mail', 'email address', 'mail', 'customer email', 'homeowner email'],
  phone: ['phone', 'phone number', 'mobile', 'cell', 'telephone', 'tel', 'mobile phone', 'customer phone'],
  line1: [
    'street',
    'address line 1',
    'address 1',
    'address1',
    'street address',
    'line1',
    'line 1',
    'mailing street',
  ],
  line2: ['unit', 'address line 2', 'address 2', 'address2', 'apt', 'apartment', 'suite', 'line2', 'line 2'],
  city: ['city', 'town', 'mailing city'],
  state: ['state', 'province', 'region', 'mailing state', 'state code'],
  postalCode: ['zip', 'zip code', 'zipcode', 'postal code', 'postalcode', 'postcode', 'mailing zip'],
  country: ['country', 'country code', 'mailing country'],
  fullAddress: ['address', 'full address', 'property address', 'site address', 'install address', 'location'],
  productLine: ['product line', 'productline', 'line of business', 'business line'],
  status: ['status', 'lead status'],
  notes: ['notes', 'note', 'comments', 'comment', 'description', 'remarks', 'lead notes'],
  salesRepEmail: [
    'sales rep email',
    'sales rep',
    'salesrepemail',
    'rep email',
    'rep',
    'owner email',
    'closer',
  ],
  setterEmail: ['setter email', 'setter', 'setteremail', 'appointment setter', 'canvasser'],
  source: ['source', 'lead source', 'source name'],
  subSource: ['sub source', 'subsource', 'campaign', 'lead sub source'],
  utility: ['utility', 'utility company', 'utility name', 'power company', 'electric company'],
  monthlyBill: ['monthly bill', 'electric bill', 'average bill', 'avg bill', 'utility bill', 'power bill'],
  coFirstName: ['co borrower first name', 'spouse first name', 'second first name', 'secondary first name'],
  coLastName: ['co borrower last name', 'spouse last name', 'second last name', 'secondary last name'],
  coEmail: ['co borrower email', 'spouse email', 'second email', 'secondary email'],
  coPhone: ['co borrower phone', 'spouse phone', 'second phone', 'secondary phone'],
} as const

/** A row that says one of these was sold: its lead is made with its project. */
const projectFields = {
  stage: ['stage', 'project stage', 'project status', 'milestone'],
  contractPrice: [
    'contract price',
    'contract amount',
    'system cost',
    'price',
    'sale price',
    'total price',
    'gross price',
  ],
  soldOn: [
    'sold',
    'sold on',
    'sold date',
    'sale date',
    'contract date',
    'contract signed',
    'date sold',
    'signed date',
  ],
  installDate: ['install date', 'installation date', 'install scheduled', 'install on'],
  sizeKw: ['system size', 'system size kw', 'size kw', 'kw', 'kw dc', 'system kw', 'size'],
  annualProductionKwh: ['annual production', 'production', 'annual production kwh', 'yearly production'],
  annualConsumptionKwh: [
    'consumption',
    'annual consumption',
    'usage',
    'annual usage',
    'annual consumption kwh',
  ],
  panelModel: ['panel', 'panel model', 'module', 'module model', 'panels', 'panel type'],
  panelCount: ['panel count', 'panel quantity', 'panel qty', 'number of panels', 'module count', 'modules'],
  inverterModel: ['inverter', 'inverter model', 'inverter type'],
  inverterCount: ['inverter count', 'inverter quantity', 'inverter qty', 'number of inverters'],
  batteryModel: ['battery', 'battery model', 'battery type'],
  batteryCount: ['battery count', 'battery quantity', 'battery qty', 'number of batteries'],
  adders: ['adders', 'adder names'],
  products: ['products', 'product', 'hi products', 'scope of work'],
  financingType: ['financing', 'financing type', 'finance type', 'payment type', 'payment method'],
  lender: ['lender', 'finance company', 'financier', 'loan provider'],
  aprPercent: ['apr', 'interest', 'interest rate', 'apr percent', 'rate'],
  termMonths: ['term months', 'loan term months', 'term in months', 'loan term'],
  termYears: ['term years', 'term', 'loan term years', 'term in years'],
  monthlyPayment: ['monthly payment', 'payment', 'loan payment'],
  projectNotes: ['project notes', 'install notes', 'job notes'],
} as const

export type ImportField = keyof typeof leadFields | keyof typeof projectFields

export const headersOf: Record<ImportField, readonly string[]> = { ...leadFields, ...projectFields }
export const importFields = Object.keys(headersOf) as ImportField[]
export const projectFieldNames = Object.keys(projectFields) as (keyof typeof projectFields)[]

export function isImportField(text: string): text is ImportField {
  return Object.hasOwn(headersOf, text)
}

/** Two or more fields that say the same thing cannot both be told by columns. */
export const eitherOr: readonly (readonly [whole: ImportField, parts: readonly ImportField[]])[] = [
  ['fullName', ['firstName', 'lastName']],
  ['fullAddress', ['line1', 'line2', 'city', 'state', 'postalCode']],
]
