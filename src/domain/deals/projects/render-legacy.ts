import { Big } from 'big.js'
import type { Folder } from '../../kernel/folder.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import type { Deal, SoldDeal } from '../changes/deal.ts'
import { type FileEntry, filePath } from '../files/file.ts'
import { folderPaths } from '../files/folder-address.ts'
import {
  address,
  customerFields,
  day,
  grouped,
  legacyId,
  sellerFields,
  sum,
  text,
} from '../renderings/legacy-text.ts'
import { internalMark, members, staff } from '../renderings/rendering.ts'
import type { Project } from './project.ts'

/** The legacy API's names for folders; what it calls personal files is always empty. */
const folderOf: Record<string, Folder | null> = {
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

/**
 * A project in the words of the legacy API, flat, its id first. Rendered when it is written, as the
 * company-key API's is: mapped when read, a page of 100 takes three times as long as all the rest.
 */
export function renderLegacyProject(deal: SoldDeal, directory: Directory): string {
  const id = members({ id: legacyId(deal.project) })
  const fields = deal.project.system ? solarFields(deal, directory) : hiFields(deal, directory)
  return `{${id},${fields},${allFiles(deal, directory)}}`
}

/** The id and the other fields of a flat legacy record, apart. */
export function splitLegacyRecord(record: string): { id: string; data: string } {
  const end = record.indexOf('",')
  return { id: record.slice('{"id":"'.length, end), data: `{${record.slice(end + 2)}` }
}

function allFiles({ project, files }: SoldDeal, directory: Directory): string {
  const { number } = installerOf(directory)
  const pages = folderPaths(number, project)
  const value = (folder: Folder | null) => {
    if (project.productLine === 'hi') {
      const inside = folder === null ? '' : addresses(files, folder, number).join(',')
      return `[${folder === 'internal' ? internal(inside) : inside}]`
    }
    if (folder === null) return '""'
    const page = address(pages(folder))
    return folder === 'internal' ? `"${internal(page.slice(1, -1))}"` : page
  }
  const values = Object.entries(folderOf).map(([name, folder]) => `"${name}":${value(folder)}`)
  return `"allFilesURL":{${values.join(',')}}`
}

function internal(json: string): string {
  return internalMark + json + internalMark
}

function addresses(files: readonly FileEntry[], folder: Folder, installerNumber: number): string[] {
  return files.filter((f) => f.folder === folder).map((f) => address(filePath(installerNumber, f)))
}

function statusFields(project: Project | null, directory: Directory) {
  const line = project?.productLine ?? 'hi'
  return {
    projectStatus: text(project && directory.stages.get(project.stageId)?.name),
    contractSignedDate: day(project?.contractSignedAt, line, directory),
    submittedDate: day(project?.soldAt, line, directory),
  }
}

/** Where people find the proposal and the project. */
export function linkFields(project: Project | null): string {
  const proposal = project?.proposalToken ? `/proposals/${project.proposalToken}` : null
  return `"proposalURL":${address(proposal)},"projectURL":${address(project && `/projects/${project.id}`)}`
}

function financeFields(project: Project | null) {
  const financing = project?.financing
  return {
    financeCompany: text(financing?.lender),
    financeAmount: text(financing?.amount),
    financeAPR: text(financing?.aprPercent),
    financeTerm: text(financing?.termMonths),
    financeType: text(financing?.type),
  }
}

/** Who works on the project besides those who sold it. */
export function crewFields(project: Project | null, directory: Directory) {
  return {
    siteSurveyorName: text(staff(directory, project?.siteSurveyorId ?? null)?.name),
    subContractorName: text(staff(directory, project?.subcontractorId ?? null)?.name),
  }
}

function solarFields({ lead, project, files }: SoldDeal, directory: Directory): string {
  const system = project.system!
  const { panels, inverters, batteries, pricePerWatt, adders } = system
  const named = (item: { manufacturer: string | null; model: string | null } | null) =>
    [item?.manufacturer, item?.model].filter(Boolean).join(' ')
  // The newest: who has just uploaded a contract reads that one.
  const contract = addresses(files, 'contract', installerOf(directory).number).at(-1) ?? '""'
  const head = members({
    ...customerFields(lead),
    ...statusFields(project, directory),
    projectSiteId: text(project.installationId),
  })
  const tail = members({
    systemSize: text(system.sizeKw),
    estProduction: text(system.annualProductionKwh),
    numberOfPanel: text(panels.count),
    panelModel: text(panels.model),
    numberOfInverter: text(inverters.count),
    inverterName: inverters.name ?? named(inverters),
    numberOfBattery: text(batteries?.count),
    batteryName: named(batteries),
    contractPrice: grouped(project.contractPrice),
    ...financeFields(project),
    basePPW: text(pricePerWatt.base),
    finalPPW: text(pricePerWatt.final),
    addersCost: sum(adders.map((adder) => adder.total)),
    adders: adders.map((adder) => adder.name),
    ...sellerFields(lead, directory),
    ...crewFields(project, directory),
  })
  return `${head},"contractURL":${contract},${linkFields(project)},${tail}`
}

/** What the HI project and the HI lead have in common: all but the folders. */
export function hiFields({ lead, project, files }: Deal, directory: Directory): string {
  const products = project?.products ?? []
  const price = project?.contractPrice ?? null
  const head = members({
    ...customerFields(lead),
    customerNotes: text(lead.notes),
    ...statusFields(project, directory),
  })
  const tail = members({
    ...financeFields(project),
    financeDealerFee: text(project?.financing.dealerFeePercent),
    monthlyPayment: text(project?.financing.monthlyPayment),
    Products: products.map((p) => ({ product_name: p.name, product_cost: text(p.price) })),
    adjustments:
      price === null ? '' : new Big(price).minus(sum(products.map((p) => p.price)) || 0).toFixed(2),
    contractPrice: grouped(price),
    ...sellerFields(lead, directory),
  })
  const contracts = addresses(files, 'contract', installerOf(directory).number)
  return `${head},"contractURL":[${contracts.join(',')}],${linkFields(project)},${tail}`
}
