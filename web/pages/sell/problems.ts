import type { CatalogueShown, SaleStart } from '../../../src/api/console/sales.ts'
import { sell as texts } from '../../texts/en/sell.ts'
import type { Draft, Step } from './draft.ts'
import { asksQuantity, fittingInverters } from './fitting.ts'
import { isNumberOrEmpty, typedCount, typedNumber } from './typed-number.ts'

/** What is wrong, by field; the quantity of an adder or product by its id. */
export type Problems = Record<string, string>

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
const maxYears = 50

/** What a step still needs before the next. The server checks it all again. */
export function problemsOf(step: Step, draft: Draft, start: SaleStart, catalogue: CatalogueShown): Problems {
  const problems: Problems = {}
  const demand = (field: string, holds: boolean, problem: string) => {
    if (!holds) problems[field] = problem
  }
  const isNumber = (text: string, places: number) => text.trim() !== '' && isNumberOrEmpty(text, places)

  if (step === 'system') {
    const { panels, inverters, batteries, production, consumption } = draft
    demand('panels', panels.id !== '', words.choose)
    demand('panelCount', typedCount(panels.count) !== null, words.count)
    demand('inverters', inverters.id !== '', words.choose)
    const suggested = inverters.count.trim() === '' && fittingInverters(draft, catalogue) !== null
    demand('inverterCount', suggested || typedCount(inverters.count) !== null, words.count)
    demand('batteryCount', batteries.id === '' || typedCount(batteries.count) !== null, words.count)
    demand('production', isNumberOrEmpty(production, 2), words.number)
    demand('consumption', isNumberOrEmpty(consumption, 2), words.number)
  }
  if (step === 'system' || step === 'products') {
    for (const { id, unit } of catalogue.adders) {
      const typed = draft.quantities[id]
      if (typed === undefined || !asksQuantity(unit, start)) continue
      demand(id, Number(typedNumber(typed) ?? 0) > 0, words.quantity)
    }
  }
  if (step === 'products') demand('products', Object.keys(draft.quantities).length > 0, words.products)
  if (step === 'price') {
    const { perWatt, custom } = draft
    demand('perWatt', isNumberOrEmpty(perWatt, 4), words.money)
    demand('custom', isNumberOrEmpty(custom, 2), words.money)
    if (start.productLine === 'solar' && perWatt.trim() === '' && custom.trim() === '')
      problems['perWatt'] = words.price
  }
  if (step === 'financing' && draft.financing !== 'cash') {
    const { financing, years } = draft
    const months = Number(typedNumber(years) ?? 0) * 12
    demand('years', months >= 1 && Number.isInteger(months) && months <= maxYears * 12, words.years)
    if (financing === 'loan') {
      demand('apr', isNumber(draft.apr, 3), words.percent)
      demand('amount', isNumberOrEmpty(draft.amount, 2), words.money)
      demand('payment', isNumberOrEmpty(draft.payment, 2), words.money)
      demand('dealerFee', isNumberOrEmpty(draft.dealerFee, 3), words.percent)
    } else {
      if (financing === 'lease') demand('payment', isNumber(draft.payment, 2), words.money)
      if (financing === 'ppa') demand('rate', isNumber(draft.rate, 6), words.number)
      demand('escalator', isNumberOrEmpty(draft.escalator, 3), words.percent)
    }
  }
  if (step === 'contract')
    demand('signedOn', /^\d{4}-\d\d-\d\d$/.test(draft.signedOn) && draft.signedOn <= start.today, words.day)
  return problems
}
