import type { SoldDeal } from '../../domain/deals/changes/deal.ts'
import type { ProjectFileRow } from '../../domain/deals/files/queries.ts'
import type { ChecklistItem } from '../../domain/deals/projects/checklist-queries.ts'
import type { Financing, SoldProduct, System } from '../../domain/deals/projects/project.ts'
import { productsWithoutPrices, systemWithoutPrices } from '../../domain/deals/projects/without-prices.ts'
import { itemsVersion } from '../../domain/deals/sale/update-items.ts'
import type { Address, Contact } from '../../domain/kernel/contact.ts'
import type { Actor } from '../../domain/kernel/context.ts'
import { dayIn } from '../../domain/kernel/days.ts'
import type { Folder } from '../../domain/kernel/folder.ts'
import { foldersWith, mayInFolder, removesFile } from '../../domain/kernel/folder-policy.ts'
import type { Decimal } from '../../domain/kernel/money.ts'
import { may } from '../../domain/kernel/policy.ts'
import { type Directory, installerOf, ladderOf } from '../../domain/kernel/tenant/directory.ts'
import type { MilestoneKey, ProductLine } from '../../domain/kernel/tenant/stage.ts'
import { cleanFileName } from '../../platform/file-name.ts'
import { hasThumbnail } from '../../platform/thumbnail.ts'

export interface ProjectStage {
  id: string
  name: string
  daysAllowed: number | null
}

export interface ProjectFile {
  id: string
  name: string
  type: string
  extension: string
  size: number
  addedAt: string
  /** Where it is read, by who is signed in; a browser shows it there, or keeps it where it could run something. */
  url: string
  inline: boolean
  thumbnail: string | null
  removable: boolean
}

export interface ProjectFolder {
  folder: Folder
  /** The newest first. */
  files: ProjectFile[]
  /** The page that lists all of them, for who is signed in. */
  page: string
  /** Whether this person may add to it. */
  adds: boolean
}

export interface ProjectTask {
  label: string
  doneAt: string | null
  doneBy: string | null
}

export interface ProjectChecklist {
  stageId: string
  stage: string
  items: ProjectTask[]
}

export interface ProjectPerson {
  id: string
  name: string
  email: string
  phone: string | null
}

/** A project with everything that its page shows. */
export interface ProjectResponse {
  id: string
  reference: string | null
  leadId: string
  productLine: ProductLine
  updatedAt: string
  /** Since when nothing says whose it was. */
  erasedAt: string | null
  customer: Contact
  coBorrower: Contact | null
  address: Address
  company: string
  soldAt: string | null
  stage: ProjectStage & { enteredAt: string | null }
  /** The stages in use, in order. The project's own may be missing where it was retired. */
  ladder: ProjectStage[]
  checklists: ProjectChecklist[]
  milestones: Partial<Record<MilestoneKey, string>>
  ntpGranted: boolean
  notes: { customer: string | null; project: string | null }
  people: Record<
    'salesRep' | 'setter' | 'projectManager' | 'siteSurveyor' | 'subcontractor',
    ProjectPerson | null
  >
  /** Null, like the prices below, for those who do not see what was agreed. */
  contract: { signedOn: string | null; price: Decimal | null } | null
  financing: Financing | null
  system: System | null
  products: SoldProduct[] | null
  /** Says which state of system, products and price is shown; null for those who change none of it. */
  itemsVersion: string | null
  folders: ProjectFolder[]
  /** There are older files, which only the folders' pages show. */
  moreFiles: boolean
  installationId: string | null
  /** The customer's page, as who is signed in reads it. */
  proposal: string | null
  can: {
    /** Moves it, and changes its days, people and notice to proceed. */
    run: boolean
    /** Changes what was sold, agreed and noted: nothing new is kept of who was erased. */
    write: boolean
    /** Adds files to one of the folders at least. */
    upload: boolean
    /** Makes the addresses anew that the APIs give. */
    renewLinks: boolean
  }
}

/** How many files the page is given: more are on their folder's own page. */
export const maxListedFiles = 500

export const pdf = 'application/pdf'

export interface Beside {
  checklist: readonly ChecklistItem[]
  files: readonly ProjectFileRow[]
}

