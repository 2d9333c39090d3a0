import { Big } from 'big.js'
import type { Decimal } from '../kernel/money.ts'
import type { ProductLine } from '../kernel/tenant/stage.ts'

export const units = ['perWatt', 'flat', 'each', 'perPanel', 'perFoot', 'perSquareFoot'] as const
export const productKinds = [
  'roofing',
  'windows',
  'doors',
  'siding',
  'insulation',
  'hvac',
  'waterHeater',
  'electrical',
  'battery',
  'evCharger',
  'other',
] as const

/** From this quantity on, the whole of it is sold at this price. */
export interface Tier {
  from: Decimal
  unitPrice: Decimal
}

export interface Adder {
  id: string
  name: string
  description: string | null
  productLine: ProductLine
  productKind: (typeof productKinds)[number] | null
  unit: (typeof units)[number]
  unitPrice: Decimal
  tiered: boolean
  /** The lowest first; below them the unit price holds. */
  tiers: Tier[]
  repSponsored: boolean
  showOnProposal: boolean
  brand: string | null
  model: string | null
  warrantyYears: number | null
}

/** What one unit costs where so many are sold. */
export function unitPriceOf({ unitPrice, tiered, tiers }: Adder, quantity: number): Decimal {
  if (!tiered) return unitPrice
  return tiers.findLast(({ from }) => new Big(from).lte(quantity))?.unitPrice ?? unitPrice
}

export function renderAdder(adder: Adder): string {
  return JSON.stringify({
    id: adder.id,
    name: adder.name,
    description: adder.description,
    productLine: adder.productLine,
    productKind: adder.productKind,
    unit: adder.unit,
    unitPrice: Number(adder.unitPrice),
    tiered: adder.tiered,
    repSponsored: adder.repSponsored,
    showOnProposal: adder.showOnProposal,
    brand: adder.brand,
    model: adder.model,
    warrantyYears: adder.warrantyYears,
  })
}
