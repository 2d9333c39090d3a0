import type { MilestoneKey, ProductLine } from '../ladders/stage.ts'
import type { Decimal } from '../leads/lead.ts'

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
}

export interface System {
  sizeKw: Decimal | null
  annualProductionKwh: Decimal | null
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
  pricePerWatt: { base: Decimal | null; final: Decimal | null }
  adders: { name: string; quantity: number; total: Decimal | null }[]
}

export interface SoldProduct {
  name: string
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
}
