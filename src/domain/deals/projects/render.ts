import { folders } from '../../kernel/folder.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import { milestoneKeys } from '../../kernel/tenant/stage.ts'
import { type FileEntry, filePath } from '../files/file.ts'
import type { Lead } from '../leads/lead.ts'
import { baseUrlMark, decimal, members, staff } from '../renderings/rendering.ts'
import type { Project } from './project.ts'

export interface ProjectRenderings {
  row: string
  full: string
  /** Null where a dealer reads the same. */
  dealer: string | null
}

/** The ProjectRow and the Project of the company-key API. */
export function renderProject(
  project: Project,
  lead: Lead,
  files: readonly FileEntry[],
  directory: Directory,
  updatedAt: string,
): ProjectRenderings {
  const stage = directory.stages.get(project.stageId)
  const head = members({
    id: project.id,
    reference: project.reference,
    leadId: project.leadId,
    productLine: project.productLine,
    stage: { id: project.stageId, name: stage?.name ?? null, enteredAt: project.stageEnteredAt },
    soldAt: project.soldAt,
  })
  const tail = members({ ntpGranted: project.ntpGranted, customer: lead.customer, address: lead.address })
  const row = `{${head},"updatedAt":"${updatedAt}",${tail}}`

  const company = directory.companies.get(project.companyId)
  const rest = members({
    coBorrower: lead.coBorrower,
    notes: { customer: lead.notes, project: project.notes },
    company: company ? { name: company.name } : null,
    salesRep: staff(directory, lead.salesRepId),
    setter: staff(directory, lead.setterId),
    projectManager: staff(directory, project.projectManagerId),
    siteSurveyor: staff(directory, project.siteSurveyorId),
    subcontractor: staff(directory, project.subcontractorId),
  })
  const { financing } = project
  const money = members({
    financing: {
      type: financing.type,
      lender: financing.lender,
      amount: decimal(financing.amount),
      aprPercent: decimal(financing.aprPercent),
      termMonths: financing.termMonths,
      monthlyPayment: decimal(financing.monthlyPayment),
      dealerFeePercent: decimal(financing.dealerFeePercent),
    },
    system: systemOf(project),
    products: project.products?.map((p) => ({ name: p.name, price: decimal(p.price) })) ?? null,
    milestones: Object.fromEntries(
      milestoneKeys.flatMap((key) => (project.milestones[key] ? [[key, project.milestones[key]]] : [])),
    ),
  })
  const contract = members({ signedAt: project.contractSignedAt, price: decimal(project.contractPrice) })
  const proposal = project.proposalToken ? `"${baseUrlMark}/proposals/${project.proposalToken}"` : 'null'
  const links = `"links":{"project":"${baseUrlMark}/projects/${project.id}","proposal":${proposal}}`

  const number = installerOf(directory).number
  const addresses = (folder: string) =>
    files
      .filter((f) => f.folder === folder)
      .map((f) => `"${baseUrlMark}${filePath(number, f)}"`)
      .join(',')
  const full = (folder: (name: string) => string) => {
    const map = folders.map((name) => `"${name}":[${folder(name)}]`).join(',')
    return `${row.slice(0, -1)},${rest},"contract":{${contract},"files":[${folder('contract')}]},${money},"files":{${map}},${links}}`
  }
  return {
    row,
    full: full(addresses),
    dealer: files.some((f) => f.folder === 'internal')
      ? full((name) => (name === 'internal' ? '' : addresses(name)))
      : null,
  }
}

// Stored documents do not keep the order of their keys, so each is named here.
function systemOf({ system }: Project) {
  if (system === null) return null
  const { panels, inverters, batteries } = system
  return {
    sizeKw: decimal(system.sizeKw),
    annualProductionKwh: decimal(system.annualProductionKwh),
    panels: { count: panels.count, manufacturer: panels.manufacturer, model: panels.model },
    inverters: {
      count: inverters.count,
      manufacturer: inverters.manufacturer,
      model: inverters.model,
      name: inverters.name,
      microinverter: inverters.microinverter,
    },
    batteries: batteries && {
      count: batteries.count,
      manufacturer: batteries.manufacturer,
      model: batteries.model,
      capacityKwh: decimal(batteries.capacityKwh),
    },
    pricePerWatt: { base: decimal(system.pricePerWatt.base), final: decimal(system.pricePerWatt.final) },
    adders: system.adders.map((a) => ({ name: a.name, quantity: a.quantity, total: decimal(a.total) })),
  }
}
