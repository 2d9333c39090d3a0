import { Big } from 'big.js'
import type { System } from '../projects/project.ts'
import type { Adder } from './adder.ts'

/**
 * An adder as it is sold with a system. Where the sale does not say how many, it is the system's own
 * measure: its watts, its panels, or one. The total is in whole cents.
 */
export function soldAdder(
  { name, unit, unitPrice }: Adder,
  quantity: number | null,
  { sizeKw, panels }: Pick<System, 'sizeKw' | 'panels'>,
): System['adders'][number] {
  const measure: Partial<Record<Adder['unit'], number | null>> = {
    perWatt: sizeKw === null ? null : new Big(sizeKw).times(1000).toNumber(),
    perPanel: panels.count,
  }
  const sold = quantity ?? (unit in measure ? measure[unit]! : 1)
  if (sold === null) return { name, quantity: 1, total: null }
  return { name, quantity: sold, total: new Big(unitPrice).times(sold).toFixed(2) }
}
