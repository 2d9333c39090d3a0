import type { Db } from '../../../platform/db.ts'
import type { Adder } from '../../catalogue/adder.ts'
import { findAdders } from '../../catalogue/queries.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import type { Lead } from '../leads/lead.ts'
import type { Financing, SoldAdder, SoldProduct, System } from '../projects/project.ts'
import { describeSystem, estimateProduction, soldAdder } from './describe-system.ts'

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
  /** The day, or the very time. */
  signed: string | Date
  /** How the caller names that. */
  signedField: string
  /** As the customer signed it: a sale that comes to another price is refused. */
  price: Decimal
  notes: string | null
}

/** An adder or product of a sale, with what it comes to. */
export interface SaleLine {
  id: string
  name: string
  unit: Adder['unit']
  quantity: number
  unitPrice: Decimal
  total: Decimal
  /** The rep pays for it: it is not in the customer's price. */
  repSponsored: boolean
}

/** What is sold, looked up in the catalogue. */
export interface SaleItems {
  /** Its price per watt is not worked out yet. */
  system: System | null
  products: SoldProduct[] | null
  lines: SaleLine[]
  estimatedKwh: Decimal | null
}

export function findSaleItems(
  db: Db,
  directory: Directory,
  lead: Lead,
  terms: SaleTerms,
): Promise<SaleItems> {
  const { system, products } = terms
  if (lead.productLine === 'solar' && system && !products) return findSystem(db, directory, lead, system)
  if (lead.productLine === 'hi' && products && !system) return findProducts(db, directory, products)
  throw new DomainError(
    'invalid',
    lead.productLine === 'solar'
      ? 'system: this is a solar lead. Say which system was sold, and no products.'
      : 'products: this is a home-improvement lead. Say which products were sold, and no system.',
  )
}

/** How a message names what is not in the catalogue. */
export const systemFields = {
  panel: 'system.panels.id',
  inverter: 'system.inverters.id',
  battery: 'system.batteries.id',
  adders: 'system.adders',
  stage: 'stage',
}

async function findSystem(db: Db, directory: Directory, lead: Lead, terms: SystemTerms): Promise<SaleItems> {
  const { system } = await describeSystem(db, directory, {
    ...terms,
    sizeKw: null,
    adders: terms.adders.map(({ id, quantity }) => ({ idOrName: id, quantity })),
    pricePerWatt: { base: null, final: null },
    stage: null,
    fields: systemFields,
  })
  const estimatedKwh = estimateProduction(system.sizeKw!, lead.address)
  return {
    system: { ...system, annualProductionKwh: terms.annualProductionKwh ?? estimatedKwh },
    products: null,
    lines: system.adders.map((sold, i) => lineOf(terms.adders[i]!.id, sold)),
    estimatedKwh,
  }
}

// What is measured by the system has none here.
const noSystem = { sizeKw: null, panels: { count: null, manufacturer: null, model: null } }

export async function findProducts(db: Db, directory: Directory, terms: ProductTerms[]): Promise<SaleItems> {
  const offered = await findAdders(db, { installerId: directory.installerId, productLine: 'hi' })
  const sold = terms.map(({ id, quantity }) => {
    const product = offered.find((one) => one.id === id)
    if (product) return soldAdder(product, quantity, noSystem)
    throw new DomainError('invalid', `products: there is no active product "${id}" in the catalogue.`)
  })
  return {
    system: null,
    products: sold.map(({ total, ...product }) => ({ ...product, price: total })),
    lines: sold.map((product, i) => lineOf(terms[i]!.id, product)),
    estimatedKwh: null,
  }
}

export function lineOf(
  id: string,
  { name, unit, quantity, unitPrice, total, repSponsored }: SoldAdder,
): SaleLine {
  return {
    id,
    name,
    unit: unit!,
    quantity,
    unitPrice: unitPrice!,
    total: total!,
    repSponsored: repSponsored === true,
  }
}
