import type { Financing } from '../../../domain/deals/projects/project.ts'
import type { ContractTerms, SaleTerms, SystemTerms } from '../../../domain/deals/sale/sale-items.ts'
import { DomainError } from '../../../domain/kernel/domain-error.ts'
import { decimalOf, moneyOf } from '../exact-numbers.ts'
import { instant } from '../instant.ts'
import { isDay, isInstant } from '../validation.ts'
import type { SaleBody } from './sale-schemas.ts'

/** A body in the words of the domain. */
export function saleOf(body: SaleBody): { terms: SaleTerms; contract: ContractTerms } {
  const price = moneyOf(body.contract.price, 'contract.price')!
  const { system } = body
  return {
    contract: { signed: signedOf(body.contract.signedAt), signedField, price, notes: body.notes || null },
    terms: {
      system: system ? systemOf(system) : null,
      products: body.products ?? null,
      price: {
        perWatt: decimalOf(system?.pricePerWatt?.base, 4, 'system.pricePerWatt.base'),
        custom: price,
      },
      financing: financingOf(body.financing),
    },
  }
}

const signedField = 'contract.signedAt'

function signedOf(text: string): ContractTerms['signed'] {
  if (isDay(text)) return text
  if (isInstant(text)) return instant(text)
  throw new DomainError(
    'invalid',
    `${signedField} must be a day as YYYY-MM-DD, or an ISO 8601 timestamp with offset.`,
  )
}

function systemOf(system: NonNullable<SaleBody['system']>): SystemTerms {
  const { panels, inverters, batteries, adders = [] } = system
  return {
    panels,
    inverters,
    batteries: batteries ?? null,
    adders: adders.map(({ id, quantity }) => ({ id, quantity: quantity ?? null })),
    annualProductionKwh: decimalOf(system.annualProductionKwh, 2, 'system.annualProductionKwh'),
    annualConsumptionKwh: decimalOf(system.annualConsumptionKwh, 2, 'system.annualConsumptionKwh'),
  }
}

function financingOf(given: SaleBody['financing']): Financing {
  const field = (name: string) => `financing.${name}`
  return {
    type: given.type,
    lender: given.lender || null,
    amount: moneyOf(given.amount, field('amount')),
    aprPercent: decimalOf(given.aprPercent, 3, field('aprPercent')),
    termMonths: given.termMonths ?? null,
    monthlyPayment: moneyOf(given.monthlyPayment, field('monthlyPayment')),
    dealerFeePercent: decimalOf(given.dealerFeePercent, 3, field('dealerFeePercent')),
    rate: decimalOf(given.rate, 6, field('rate')),
    escalatorPercent: decimalOf(given.escalatorPercent, 3, field('escalatorPercent')),
  }
}
