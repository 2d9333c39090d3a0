import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { Financing } from '../projects/project.ts'
import { monthlyPaymentOf } from './monthly-payment.ts'

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
