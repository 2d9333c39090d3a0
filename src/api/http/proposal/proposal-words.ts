import type { Proposal, ProposedItem } from '../../../domain/deals/proposals/proposal.ts'

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export function moneyText(amount: string): string {
  return money.format(Number(amount))
}

export function numberText(value: string | number, places = 2): string {
  return new Intl.NumberFormat('en-US', { maximumFractionDigits: places }).format(Number(value))
}

export interface Part {
  name: string
  amount: string
}

const counted = (count: number | null, one: string, many: string) =>
  count === null ? many : `${numberText(count)} ${count === 1 ? one : many}`

const unitWords: Record<NonNullable<ProposedItem['unit']>, (quantity: number) => string> = {
  // The whole system, whatever its measure.
  perWatt: () => 'Included',
  perPanel: (quantity) => counted(quantity, 'panel', 'panels'),
  flat: () => 'Included',
  each: (quantity) => (quantity === 1 ? 'Included' : `Quantity: ${numberText(quantity)}`),
  perFoot: (quantity) => `${numberText(quantity)} ft`,
  perSquareFoot: (quantity) => `${numberText(quantity)} sq ft`,
}

/** What the customer gets, line by line. */
export function partsOf({ system, items }: Proposal): Part[] {
  const parts: Part[] = []
  if (system) {
    const { panels, inverters, batteries } = system
    const named = (item: { manufacturer: string | null; model: string | null }, otherwise: string) =>
      [item.manufacturer, item.model].filter(Boolean).join(' ') || otherwise
    parts.push({ name: named(panels, 'Solar panels'), amount: counted(panels.count, 'panel', 'panels') })
    const [one, many] = inverters.microinverter
      ? ['microinverter', 'microinverters']
      : ['inverter', 'inverters']
    parts.push({ name: named(inverters, 'Inverters'), amount: counted(inverters.count, one!, many!) })
    if (batteries) {
      const each = batteries.count !== null && batteries.count > 1 ? ' each' : ''
      const capacity = batteries.capacityKwh ? `, ${numberText(batteries.capacityKwh)} kWh${each}` : ''
      parts.push({
        name: named(batteries, 'Battery'),
        amount: `${counted(batteries.count, 'battery', 'batteries')}${capacity}`,
      })
    }
  }
  for (const { name, unit, quantity } of items) {
    parts.push({ name, amount: unit && quantity !== null ? unitWords[unit](quantity) : 'Included' })
  }
  return parts
}
