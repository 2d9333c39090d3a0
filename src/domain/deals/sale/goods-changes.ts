import { Big } from 'big.js'
import type { Decimal } from '../../kernel/money.ts'
import { moneyInWords, numberInWords } from '../../kernel/money.ts'
import type { Project, System } from '../projects/project.ts'

export type Changes = Record<string, [from: unknown, to: unknown]>

/** What a project's system or products were and are, field by field in words; empty where nothing is another. */
export function goodsChanges(before: Project, after: Project): Changes {
  const [from, to] = [inWords(before), inWords(after)]
  return Object.fromEntries(
    Object.keys(to).flatMap((field) =>
      from[field] === to[field] ? [] : [[field, [from[field] ?? null, to[field] ?? null]]],
    ),
  )
}

/** As the feed says it: panels from 21 × Qcells Q.TRON 400 to 24 × Qcells Q.TRON 400. */
export function sentenceOf(changes: Changes): string {
  const parts = Object.entries(changes).map(
    ([field, [from, to]]) => `${names[field] ?? field} from ${from ?? 'none'} to ${to ?? 'none'}`,
  )
  return `Project changed: ${parts.join('; ')}`
}

/** Whether they tell what something costs. */
export function tellPrices(changes: Changes): boolean {
  return ['system.pricePerWatt', 'system.adders', 'products', 'contractPrice'].some(
    (field) => field in changes,
  )
}

const names: Record<string, string> = {
  'system.sizeKw': 'size (kW)',
  'system.panels': 'panels',
  'system.inverters': 'inverters',
  'system.batteries': 'batteries',
  'system.annualProductionKwh': 'annual production (kWh)',
  'system.annualConsumptionKwh': 'annual consumption (kWh)',
  'system.pricePerWatt': 'price per watt',
  'system.adders': 'adders',
  contractPrice: 'contract price',
}

function inWords({ system, products, contractPrice }: Project): Record<string, string | null> {
  return {
    ...(system ? systemInWords(system) : {}),
    ...(products
      ? { products: listed(products.map(({ price, ...more }) => ({ ...more, total: price }))) }
      : {}),
    contractPrice: contractPrice && moneyInWords(contractPrice),
  }
}

function systemInWords(system: System): Record<string, string | null> {
  const { batteries, pricePerWatt } = system
  return {
    'system.sizeKw': number(system.sizeKw),
    'system.panels': counted(system.panels),
    'system.inverters': counted(system.inverters),
    'system.batteries': batteries && counted(batteries),
    'system.annualProductionKwh': number(system.annualProductionKwh),
    'system.annualConsumptionKwh': number(system.annualConsumptionKwh ?? null),
    'system.pricePerWatt': number(pricePerWatt.base),
    'system.adders': listed(system.adders),
  }
}

/** However many places it is written with. */
const number = (value: Decimal | null) => value && numberInWords(new Big(value).toFixed())

function counted(item: { count: number | null; manufacturer: string | null; model: string | null }): string {
  const name = [item.manufacturer, item.model].filter(Boolean).join(' ')
  return [item.count, name].filter((part) => part !== null && part !== '').join(' × ')
}

function listed(sold: readonly { name: string; quantity?: number; total: Decimal | null }[]): string | null {
  const lines = sold.map(({ name, quantity = 1, total }) =>
    [quantity === 1 ? name : `${name} × ${quantity}`, total && `(${moneyInWords(total)})`]
      .filter(Boolean)
      .join(' '),
  )
  return lines.toSorted().join(', ') || null
}
