import { Big } from 'big.js'
import type { Db } from '../../../platform/db.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import type { SoldDeal } from '../changes/deal.ts'
import type { SoldAdder, System } from '../projects/project.ts'
import { describeSystem, estimateProduction } from './describe-system.ts'
import type { ProductTerms, SystemTerms } from './sale-items.ts'
import { findProducts, lineOf, type SaleItems, type SaleLine, systemFields } from './sale-items.ts'

export interface Equipped {
  /** Null: as it was sold, whatever the catalogue has now. */
  id: string | null
  count: number
}

export interface ChangedSystem extends Pick<SystemTerms, 'adders' | 'annualConsumptionKwh'> {
  panels: Equipped
  inverters: Equipped
  batteries: Equipped | null
  /** Null: by what was expected of the system as it was sold, or else estimated. */
  annualProductionKwh: Decimal | null
}

/** What a project's system or products are to be, by the catalogue. */
export interface ItemsTerms {
  system: ChangedSystem | null
  products: ProductTerms[] | null
  /** Adders or products, by name, that stay as they were sold. */
  kept: string[]
}

/** Looks up in the catalogue what a project is changed to; what stays is as it was sold. */
export async function findChangedItems(
  db: Db,
  directory: Directory,
  deal: SoldDeal,
  terms: ItemsTerms,
): Promise<SaleItems> {
  const { system, products } = deal.project
  if (system && terms.system && !terms.products)
    return changedSystem(db, directory, deal, system, terms.system, terms.kept)
  if (products && terms.products && !terms.system) {
    const kept = keptOf(products, terms.kept)
    if (kept.length + terms.products.length === 0)
      throw new DomainError('invalid', 'products: choose at least one.')
    const found = await findProducts(db, directory, terms.products)
    const lines = kept.map(({ price, quantity = 1, ...more }) =>
      keptLine({ ...more, quantity, total: price }),
    )
    return { ...found, products: [...kept, ...found.products!], lines: [...lines, ...found.lines] }
  }
  throw new DomainError(
    'invalid',
    deal.project.productLine === 'solar'
      ? 'system: this is a solar project. Say what its system is to be, and no products.'
      : 'products: this is a home-improvement project. Say which products it is to have, and no system.',
  )
}

async function changedSystem(
  db: Db,
  directory: Directory,
  { lead }: SoldDeal,
  before: System,
  terms: ChangedSystem,
  keptNames: string[],
): Promise<SaleItems> {
  const { panels, inverters, batteries } = terms
  if (batteries?.id === null && !before.batteries)
    throw new DomainError('invalid', 'system.batteries.id: none were sold. Choose one of the catalogue.')
  const { system: found } = await describeSystem(db, directory, {
    panels,
    inverters,
    batteries: batteries?.id ? { id: batteries.id, count: batteries.count } : null,
    adders: terms.adders.map(({ id, quantity }) => ({ idOrName: id, quantity })),
    sizeKw: panels.id === null ? sizeOf(before, panels.count) : null,
    annualProductionKwh: null,
    annualConsumptionKwh: terms.annualConsumptionKwh,
    pricePerWatt: { base: null, final: null },
    stage: null,
    fields: systemFields,
  })
  const kept = keptOf(before.adders, keptNames)
  const expectedKwh = productionOf(before, found.sizeKw!) ?? estimateProduction(found.sizeKw!, lead.address)
  return {
    system: {
      ...found,
      annualProductionKwh: terms.annualProductionKwh ?? expectedKwh,
      panels: panels.id === null ? { ...before.panels, count: panels.count } : found.panels,
      inverters: inverters.id === null ? { ...before.inverters, count: inverters.count } : found.inverters,
      batteries: batteries?.id === null ? { ...before.batteries!, count: batteries.count } : found.batteries,
      adders: [...kept, ...found.adders],
    },
    products: null,
    lines: [...kept.map(keptLine), ...found.adders.map((sold, i) => lineOf(terms.adders[i]!.id, sold))],
    estimatedKwh: expectedKwh,
  }
}

const fineKilowatts = 4

/** Of so many panels of the kind that was sold. */
function sizeOf({ sizeKw, panels }: System, count: number): Decimal {
  if (sizeKw === null || new Big(sizeKw).lte(0) || !panels.count)
    throw new DomainError('invalid', 'system.panels.id: what was sold says no size. Choose panels.')
  if (panels.count === count) return sizeKw
  return new Big(new Big(sizeKw).div(panels.count).times(count).toFixed(fineKilowatts)).toFixed()
}

/** What was expected of the system as sold, in the measure of another size. */
function productionOf({ sizeKw, annualProductionKwh }: System, newSizeKw: Decimal): Decimal | null {
  if (sizeKw === null || annualProductionKwh === null || new Big(sizeKw).lte(0)) return null
  if (new Big(sizeKw).eq(newSizeKw)) return annualProductionKwh
  return new Big(annualProductionKwh).div(sizeKw).times(newSizeKw).toFixed(0)
}

function keptOf<Sold extends { name: string }>(sold: readonly Sold[], names: string[]): Sold[] {
  const unknown = names.find((name) => !sold.some((one) => one.name === name))
  if (unknown !== undefined)
    throw new DomainError('invalid', `kept: "${unknown}" was not sold with this project. Leave it out.`)
  return sold.filter(({ name }) => names.includes(name))
}

function keptLine({ name, quantity, unit, unitPrice, total, repSponsored }: SoldAdder): SaleLine {
  return {
    id: `sold:${name}`,
    name,
    unit: unit ?? 'flat',
    quantity,
    unitPrice: unitPrice ?? total ?? '0',
    total: total ?? '0',
    repSponsored: repSponsored === true,
  }
}
