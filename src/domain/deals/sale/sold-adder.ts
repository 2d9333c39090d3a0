import { Big } from 'big.js'
import { type Adder, unitPriceOf } from '../../catalogue/adder.ts'
import type { SoldAdder, System } from '../projects/project.ts'

/**
 * An adder as it is sold. Where the sale does not say how many, it is the system's own measure: its watts, its
 * panels, or one. The total is in whole cents.
 */
export function soldAdder(
  adder: Adder,
  quantity: number | null,
  { sizeKw, panels }: Pick<System, 'sizeKw' | 'panels'>,
): SoldAdder {
  const { name, unit, showOnProposal, repSponsored } = adder
  const measure: Partial<Record<Adder['unit'], number | null>> = {
    perWatt: sizeKw === null ? null : new Big(sizeKw).times(1000).toNumber(),
    perPanel: panels.count,
  }
  const sold = quantity ?? (unit in measure ? measure[unit]! : 1)
  const offered = { unit, unitPrice: unitPriceOf(adder, sold ?? 1), showOnProposal, repSponsored }
  const total = sold === null ? null : new Big(offered.unitPrice).times(sold).toFixed(2)
  return { name, quantity: sold ?? 1, total, ...offered }
}
