import type { CatalogueResponse } from '../../../src/api/console/sales.ts'
import type { ProjectResponse } from '../project/use-project.ts'

type System = NonNullable<ProjectResponse['system']>
type Offered = CatalogueResponse['adders'][number]

/** A line of the sale. */
export interface SoldLine {
  name: string
  quantity: number
  unitPrice: string | null
  total: string | null
}

/** In place of the catalogue's id: stays as it was sold. */
export const asSold = 'sold'
const keptPrefix = 'sold:'
export const keptId = (name: string) => `${keptPrefix}${name}`
export const keptName = (id: string) => (id.startsWith(keptPrefix) ? id.slice(keptPrefix.length) : null)

export function soldLines({ system, products }: ProjectResponse): SoldLine[] {
  const sold = system
    ? system.adders
    : (products ?? []).map(({ price, ...product }) => ({ ...product, total: price }))
  return sold.map(({ name, quantity = 1, unitPrice = null, total }) => ({ name, quantity, unitPrice, total }))
}

/** What the catalogue has at the price of the sale; null where the line can only stay as it was sold. */
export function offeredAs(
  sold: SoldLine,
  project: ProjectResponse,
  { adders }: CatalogueResponse,
): { item: Offered; quantity: string } | null {
  const { name, quantity, unitPrice, total } = sold
  const item = adders.find((one) => one.name.toLowerCase() === name.toLowerCase())
  const twice = soldLines(project).filter((one) => one.name === name).length > 1
  if (!item || twice) return null
  const price = Number(unitPriceAt(item, quantity))
  const same =
    unitPrice === null ? Math.abs(price * quantity - Number(total)) < 0.005 : price === Number(unitPrice)
  if (!same || total === null) return null
  const measure = measureOf(item.unit, project.system)
  if (measure !== null && measure !== quantity) return null
  return { item, quantity: measure === null ? String(quantity) : '' }
}

function unitPriceAt({ unitPrice, tiered, tiers }: Offered, quantity: number): string {
  if (!tiered) return unitPrice
  return tiers.findLast(({ from }) => Number(from) <= quantity)?.unitPrice ?? unitPrice
}

/** How much of it the system itself says; null where somebody says it. */
function measureOf(unit: Offered['unit'], system: System | null): number | null {
  if (unit === 'flat') return 1
  if (!system) return null
  if (unit === 'perWatt') return Math.round(Number(system.sizeKw) * 1000)
  return unit === 'perPanel' ? (system.panels.count ?? 0) : null
}

const isModel =
  ({ manufacturer, model }: { manufacturer: string | null; model: string | null }) =>
  (item: { manufacturer: string; model: string | null }) =>
    item.manufacturer === manufacturer && item.model === model

/** Panels of the catalogue that are those of the sale, to the watt. */
export function panelOf({ panels, sizeKw }: System, catalogue: CatalogueResponse) {
  return catalogue.panels
    .filter(isModel(panels))
    .find(({ watts }) => Math.abs(watts * (panels.count ?? 0) - Number(sizeKw) * 1000) < 1)
}
export const inverterOf = ({ inverters }: System, catalogue: CatalogueResponse) =>
  catalogue.inverters.find(isModel(inverters))
export const batteryOf = ({ batteries }: System, catalogue: CatalogueResponse) =>
  batteries ? catalogue.batteries.find(isModel(batteries)) : undefined
