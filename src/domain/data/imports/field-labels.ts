import type { LeadStatus } from '../../deals/leads/lead.ts'
import type { FinancingType } from '../../deals/projects/project.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { ImportField } from './fields.ts'

/** What the console calls each field: messages say it so, and a file that uses our own words is understood. */
export const fieldLabels: Record<ImportField, string> = {
  externalId: 'External ID',
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  email: 'Email',
  phone: 'Phone',
  line1: 'Street',
  line2: 'Unit',
  city: 'City',
  state: 'State',
  postalCode: 'ZIP code',
  country: 'Country',
  fullAddress: 'Full address',
  productLine: 'Product line',
  status: 'Status',
  notes: 'Notes',
  salesRepEmail: 'Sales rep',
  setterEmail: 'Setter',
  createdOn: 'Created on',
  source: 'Source',
  subSource: 'Sub-source',
  utility: 'Utility company',
  monthlyBill: 'Monthly bill',
  coFirstName: 'Co-borrower’s first name',
  coLastName: 'Co-borrower’s last name',
  coEmail: 'Co-borrower’s email',
  coPhone: 'Co-borrower’s phone',
  stage: 'Stage',
  stageSince: 'In this stage since',
  contractPrice: 'Contract price',
  soldOn: 'Sold on',
  installDate: 'Install date',
  sizeKw: 'System size, kW',
  annualProductionKwh: 'Annual production, kWh',
  annualConsumptionKwh: 'Annual consumption, kWh',
  panelModel: 'Panel model',
  panelCount: 'Panels',
  inverterModel: 'Inverter model',
  inverterCount: 'Inverters',
  batteryModel: 'Battery model',
  batteryCount: 'Batteries',
  adders: 'Adders, separated by ;',
  products: 'Products, separated by ;',
  financingType: 'Financing',
  lender: 'Lender',
  aprPercent: 'APR, %',
  termMonths: 'Term, months',
  termYears: 'Term, years',
  monthlyPayment: 'Monthly payment',
  projectNotes: 'Project notes',
}

export const statusLabels: Record<LeadStatus, string> = {
  new: 'New',
  contacted: 'Contacted',
  nurture: 'Nurture',
  appointmentSet: 'Appointment set',
  proposalSent: 'Proposal sent',
  sold: 'Sold',
  lost: 'Lost',
  unqualified: 'Unqualified',
}
export const lineLabels: Record<ProductLine, string> = { solar: 'Solar', hi: 'Home improvement' }
export const financingLabels: Record<FinancingType, string> = {
  cash: 'Cash',
  loan: 'Loan',
  lease: 'Lease',
  ppa: 'PPA',
}

/** The value that a text names, by its own name or by the console's word for it. */
export function valueNamed<V extends string>(labels: Record<V, string>, text: string): V | null {
  const letters = (one: string) => plainWords(one).replaceAll(' ', '')
  const wanted = letters(text)
  const values = Object.keys(labels) as V[]
  return values.find((value) => letters(value) === wanted || letters(labels[value]) === wanted) ?? null
}

export const listed = (labels: Record<string, string>) => Object.values(labels).join(', ')

/** Words as they can be compared: without case, accents, apostrophes and punctuation. */
export function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}|['’`´]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** firstName, First_Name and "first name:" are the same words over a column. */
export function headerWords(text: string): string {
  const units = text.replace(/kWh?\b/g, (unit) => unit.toLowerCase())
  return plainWords(units.replace(/([a-z])([A-Z])/g, '$1 $2'))
}
