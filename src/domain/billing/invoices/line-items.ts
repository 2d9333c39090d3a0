import { Big } from 'big.js'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { amountOf, exactly, finePlaces, maxMoney, sumOf } from '../../kernel/money.ts'
import type { LineItem } from './invoice.ts'

export interface NewLineItem {
  description: string
  quantity: Decimal
  unit: string
  unitPrice: Decimal
}

/** Lines with what each comes to; together they make an invoice. */
export function pricedLines(lines: readonly NewLineItem[]): LineItem[] {
  const priced = lines.map((line, i) => {
    const quantity = exactly(line.quantity, finePlaces, `lineItems[${i}].quantity`)
    const unitPrice = exactly(line.unitPrice, finePlaces, `lineItems[${i}].unitPrice`)
    const amount = amountOf(quantity, unitPrice)
    if (new Big(amount).abs().gt(maxMoney)) {
      throw new DomainError('invalid', `lineItems[${i}] comes to ${amount}: at most ${maxMoney} is billed.`)
    }
    return { description: line.description, quantity, unit: line.unit, unitPrice, amount }
  })
  totalOf(priced)
  return priced
}

/** What the lines come to together. */
export function totalOf(lines: readonly LineItem[]): Decimal {
  const total = sumOf(lines.map((line) => line.amount))
  if (new Big(total).lt(0)) {
    throw new DomainError(
      'invalid',
      `lineItems come to ${total}: an invoice cannot be below zero. Credit less.`,
    )
  }
  if (new Big(total).gt(maxMoney)) {
    throw new DomainError('invalid', `lineItems come to ${total}: at most ${maxMoney} is billed.`)
  }
  return total
}
