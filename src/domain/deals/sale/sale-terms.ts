import type { Decimal } from '../../kernel/money.ts'
import type { Financing } from '../projects/project.ts'

export interface Counted {
  id: string
  count: number
}

/** A system by the ids of the catalogue. */
export interface SystemTerms {
  panels: Counted
  inverters: Counted
  batteries: Counted | null
  /** Without a quantity, by the system's own measure. */
  adders: { id: string; quantity: number | null }[]
  /** Estimated where it is null. */
  annualProductionKwh: Decimal | null
  annualConsumptionKwh: Decimal | null
}

export interface ProductTerms {
  id: string
  quantity: number
}

export interface PriceTerms {
  /** Of the system without its adders. */
  perWatt: Decimal | null
  /** What was agreed in place of what the catalogue comes to. */
  custom: Decimal | null
}

/** What is sold and how it is paid for, as far as it is decided: a system, or products. */
export interface SaleTerms {
  system: SystemTerms | null
  products: ProductTerms[] | null
  price: PriceTerms
  financing: Financing | null
}

export interface ContractTerms {
  signedOn: string
  /** As the customer signed it: a sale that comes to another price is refused. */
  price: Decimal
  notes: string | null
}
