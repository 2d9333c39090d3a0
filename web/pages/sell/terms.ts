import type { PriceBody, SaleBody } from '../../../src/api/console/sale-requests.ts'
import type { CatalogueResponse, SaleStart } from '../../../src/api/console/sales.ts'
import { equipmentFields } from '../../items/items-problems.ts'
import { chosenEquipment, chosenItems } from '../../items/items-terms.ts'
import { typedNumber } from '../../items/typed-number.ts'
import type { NotifyChoice } from '../../moving/recipients.tsx'
import type { Draft, Step } from './draft.ts'
import { problemsOf } from './problems.ts'

/** What the server prices: as far as it is filled in rightly. Null where that is not enough for a price. */
export function priceBody(draft: Draft, start: SaleStart, catalogue: CatalogueResponse): PriceBody | null {
  const wrong = (step: Step) => problemsOf(step, draft, start, catalogue)
  const right = (step: Step) => Object.keys(wrong(step)).length === 0
  const chosen = chosenItems(draft, start.productLine, catalogue)
  const items =
    start.productLine === 'solar'
      ? equipmentFields.every((field) => !(field in wrong('system'))) && {
          system: { ...chosenEquipment(draft, catalogue), adders: chosen },
        }
      : chosen.length > 0 && { products: chosen.map(({ id, quantity }) => ({ id, quantity: quantity ?? 1 })) }
  if (!items) return null
  return {
    ...items,
    ...(right('price') ? { price: priceOf(draft, start) } : {}),
    ...(right('price') && right('financing') ? { financing: financingOf(draft) } : {}),
  }
}

export function saleBody(draft: Draft, priced: PriceBody, price: string, notify: NotifyChoice): SaleBody {
  return {
    ...priced,
    ...notify,
    price: priced.price ?? {},
    financing: priced.financing ?? { type: draft.financing },
    contract: { signedOn: draft.signedOn, price, notes: draft.notes.trim() || null },
  }
}

function priceOf(draft: Draft, { productLine }: SaleStart): PriceBody['price'] {
  const custom = typedNumber(draft.custom)
  return productLine === 'solar' ? { perWatt: typedNumber(draft.perWatt), custom } : { custom }
}

function financingOf(draft: Draft): PriceBody['financing'] {
  const { financing: type, lender } = draft
  if (type === 'cash') return { type }
  const shared = { type, lender: lender.trim() || null, termMonths: Math.round(Number(draft.years) * 12) }
  if (type === 'loan') {
    return {
      ...shared,
      amount: typedNumber(draft.amount),
      aprPercent: typedNumber(draft.apr),
      monthlyPayment: typedNumber(draft.payment),
      dealerFeePercent: typedNumber(draft.dealerFee),
    }
  }
  const escalatorPercent = typedNumber(draft.escalator)
  return type === 'lease'
    ? { ...shared, monthlyPayment: typedNumber(draft.payment), escalatorPercent }
    : { ...shared, rate: typedNumber(draft.rate), escalatorPercent }
}
