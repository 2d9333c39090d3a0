import type { Proposal } from '../../../domain/deals/proposals/proposal.ts'
import { moneyText, numberText } from './proposal-words.ts'

/** How the customer pays, in one or two sentences of what is known. */
export function paymentText({ financing, price, monthlyPayment }: Proposal): string {
  const { type, lender, amount, aprPercent, termMonths, rate, escalatorPercent } = financing
  const withLender = lender ? ` with ${lender}` : ''
  const over = termMonths ? ` over ${durationText(termMonths)}` : ''
  const growth = (what: string) =>
    escalatorPercent && Number(escalatorPercent) > 0
      ? ` The ${what} goes up ${numberText(escalatorPercent)}% a year.`
      : ''
  const monthly = monthlyPayment ? `${moneyText(monthlyPayment)} a month` : 'A monthly payment'
  switch (type) {
    case 'cash':
      return price ? `${moneyText(price)}, paid in cash.` : 'Paid in cash.'
    case 'loan': {
      const loan = amount ? `a ${moneyText(amount)} loan` : 'a loan'
      const apr = aprPercent ? ` at ${numberText(aprPercent, 3)}% APR` : ''
      return `${monthly} on ${loan}${withLender}${over}${apr}.`
    }
    case 'lease':
      return `${monthly} on a lease${withLender}${over}.${growth('payment')}`
    case 'ppa': {
      const price = rate ? `$${numberText(rate, 6)} for each kWh your system produces` : monthly
      const average = rate && monthlyPayment ? ` That’s about ${monthly} in the first year.` : ''
      return `${price}, under a power purchase agreement${withLender}${over}.${average}${growth('rate')}`
    }
  }
}

function durationText(months: number): string {
  if (months % 12 !== 0) return `${months} months`
  return months === 12 ? '1 year' : `${months / 12} years`
}