export function projectResponse(
  { lead, project }: SoldDeal,
  { checklist, files }: Beside,
  directory: Directory,
  actor: Actor,
): ProjectResponse {
  const installer = installerOf(directory)
  const stage = directory.stages.get(project.stageId)!
  const person = (id: string | null) => {
    const member = id ? directory.members.get(id) : undefined
    return member ? { id: member.id, name: member.name, email: member.email, phone: member.phone } : null
  }
  const path = `/console/api/projects/${project.id}`
  const listed = files.slice(0, maxListedFiles)
  const shown = (file: ProjectFileRow): ProjectFile => ({
    ...fileResponse(path, file),
    removable: removesFile(actor, file),
  })
  const sale = may(actor, 'sales.read')
  const run = may(actor, 'projects.change')
  const isErased = lead.erasedAt !== null
  return {
    id: project.id,
    reference: project.reference,
    leadId: project.leadId,
    productLine: project.productLine,
    updatedAt: project.updatedAt.toISOString(),
    erasedAt: lead.erasedAt?.toISOString() ?? null,
    customer: lead.customer,
    coBorrower: lead.coBorrower,
    address: lead.address,
    company: directory.companies.get(project.companyId)?.name ?? '',
    soldAt: project.soldAt?.toISOString() ?? null,
    stage: { ...stageResponse(stage), enteredAt: project.stageEnteredAt?.toISOString() ?? null },
    ladder: ladderOf(directory, project.productLine).map(stageResponse),
    checklists: checklistsResponse(checklist, directory),
    milestones: project.milestones,
    ntpGranted: project.ntpGranted,
    notes: { customer: sale ? lead.notes : null, project: project.notes },
    people: {
      salesRep: person(lead.salesRepId),
      setter: person(lead.setterId),
      projectManager: person(project.projectManagerId),
      siteSurveyor: person(project.siteSurveyorId),
      subcontractor: person(project.subcontractorId),
    },
    contract: sale
      ? {
          signedOn: project.contractSignedAt && dayIn(installer.timezone, project.contractSignedAt),
          price: project.contractPrice,
        }
      : null,
    financing: sale ? project.financing : null,
    system: sale ? project.system : project.system && systemWithoutPrices(project.system),
    products: sale ? project.products : project.products && productsWithoutPrices(project.products),
    itemsVersion: run ? itemsVersion(project) : null,
    folders: foldersWith(actor, 'read').map((folder) => ({
      folder,
      page: `${path}/folders/${folder}`,
      adds: !isErased && mayInFolder(actor, 'add', folder),
      files: listed.filter((f) => f.folder === folder).map(shown),
    })),
    moreFiles: files.length > listed.length,
    installationId: project.installationId,
    proposal: sale && project.proposalToken ? `${path}/proposal` : null,
    can: {
      run,
      write: run && !isErased,
      upload: !isErased && foldersWith(actor, 'add').length > 0,
      renewLinks: run && !isErased,
    },
  }
}

function stageResponse({ id, name, daysAllowed }: ProjectStage): ProjectStage {
  return { id, name, daysAllowed }
}

function fileResponse(project: string, file: ProjectFileRow): Omit<ProjectFile, 'removable'> {
  const { id, name, type, extension, size, inline } = file
  const url = `${project}/files/${id}`
  return {
    id,
    name: cleanFileName(name),
    type,
    extension,
    size,
    inline,
    addedAt: file.addedAt.toISOString(),
    url,
    thumbnail: hasThumbnail(type) ? `${url}/thumbnail` : null,
  }
}

/** In the order of the ladder, what was retired last. */
function checklistsResponse(checklist: readonly ChecklistItem[], directory: Directory): ProjectChecklist[] {
  const stages = [...new Set(checklist.map((item) => item.stageId))].map((id) => directory.stages.get(id)!)
  return stages
    .sort((a, b) => Number(a.retired) - Number(b.retired) || a.position - b.position)
    .map(({ id, name }) => ({
      stageId: id,
      stage: name,
      items: checklist
        .filter((item) => item.stageId === id)
        .map(({ label, doneAt, doneBy }) => ({
          label,
          doneAt: doneAt?.toISOString() ?? null,
          doneBy: (doneBy && directory.members.get(doneBy)?.name) ?? null,
        })),
    }))
}
