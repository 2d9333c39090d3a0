import type { CatalogueResponse } from '../../src/api/console/sales.ts'
import { asksQuantity } from '../../src/domain/deals/sale/fitting.ts'
import { sell as texts } from '../texts/en/sell.ts'
import { suggestedInverters } from './fitting.ts'
import type { ItemsDraft, Line, Problems } from './items-draft.ts'
import { isNumberOrEmpty, typedCount, typedNumber } from './typed-number.ts'

/** The fields of a system without which it has no price. */
export const equipmentFields = [
  'panels',
  'panelCount',
  'inverters',
  'inverterCount',
  'batteryCount',
  'production',
  'consumption',
]

const words = texts.problems

/** What a system or products still need. The server checks it all again. */
export function itemsProblems(draft: ItemsDraft, line: Line, catalogue: CatalogueResponse): Problems {
  const problems: Problems = {}
  const demand = (field: string, holds: boolean, problem: string) => {
    if (!holds) problems[field] = problem
  }
  if (line === 'solar') {
    const { panels, inverters, batteries, production, consumption } = draft
    demand('panels', panels.id !== '', words.choose)
    demand('panelCount', typedCount(panels.count) !== null, words.count)
    demand('inverters', inverters.id !== '', words.choose)
    const suggested = inverters.count.trim() === '' && suggestedInverters(draft, catalogue) !== null
    demand('inverterCount', suggested || typedCount(inverters.count) !== null, words.count)
    demand('batteryCount', batteries.id === '' || typedCount(batteries.count) !== null, words.count)
    demand('production', isNumberOrEmpty(production, 2), words.number)
    demand('consumption', isNumberOrEmpty(consumption, 2), words.number)
  } else demand('products', Object.keys(draft.quantities).length > 0, words.products)
  for (const { id, unit } of catalogue.adders) {
    const typed = draft.quantities[id]
    if (typed === undefined || !asksQuantity(unit, line)) continue
    demand(id, Number(typedNumber(typed) ?? 0) > 0, words.quantity)
  }
  return problems
}
