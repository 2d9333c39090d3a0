import type { CatalogueResponse } from '../../../src/api/console/sales.ts'
import { items as texts } from '../../texts/en/items.ts'
import { formatNumber } from '../../ui/format.ts'
import type { ProjectResponse } from '../project/use-project.ts'
import {
  asSold,
  batteryOf,
  inverterOf,
  keptId,
  offeredAs,
  panelOf,
  type SoldLine,
  soldLines,
} from './as-sold.ts'

/** What can be chosen: the catalogue, and before it what was sold and is not in it as it was. */
export function catalogueWithSold(catalogue: CatalogueResponse, project: ProjectResponse): CatalogueResponse {
  const { system } = project
  const lines = soldLines(project).filter((line) => offeredAs(line, project, catalogue) === null)
  const kept = [...Map.groupBy(lines, ({ name }) => name).values()].map((same) => keptLine(same, project))
  const whole = { ...catalogue, adders: [...kept, ...catalogue.adders] }
  if (!system) return whole
  const shared = { id: asSold, default: false, warrantyYears: null }
  const nameOf = ({ manufacturer, model }: { manufacturer: string | null; model: string | null }) => ({
    manufacturer: texts.asSold([manufacturer, model].filter(Boolean).join(' ') || texts.unnamed),
    model: null,
  })
  const { panels, inverters, batteries, sizeKw } = system
  if (!panelOf(system, catalogue) && panels.count && Number(sizeKw) > 0) {
    const watts = Math.round((Number(sizeKw) * 1000) / panels.count)
    whole.panels = [{ ...shared, ...nameOf(panels), watts, efficiencyPercent: null }, ...whole.panels]
  }
  if (!inverterOf(system, catalogue) && inverters.count) {
    const { microinverter } = inverters
    const sold = { ...shared, ...nameOf(inverters), ratedOutputWatts: null, microinverter }
    whole.inverters = [sold, ...whole.inverters]
  }
  if (batteries && !batteryOf(system, catalogue)) {
    const capacityKwh = batteries.capacityKwh === null ? null : Number(batteries.capacityKwh)
    const sold = { ...shared, ...nameOf(batteries), capacityKwh, continuousOutputWatts: null }
    whole.batteries = [sold, ...whole.batteries]
  }
  return whole
}

/** All lines of one name stay together. */
function keptLine(lines: SoldLine[], { productLine }: ProjectResponse): CatalogueResponse['adders'][number] {
  const [{ name }] = lines as [SoldLine]
  const total = lines.reduce((sum, line) => sum + Number(line.total ?? 0), 0)
  const quantity = lines.reduce((sum, line) => sum + line.quantity, 0)
  return {
    id: keptId(name),
    name: quantity === 1 ? name : `${name} × ${formatNumber(quantity)}`,
    description: texts.keptNote,
    productLine,
    productKind: null,
    unit: 'flat',
    unitPrice: total.toFixed(2),
    tiered: false,
    tiers: [],
    repSponsored: false,
    showOnProposal: true,
    brand: null,
    model: null,
    warrantyYears: null,
  }
}
