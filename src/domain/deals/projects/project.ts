import type { Adder } from '../../catalogue/adder.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { MilestoneKey, ProductLine } from '../../kernel/tenant/stage.ts'

export const financingTypes = ['cash', 'loan', 'lease', 'ppa'] as const
export type FinancingType = (typeof financingTypes)[number]

export interface Financing {
  type: FinancingType
  lender: string | null
  amount: Decimal | null
  aprPercent: Decimal | null
  termMonths: number | null
  monthlyPayment: Decimal | null
  dealerFeePercent: Decimal | null
  /** Of a lease by the month, of a PPA by the kWh; not every sale says it. */
  rate?: Decimal | null
  /** By how much the rate grows every year. */
  escalatorPercent?: Decimal | null
}

export interface System {
  sizeKw: Decimal | null
  annualProductionKwh: Decimal | null
  /** What the house uses, where the sale says it. */
  annualConsumptionKwh?: Decimal | null
  panels: { count: number | null; manufacturer: string | null; model: string | null }
  inverters: {
    count: number | null
    manufacturer: string | null
    model: string | null
    name: string | null
    microinverter: boolean
  }
  batteries: {
    count: number | null
    manufacturer: string | null
    model: string | null
    capacityKwh: Decimal | null
  } | null
  /** `adders` is their share of the final price, where the sale says it. */
  pricePerWatt: { base: Decimal | null; final: Decimal | null; adders?: Decimal | null }
  adders: SoldAdder[]
}

/** How an adder or product was in the catalogue when it was sold, as far as the sale says it. */
interface AsOffered {
  unit?: Adder['unit']
  /** Of the quantity that was sold. */
  unitPrice?: Decimal
  /** Absent: it is shown. */
  showOnProposal?: boolean
  /** Paid for by the rep: the customer's price is without it. */
  repSponsored?: boolean
}

export interface SoldAdder extends AsOffered {
  name: string
  quantity: number
  total: Decimal | null
}

export interface SoldProduct extends AsOffered {
  name: string
  quantity?: number
  price: Decimal | null
}

/** A solar project has a system, an HI project products, never both. */
export interface Project {
  installerId: string
  id: string
  leadId: string
  companyId: string
  reference: string | null
  productLine: ProductLine
  stageId: string
  stageEnteredAt: Date | null
  soldAt: Date | null
  updatedAt: Date
  ntpGranted: boolean
  notes: string | null
  projectManagerId: string | null
  siteSurveyorId: string | null
  subcontractorId: string | null
  contractSignedAt: Date | null
  contractPrice: Decimal | null
  financing: Financing
  system: System | null
  products: SoldProduct[] | null
  milestones: Partial<Record<MilestoneKey, string>>
  proposalToken: string | null
  /** What it became once it was built. */
  installationId: string | null
  /** The key to the addresses of the project's folders. */
  folderSecret: string
  /** When the addresses of its files, folders and proposal were last renewed; null: never. */
  linksRenewedAt: Date | null
}
