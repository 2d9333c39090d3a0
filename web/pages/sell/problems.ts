import type { CatalogueResponse, SaleStart } from '../../../src/api/console/sales.ts'
import type { Problems } from '../../items/items-draft.ts'
import { itemsProblems } from '../../items/items-problems.ts'
import { isNumberOrEmpty, typedNumber } from '../../items/typed-number.ts'
import { sell as texts } from '../../texts/en/sell.ts'
import type { Draft, Step } from './draft.ts'

const words = texts.problems
const maxYears = 50

/** What a step still needs before the next. The server checks it all again. */
export function problemsOf(
  step: Step,
  draft: Draft,
  start: SaleStart,
  catalogue: CatalogueResponse,
): Problems {
  if (step === 'system' || step === 'products') return itemsProblems(draft, start.productLine, catalogue)
  const problems: Problems = {}
  const demand = (field: string, holds: boolean, problem: string) => {
    if (!holds) problems[field] = problem
  }
  const isNumber = (text: string, places: number) => text.trim() !== '' && isNumberOrEmpty(text, places)

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
