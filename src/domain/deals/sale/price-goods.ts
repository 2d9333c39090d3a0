import { Big } from 'big.js'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { mostMoney } from '../../kernel/money.ts'
import type { System } from '../projects/project.ts'
import type { Goods } from './sale-goods.ts'
import type { PriceTerms } from './sale-terms.ts'

export interface SalePrice {
  /** The system without its adders, by its price per watt. */
  base: Decimal | null
  /** What the adders or products come to, without those that the rep pays for. */
  extras: Decimal
  /** What all this comes to; null while the price per watt is open. */
  computed: Decimal | null
  /** What the customer pays: as computed, or as agreed in its place. */
  price: Decimal | null
}

export type PricedGoods = Goods & SalePrice

/** What goods come to, and the system with its prices by the watt. */
export function priceGoods(goods: Goods, terms: PriceTerms): PricedGoods {
  const sum = priceOf(goods, terms)
  const system = goods.system && { ...goods.system, pricePerWatt: perWatt(goods.system, sum, terms) }
  return { ...goods, ...sum, system }
}

function priceOf({ system, lines }: Goods, terms: PriceTerms): SalePrice {
  if (!system && terms.perWatt !== null)
    throw new DomainError('invalid', 'price.perWatt: only a solar system has one. Leave it out.')
  const extras = lines
    .filter(({ repSponsored }) => !repSponsored)
    .reduce((sum, { total }) => sum.plus(total), new Big(0))
    .toFixed(2)
  const base = system && terms.perWatt !== null ? wattsOf(system).times(terms.perWatt).toFixed(2) : null
  const computed = system && base === null ? null : new Big(base ?? 0).plus(extras).toFixed(2)
  const price = terms.custom === null ? computed : new Big(terms.custom).toFixed(2)
  const most = [computed, price].filter((amount) => amount !== null)
  if (most.some((amount) => new Big(amount).gt(mostMoney)))
    throw new DomainError('invalid', `The sale comes to more than $${mostMoney}. Check the quantities.`)
  return { base, extras, computed, price }
}

const finePlaces = 4

/** The prices by the watt. Where only a total was agreed, the base is what is left of it after the adders. */
function perWatt(system: System, { extras, price }: SalePrice, terms: PriceTerms): System['pricePerWatt'] {
  const watts = wattsOf(system)
  const by = (amount: Big | Decimal) => new Big(new Big(amount).div(watts).toFixed(finePlaces)).toFixed()
  if (price === null) return { base: null, final: null, adders: by(extras) }
  const rest = new Big(price).minus(extras)
  return {
    base: terms.perWatt ?? (rest.lt(0) ? null : by(rest)),
    final: by(price),
    adders: by(extras),
  }
}

function wattsOf({ sizeKw }: System): Big {
  return new Big(sizeKw!).times(1000)
}
