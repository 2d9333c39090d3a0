import { Big } from 'big.js'
import type { Decimal } from '../../kernel/money.ts'
import type { Financing } from '../projects/project.ts'

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
export function ppaPayment(rate: Decimal, annualKwh: Decimal): Decimal {
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
