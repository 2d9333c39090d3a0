import { createHash } from 'node:crypto'
import type { Deal } from '../../src/domain/deals/changes/deal.ts'
import type { FileEntry } from '../../src/domain/deals/files/file.ts'
import { type Lead, leadStatuses } from '../../src/domain/deals/leads/lead.ts'
import type { Project, System } from '../../src/domain/deals/projects/project.ts'
import type { Folder } from '../../src/domain/kernel/folder.ts'
import { type Directory, ladderOf } from '../../src/domain/kernel/tenant/directory.ts'
import type { Role } from '../../src/domain/kernel/tenant/member.ts'
import { milestoneKeys } from '../../src/domain/kernel/tenant/stage.ts'
import type { Random } from '../random.ts'

const firstNames = ['Ada', 'Luis', 'Mei', 'Omar', 'Grace', 'Ivan', 'Noor', 'Tess', 'Hugo', 'Priya', 'José']
const lastNames = ['Moreno', 'Chen', 'Okafor', 'Schmidt', 'Larsen', 'Haddad', 'Brooks', 'Nguyen', 'Müller']
const streets = [
  'Market St',
  'Juniper Ave',
  'Mission Bay Dr',
  'El Cajon Blvd',
  'Fairmount Ave',
  'Voltaire St',
]
const places = [
  ['San Diego', 'CA', '92101'],
  ['Phoenix', 'AZ', '85004'],
  ['Austin', 'TX', '78701'],
  ['Denver', 'CO', '80202'],
] as const
const utilities = ['San Diego Gas & Electric', 'Arizona Public Service', 'Austin Energy', 'Xcel Energy']
const sources = ['Canvassing', 'Referral', 'Web form', 'Home show']
const remarks = [
  'Roof was replaced two years ago; wants the array on the south and west planes only, none over the porch.',
  'Prefers to be called after five. Dog in the back yard: ring before opening the side gate.',
  'Main panel is 100 A and full. Told them that an upgrade is likely and what it would cost.',
]
const unsold = leadStatuses.filter((status) => status !== 'sold')
const heldFolders: Folder[] = [
  'contract',
  'utilityBill',
  'siteSurvey',
  'planset',
  'permit',
  'installationPhoto',
]

export interface Place {
  directory: Directory
  /** The installer's own or one of its dealers. */
  companyId: string
  sold: boolean
  /** Counts the tenant's leads. */
  index: number
  /** Two neighbours stand in the same stage of the same ladder, so that one each can be measured. */
  pair: number
  at: Date
  leadId: string
  projectId: string
}

/** A deal as production holds them: a rendered lead of about 1 KB, a project of about 3 KB. */
export function sampleDeal(place: Place, random: Random): Deal {
  const lead = sampleLead(place, random)
  if (!place.sold) return { lead, project: null, files: [] }
  return { lead, project: sampleProject(place, lead, random), files: sampleFiles(place, random) }
}

export function productLineOf(pair: number): 'solar' | 'hi' {
  return pair % 5 === 4 ? 'hi' : 'solar'
}

function sampleLead(place: Place, random: Random): Lead {
  const { directory, companyId, sold, index, pair, at } = place
  const contact = () => {
    const firstName = random.pick(firstNames)
    const lastName = random.pick(lastNames)
    return {
      firstName,
      lastName,
      email: `${firstName}.${lastName}.${index}@example.com`.toLowerCase(),
      phone: `+1 619 555 ${String(random.below(10_000)).padStart(4, '0')}`,
    }
  }
  const [city, state, postalCode] = random.pick(places)
  return {
    installerId: directory.installerId,
    id: place.leadId,
    companyId,
    reference: index % 2 === 0 ? referenceOf(place.leadId) : null,
    productLine: productLineOf(pair),
    status: sold ? 'sold' : random.pick(unsold),
    archived: false,
    createdAt: at,
    updatedAt: at,
    customer: contact(),
    coBorrower: index % 3 === 0 ? contact() : null,
    address: {
      line1: `${1 + random.below(9000)} ${random.pick(streets)}`,
      line2: index % 7 === 0 ? `Apt ${1 + random.below(40)}` : null,
      city,
      state,
      postalCode,
      country: 'US',
    },
    utility: {
      name: random.pick(utilities),
      monthlyBill: `${90 + random.below(300)}.${10 + random.below(90)}`,
    },
    source: { name: random.pick(sources), subSource: index % 2 === 0 ? 'Spring campaign' : null },
    externalId: index % 2 === 1 ? `crm-${index}-${random.below(1_000_000)}` : null,
    notes: random.pick(remarks),
    salesRepId: withRole(directory, 'rep', index),
    setterId: withRole(directory, 'setter', index),
    projectId: sold ? place.projectId : null,
    erasedAt: null,
  }
}

