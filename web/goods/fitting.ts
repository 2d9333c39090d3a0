import type { CatalogueShown } from '../../src/api/console/sales.ts'
import type { GoodsDraft, Line } from './goods-draft.ts'
import { typedCount } from './typed-number.ts'

/** How many inverters fit the panels: one each where they are small, else as many as carry them. */
export function fittingInverters(
  { panels, inverters }: GoodsDraft,
  catalogue: CatalogueShown,
): number | null {
  const count = typedCount(panels.count)
  const panel = catalogue.panels.find(({ id }) => id === panels.id)
  const inverter = catalogue.inverters.find(({ id }) => id === inverters.id)
  if (!count || !panel || !inverter) return null
  if (inverter.microinverter) return count
  // Panels rarely all give their most at once: inverters take a third more than they put out.
  return inverter.ratedOutputWatts ? Math.ceil((count * panel.watts) / (inverter.ratedOutputWatts * 1.3)) : 1
}

/** Whether the sale says how much of it, or the system does. */
export function asksQuantity(unit: CatalogueShown['adders'][number]['unit'], line: Line): boolean {
  if (unit === 'flat') return false
  return line === 'hi' || (unit !== 'perWatt' && unit !== 'perPanel')
}
