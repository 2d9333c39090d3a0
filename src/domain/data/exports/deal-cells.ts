import type { Deal, SoldDeal } from '../../deals/changes/deal.ts'
import { dayIn } from '../../kernel/days.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { type ImportField, importFields, projectFieldNames } from '../imports/fields.ts'

type Cells = Partial<Record<ImportField, string | number | null | undefined>>

const wholes: ImportField[] = ['fullName', 'fullAddress', 'termYears']
const projectFields: ImportField[] = projectFieldNames
const written = importFields.filter((field) => !wholes.includes(field))

/** The columns of each file: the fields of an import, so that it reads them back. */
export const leadHeader = written.filter((field) => !projectFields.includes(field))
export const projectHeader = written.filter((field) => field !== 'status')

export function leadCells(deal: Deal, directory: Directory): string[] {
  return cellsOf(leadHeader, leadValues(deal, directory))
}

export function projectCells(deal: SoldDeal, directory: Directory): string[] {
  return cellsOf(projectHeader, { ...leadValues(deal, directory), ...projectValues(deal, directory) })
}

function cellsOf(header: readonly ImportField[], cells: Cells): string[] {
  return header.map((field) => String(cells[field] ?? ''))
}

function leadValues({ lead }: Deal, { members, companies }: Directory): Cells {
  const { customer, coBorrower, address, utility, source } = lead
  const emailOf = (id: string | null) => (id === null ? null : members.get(id)?.email)
  return {
    externalId: lead.externalId,
    ...customer,
    ...address,
    productLine: lead.productLine,
    status: lead.status,
    notes: lead.notes,
    salesRepEmail: emailOf(lead.salesRepId),
    setterEmail: emailOf(lead.setterId),
    createdOn: dayIn(companies.get(lead.companyId)!.timezone, lead.createdAt),
    source: source.name,
    subSource: source.subSource,
    utility: utility.name,
    monthlyBill: utility.monthlyBill,
    coFirstName: coBorrower?.firstName,
    coLastName: coBorrower?.lastName,
    coEmail: coBorrower?.email,
    coPhone: coBorrower?.phone,
  }
}

function projectValues({ project }: SoldDeal, { stages, companies }: Directory): Cells {
  const { system, financing, contractSignedAt, milestones } = project
  const { timezone } = companies.get(project.companyId)!
  const named = (item: { manufacturer: string | null; model: string | null } | null | undefined) =>
    item && [item.manufacturer, item.model].filter(Boolean).join(' ')
  return {
    stage: stages.get(project.stageId)?.name,
    stageSince: project.stageEnteredAt && dayIn(timezone, project.stageEnteredAt),
    contractPrice: project.contractPrice,
    soldOn: contractSignedAt && dayIn(timezone, contractSignedAt),
    installDate: milestones.installScheduled,
    sizeKw: system?.sizeKw,
    annualProductionKwh: system?.annualProductionKwh,
    annualConsumptionKwh: system?.annualConsumptionKwh,
    panelModel: named(system?.panels),
    panelCount: system?.panels.count,
    inverterModel: named(system?.inverters),
    inverterCount: system?.inverters.count,
    batteryModel: named(system?.batteries),
    batteryCount: system?.batteries?.count,
    adders: system?.adders.map(({ name }) => name).join('; '),
    products: project.products?.map(({ name }) => name).join('; '),
    financingType: financing.type,
    lender: financing.lender,
    aprPercent: financing.aprPercent,
    termMonths: financing.termMonths,
    monthlyPayment: financing.monthlyPayment,
    projectNotes: project.notes,
  }
}