function sampleProject(place: Place, lead: Lead, random: Random): Project {
  const { directory, pair, at, index } = place
  const ladder = ladderOf(directory, lead.productLine)
  const stage = ladder[pair % ladder.length]!
  const solar = lead.productLine === 'solar'
  const passed = milestoneKeys.slice(0, 1 + (pair % 9))
  return {
    installerId: lead.installerId,
    id: place.projectId,
    leadId: lead.id,
    companyId: lead.companyId,
    reference: index % 4 === 0 ? referenceOf(place.projectId) : null,
    productLine: lead.productLine,
    stageId: stage.id,
    stageEnteredAt: at,
    soldAt: at,
    updatedAt: at,
    ntpGranted: pair % 3 === 0,
    notes: `${random.pick(remarks)} ${random.pick(remarks)}`,
    projectManagerId: withRole(directory, 'manager', index),
    siteSurveyorId: withRole(directory, 'surveyor', index),
    subcontractorId: withRole(directory, 'subcontractor', index),
    contractSignedAt: at,
    contractPrice: `${18_000 + random.below(30_000)}.00`,
    financing: {
      type: 'loan',
      lender: 'Sunlight Credit Union',
      amount: `${15_000 + random.below(20_000)}.00`,
      aprPercent: '5.49',
      termMonths: 240,
      monthlyPayment: `${120 + random.below(90)}.37`,
      dealerFeePercent: '12.5',
    },
    system: solar ? sampleSystem(random) : null,
    products: solar ? null : sampleProducts(random),
    milestones: Object.fromEntries(passed.map((key) => [key, at.toISOString().slice(0, 10)])),
    proposalToken: tokenOf(place.projectId),
    // Built before: moving it to the stage of the install makes no second installation.
    installationId: solar ? `inst_${place.projectId.slice(5)}` : null,
    folderSecret: tokenOf(`${place.projectId} folders`),
    linksRenewedAt: null,
  }
}

function sampleSystem(random: Random): System {
  const panels = 14 + random.below(20)
  return {
    sizeKw: (panels * 0.41).toFixed(2),
    annualProductionKwh: String(panels * 640),
    panels: { count: panels, manufacturer: 'Qcells', model: 'Q.PEAK DUO BLK ML-G10+ 410' },
    inverters: {
      count: panels,
      manufacturer: 'Enphase',
      model: 'IQ8PLUS-72-2-US',
      name: 'Enphase IQ8+',
      microinverter: true,
    },
    batteries: { count: 1, manufacturer: 'Enphase', model: 'IQ Battery 5P', capacityKwh: '5.0' },
    pricePerWatt: { base: '2.85', final: '3.42' },
    adders: ['Main panel upgrade', 'Critter guard', 'EV charger circuit', 'Steep roof'].map((name) => ({
      name,
      quantity: 1,
      total: `${200 + random.below(3000)}.00`,
    })),
  }
}

function sampleProducts(random: Random) {
  return ['Composition shingle roof', 'Seamless gutters', 'Attic insulation R-38'].map((name) => ({
    name,
    price: `${1500 + random.below(9000)}.00`,
  }))
}

/** Every second project has files, every sixth an internal one that its dealer does not see. */
function sampleFiles(place: Place, random: Random): FileEntry[] {
  if (place.pair % 2 === 1) return []
  const folders: Folder[] = place.pair % 6 === 0 ? [...heldFolders, 'internal'] : heldFolders
  return folders.map((folder, ordinal) => ({
    id: `file_${place.projectId.slice(5)}${ordinal}`,
    folder,
    name: `${folder}-${random.below(1000)}.pdf`,
    token: tokenOf(`${place.projectId}${folder}`),
  }))
}

function withRole(directory: Directory, role: Role, index: number): string | null {
  const found = [...directory.members.values()].filter((member) => member.role === role)
  return found[index % found.length]?.id ?? null
}

/** Stands for chance, but comes out the same at every seeding. */
function tokenOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url')
}

function referenceOf(text: string): string {
  return tokenOf(text).replace(/[-_]/g, 'x').slice(0, 10)
}
