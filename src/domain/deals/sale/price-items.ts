import { Big } from 'big.js'
import { DomainError } from '../../kernel/domain-error.ts'
import { type Decimal, maxMoney } from '../../kernel/money.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { Financing, System } from '../projects/project.ts'
import type { PriceTerms, SaleItems } from './sale-items.ts'

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

export type PricedItems = SaleItems & SalePrice

/** What items come to, and the system with its prices by the watt. */
export function priceItems(items: SaleItems, terms: PriceTerms): PricedItems {
  const sum = priceOf(items, terms)
  const system = items.system && { ...items.system, pricePerWatt: perWatt(items.system, sum, terms) }
  return { ...items, ...sum, system }
}

function priceOf({ system, lines }: SaleItems, terms: PriceTerms): SalePrice {
  if (!system && terms.perWatt !== null)
    throw new DomainError('invalid', 'price.perWatt: only a solar system has one. Leave it out.')
  const extras = lines
    .filter(({ repSponsored }) => !repSponsored)
    .reduce((sum, { total }) => sum.plus(total), new Big(0))
    .toFixed(2)
  const base = system && terms.perWatt !== null ? wattsOf(system).times(terms.perWatt).toFixed(2) : null
  const computed = system && base === null ? null : new Big(base ?? 0).plus(extras).toFixed(2)
  const price = terms.custom === null ? computed : new Big(terms.custom).toFixed(2)
  const amounts = [computed, price].filter((amount) => amount !== null)
  if (amounts.some((amount) => new Big(amount).gt(maxMoney)))
    throw new DomainError('invalid', `The sale comes to more than $${maxMoney}. Check the quantities.`)
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

// Far below a cent after 40 years of months, and short enough to be quick.
const workingPlaces = 24

/** The level payment by which a loan is paid back in so many months, in whole cents. */
export function loanPayment(amount: Decimal, aprPercent: Decimal, termMonths: number): Decimal {
  const rate = new Big(aprPercent).div(1200)
  if (rate.eq(0)) return new Big(amount).div(termMonths).toFixed(2)
  let growth = new Big(1)
  for (let month = 0; month < termMonths; month++) growth = growth.times(rate.plus(1)).round(workingPlaces)
  return new Big(amount).times(rate).times(growth).div(growth.minus(1)).toFixed(2)
}

/** What the energy of an average month comes to in the first year. */
function ppaPayment(rate: Decimal, annualKwh: Decimal): Decimal {
  return new Big(rate).times(annualKwh).div(12).toFixed(2)
}

/** What the customer pays each month; null where it is paid at once, or not enough is known. */
export function monthlyPaymentOf(financing: Financing, annualKwh: Decimal | null): Decimal | null {
  const { type, monthlyPayment, amount, aprPercent, termMonths, rate } = financing
  if (type === 'cash') return null
  if (monthlyPayment !== null) return monthlyPayment
  if (type === 'loan' && amount !== null && aprPercent !== null && termMonths)
    return loanPayment(amount, aprPercent, termMonths)
  if (type === 'lease') return rate ?? null
  return type === 'ppa' && rate && annualKwh !== null ? ppaPayment(rate, annualKwh) : null
}

const nothing = {
  lender: null,
  amount: null,
  aprPercent: null,
  termMonths: null,
  monthlyPayment: null,
  dealerFeePercent: null,
}

/** How a sale is paid for: what belongs to its way of paying, with what follows from it worked out. */
export function settleFinancing(
  given: Financing,
  productLine: ProductLine,
  price: Decimal | null,
  annualKwh: Decimal | null,
): Financing {
  const { type, lender, termMonths } = given
  if (type === 'cash') return { ...nothing, type }
  if (type === 'ppa' && productLine !== 'solar')
    throw new DomainError('invalid', 'financing.type: a PPA is for solar. Choose cash, loan or lease.')
  const settled: Financing =
    type === 'loan'
      ? {
          ...nothing,
          type,
          lender,
          amount: given.amount ?? price,
          aprPercent: needed(given.aprPercent, 'aprPercent', type),
          termMonths: needed(termMonths, 'termMonths', type),
          monthlyPayment: given.monthlyPayment,
          dealerFeePercent: given.dealerFeePercent,
        }
      : {
          ...nothing,
          type,
          lender,
          termMonths: needed(termMonths, 'termMonths', type),
          rate:
            type === 'ppa'
              ? needed(given.rate, 'rate', type)
              : needed(given.monthlyPayment, 'monthlyPayment', type),
          escalatorPercent: given.escalatorPercent ?? null,
        }
  return { ...settled, monthlyPayment: monthlyPaymentOf(settled, annualKwh) }
}

function needed<T>(value: T | null | undefined, field: string, type: string): T {
  if (value === null || value === undefined)
    throw new DomainError('invalid', `financing.${field}: a ${type === 'ppa' ? 'PPA' : type} needs it.`)
  return value
}
