import type { CatalogueResponse } from '../../src/api/console/sales.ts'
import { asksQuantity } from '../../src/domain/deals/sale/fitting.ts'
import { suggestedInverters } from './fitting.ts'
import type { ItemsDraft, Line } from './items-draft.ts'
import { typedCount, typedNumber } from './typed-number.ts'

export interface ChosenItem {
  id: string
  /** Absent where the system says how much. */
  quantity?: number
}

/** What is chosen of the adders or products, without those whose quantity is still to be filled in. */
export function chosenItems(
  { quantities }: ItemsDraft,
  line: Line,
  { adders }: CatalogueResponse,
): ChosenItem[] {
  return adders.flatMap(({ id, unit }) => {
    const typed = quantities[id]
    if (typed === undefined) return []
    if (!asksQuantity(unit, line)) return [{ id }]
    const quantity = Number(typedNumber(typed) ?? 0)
    return quantity > 0 ? [{ id, quantity }] : []
  })
}

/** Panels, inverters and batteries, where all that they need is filled in. */
export function chosenEquipment(draft: ItemsDraft, catalogue: CatalogueResponse) {
  const { panels, inverters, batteries } = draft
  return {
    panels: { id: panels.id, count: typedCount(panels.count)! },
    inverters: {
      id: inverters.id,
      count: typedCount(inverters.count) ?? suggestedInverters(draft, catalogue)!,
    },
    ...(batteries.id ? { batteries: { id: batteries.id, count: typedCount(batteries.count)! } } : {}),
    annualProductionKwh: typedNumber(draft.production),
    annualConsumptionKwh: typedNumber(draft.consumption),
  }
}
