import { Big } from 'big.js'
import type { Decimal } from '../deals/leads/lead.ts'

/** The shortest form of a decimal: 42.0000 is 42. */
export const shortest = (value: Decimal): Decimal => new Big(value).toFixed()

export const shortestOrNull = (value: Decimal | null): Decimal | null =>
  value === null ? null : shortest(value)
