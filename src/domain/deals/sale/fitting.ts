import type { Adder } from '../../catalogue/adder.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'

// The console's pages share this file: it imports nothing but types.

/** So many times what inverters put out, the panels on them may make together: they rarely all do so at once. */
const maxPanelsToOutput = 1.3

interface Inverter {
  microinverter?: boolean | null
  ratedOutputWatts?: number | null
}

/** How many inverters fit the panels: one each where they are small, else as many as carry them. */
export function fittingInverters(panels: { count: number; watts: number }, inverter: Inverter): number {
  if (inverter.microinverter) return panels.count
  if (!inverter.ratedOutputWatts) return 1
  return Math.ceil((panels.count * panels.watts) / (inverter.ratedOutputWatts * maxPanelsToOutput))
}

/** Whether the sale says how much of an adder or product, or the system does. */
export function asksQuantity(unit: Adder['unit'], line: ProductLine): boolean {
  if (unit === 'flat') return false
  return line === 'hi' || (unit !== 'perWatt' && unit !== 'perPanel')
}
