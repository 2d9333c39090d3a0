import type { CatalogueResponse } from '../../src/api/console/sales.ts'
import { fittingInverters } from '../../src/domain/deals/sale/fitting.ts'
import type { ItemsDraft } from './items-draft.ts'
import { typedCount } from './typed-number.ts'

/** How many inverters fit the panels that are chosen; null where that cannot be said yet. */
export function suggestedInverters(
  { panels, inverters }: ItemsDraft,
  catalogue: CatalogueResponse,
): number | null {
  const count = typedCount(panels.count)
  const panel = catalogue.panels.find(({ id }) => id === panels.id)
  const inverter = catalogue.inverters.find(({ id }) => id === inverters.id)
  return count && panel && inverter ? fittingInverters({ count, watts: panel.watts }, inverter) : null
}
