// What the legacy API must answer of a record, worked out from what the company-key API answers of it.
// The formatting here is the test's own, so that it can disagree with the server's.

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
type Body = any

/** A lead of the company-key API, its project where it has one, and the installer's time zone. */
export interface Reading {
  lead: Body
  project: Body | null
  zone: string
}

export type Fields = Record<string, (reading: Reading) => unknown>

const word = (text: string | null | undefined) => text ?? ''
const formatted = (form: Intl.NumberFormatOptions) => {
  const format = new Intl.NumberFormat('en-US', form)
  return (value: number | null | undefined) =>
    value === null || value === undefined ? '' : format.format(value)
}
const decimal = formatted({ useGrouping: false, maximumFractionDigits: 10 })
const money = formatted({ useGrouping: false, minimumFractionDigits: 2, maximumFractionDigits: 2 })
const price = formatted({ useGrouping: true, minimumFractionDigits: 2, maximumFractionDigits: 2 })
const known = (parts: (string | null | undefined)[], between: string) => parts.filter(Boolean).join(between)
const cents = (amounts: (number | null)[]) =>
  amounts.reduce<number>((sum, amount) => sum + Math.round((amount ?? 0) * 100), 0)

export function dayText(instant: string | null | undefined, zone: string, year: 'numeric' | '2-digit') {
  if (!instant) return ''
  const form = { timeZone: zone, month: '2-digit', day: '2-digit', year } as const
  return new Intl.DateTimeFormat('en-US', form).format(new Date(instant))
}

/** Of a project the customer is read from the project: the two readings must not differ. */
const at = ({ lead, project }: Reading) => project ?? lead

const customer: Fields = {
  customerFirstName: (r) => word(at(r).customer.firstName),
  customerLastName: (r) => word(at(r).customer.lastName),
  customerPhoneNumber: (r) => word(at(r).customer.phone),
  customerEmail: (r) => word(at(r).customer.email),
  customerAddress(r) {
    const { line1, line2, city, state, postalCode, country } = at(r).address
    const place = known([state, postalCode], ' ')
    return known([line1, line2, city, place, country === 'US' ? null : country], ', ')
  },
  customerStreet: (r) => word(at(r).address.line1),
  customerCity: (r) => word(at(r).address.city),
  customerState: (r) => word(at(r).address.state),
  customerZip: (r) => word(at(r).address.postalCode),
  secondaryCustomerFirstName: (r) => word(at(r).coBorrower?.firstName),
  secondaryCustomerLastName: (r) => word(at(r).coBorrower?.lastName),
  secondaryCustomerPhoneNumber: (r) => word(at(r).coBorrower?.phone),
  secondaryCustomerEmail: (r) => word(at(r).coBorrower?.email),
}
const sellers: Fields = {
  salesRepName: (r) => word(at(r).salesRep?.name),
  salesRepEmail: (r) => word(at(r).salesRep?.email),
  salesRepPhone: (r) => word(at(r).salesRep?.phone),
  setterName: (r) => word(at(r).setter?.name),
  setterEmail: (r) => word(at(r).setter?.email),
  setterPhone: (r) => word(at(r).setter?.phone),
}
const crew: Fields = {
  siteSurveyorName: (r) => word(r.project?.siteSurveyor?.name),
  subContractorName: (r) => word(r.project?.subcontractor?.name),
}
const links: Fields = {
  proposalURL: (r) => word(r.project?.links.proposal),
  projectURL: (r) => word(r.project?.links.project),
}
const status = (year: 'numeric' | '2-digit'): Fields => ({
  projectStatus: (r) => word(r.project?.stage.name),
  contractSignedDate: (r) => dayText(r.project?.contract.signedAt, r.zone, year),
  submittedDate: (r) => dayText(r.project?.soldAt, r.zone, year),
})
const finance: Fields = {
  financeCompany: (r) => word(r.project?.financing.lender),
  financeAmount: (r) => money(r.project?.financing.amount),
  financeAPR: (r) => decimal(r.project?.financing.aprPercent),
  financeTerm: (r) => decimal(r.project?.financing.termMonths),
  financeType: (r) => word(r.project?.financing.type),
}

/** The legacy name of each folder; null where it is always empty. */
export const folderOf: Record<string, string | null> = {
  surveyFiles: 'siteSurvey',
  personalFiles: null,
  utilityBills: 'utilityBill',
  insuranceFiles: 'homeInsurance',
  driverLicense: 'identification',
  installationPhotos: 'installationPhoto',
  plansets: 'planset',
  materials: 'material',
  otherDocuments: 'other',
  interconnection: 'interconnection',
  permits: 'permit',
  internalDocuments: 'internal',
}
/** The files of each folder; a solar project's pages must list the same. */
const allFilesURL = ({ project }: Reading) =>
  Object.fromEntries(
    Object.entries(folderOf).map(([name, folder]) => [name, folder === null ? [] : project.files[folder]]),
  )

const make = (item: { manufacturer: string | null; model: string | null } | null | undefined) =>
  known([item?.manufacturer, item?.model], ' ')

export const solarProject: Fields = {
  ...customer,
  ...status('numeric'),
  projectSiteId: () => '',
  contractURL: (r) => word(r.project.contract.files.at(-1)),
  ...links,
  allFilesURL,
  systemSize: (r) => decimal(r.project.system.sizeKw),
  estProduction: (r) => decimal(r.project.system.annualProductionKwh),
  numberOfPanel: (r) => decimal(r.project.system.panels.count),
  panelModel: (r) => word(r.project.system.panels.model),
  numberOfInverter: (r) => decimal(r.project.system.inverters.count),
  inverterName: (r) => r.project.system.inverters.name ?? make(r.project.system.inverters),
  numberOfBattery: (r) => decimal(r.project.system.batteries?.count),
  batteryName: (r) => make(r.project.system.batteries),
  contractPrice: (r) => price(r.project.contract.price),
  ...finance,
  basePPW: (r) => decimal(r.project.system.pricePerWatt.base),
  finalPPW: (r) => decimal(r.project.system.pricePerWatt.final),
  addersCost: (r) => money(cents(r.project.system.adders.map((a: Body) => a.total)) / 100),
  adders: (r) => r.project.system.adders.map((a: Body) => a.name),
  ...sellers,
  ...crew,
}

export const hiLead: Fields = {
  ...customer,
  customerNotes: (r) => word(r.lead.notes),
  ...status('2-digit'),
  contractURL: (r) => r.project?.contract.files ?? [],
  ...links,
  ...finance,
  financeDealerFee: (r) => decimal(r.project?.financing.dealerFeePercent),
  monthlyPayment: (r) => money(r.project?.financing.monthlyPayment),
  Products: (r) =>
    (r.project?.products ?? []).map((p: Body) => ({ product_name: p.name, product_cost: money(p.price) })),
  adjustments(r) {
    const total = r.project?.contract.price
    if (total === null || total === undefined) return ''
    return money((cents([total]) - cents(r.project.products.map((p: Body) => p.price))) / 100)
  },
  contractPrice: (r) => price(r.project?.contract.price),
  ...sellers,
}

export const hiProject: Fields = { ...hiLead, allFilesURL }

export const solarLead: Fields = {
  ...customer,
  customerNotes: (r) => word(r.lead.notes),
  leadStatus: (r) => r.lead.status,
  projectStatus: (r) => word(r.project?.stage.name),
  utilityCompany: (r) => word(r.lead.utility.name),
  monthlyBill: (r) => money(r.lead.utility.monthlyBill),
  ...sellers,
  ...crew,
  ...links,
}

export function expected(fields: Fields, reading: Reading): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value(reading)]))
}
