import type { Financing, FinancingType, SoldProduct, System } from '../domain/deals/projects/project.ts'
import { loanPayment } from '../domain/deals/sale/price-items.ts'
import type { ProductLine } from '../domain/kernel/tenant/stage.ts'
import { addersOf, type DemoAdder } from './adders.ts'
import { type DemoBattery, type DemoInverter, type DemoPanel, equipmentOf } from './equipment.ts'
import { decimalOf, dollars } from './money.ts'
import type { Random } from './random.ts'

/** What was sold, for how much and paid how. */
export interface DemoSale {
  contractPrice: string
  financing: Financing
  system: System | null
  products: SoldProduct[] | null
}

/** `nth` goes round the ways of paying, so that every one of them appears. */
export function drawSale(random: Random, installer: number, productLine: ProductLine, nth: number): DemoSale {
  return productLine === 'solar' ? solarSale(random, installer, nth) : homeSale(random, installer, nth)
}

function solarSale(random: Random, installer: number, nth: number): DemoSale {
  const stock = equipmentOf(installer).filter((item) => item.active)
  const panel = random.pick(stock.filter((item): item is DemoPanel => item.kind === 'panel'))
  const inverter = random.pick(stock.filter((item): item is DemoInverter => item.kind === 'inverter'))
  const battery = random.pick(stock.filter((item): item is DemoBattery => item.kind === 'battery'))
  const batteries = random.chance(0.4) ? random.whole(1, 2) : 0
  const count = random.whole(12, 36)
  const watts = count * Number(panel.watts)
  const adders = drawAdders(random, installer, count, watts)

  const baseCents = random.whole(255, 325)
  const paidCents = adders.reduce((sum, { item, cents }) => sum + (item.repSponsored ? 0 : cents), 0)
  const batteryCents = batteries * 1_050_000
  // The price per watt is rounded up to whole cents, and the contract is exactly that times the watts.
  const finalCents = baseCents + Math.ceil((paidCents + batteryCents) / watts)
  const priceCents = finalCents * watts
  const annualKwh = Math.floor((watts * random.whole(1_420, 1_680)) / 1_000)
  return {
    contractPrice: dollars(priceCents),
    financing: finance(random, solarPayments[nth % solarPayments.length]!, priceCents, annualKwh),
    system: {
      sizeKw: decimalOf(watts, 3),
      annualProductionKwh: String(annualKwh),
      panels: { count, manufacturer: panel.manufacturer, model: panel.model },
      inverters: {
        count: inverter.microinverter ? count : Math.ceil(watts / (Number(inverter.ratedOutputWatts) * 1.3)),
        manufacturer: inverter.manufacturer,
        model: inverter.model,
        name: `${inverter.manufacturer} ${inverter.model}`,
        microinverter: inverter.microinverter,
      },
      batteries:
        batteries === 0
          ? null
          : {
              count: batteries,
              manufacturer: battery.manufacturer,
              model: battery.model,
              capacityKwh: battery.capacityKwh,
            },
      pricePerWatt: { base: decimalOf(baseCents, 2), final: decimalOf(finalCents, 2) },
      adders: adders.map(({ item: { name, unit, showOnProposal, repSponsored }, quantity, cents }) => ({
        name,
        quantity,
        total: dollars(cents),
        unit,
        showOnProposal,
        repSponsored,
      })),
    },
    products: null,
  }
}

function drawAdders(random: Random, installer: number, panels: number, watts: number) {
  const offered = addersOf(installer).filter((item) => item.active && item.productLine === 'solar')
  const fitting = offered.filter(({ name }) => name !== 'Small system' || watts < 5_000)
  return random.some(fitting, random.whole(0, 3)).map((item) => {
    const quantity =
      item.unit === 'perWatt'
        ? watts
        : item.unit === 'perPanel'
          ? panels
          : item.unit === 'perFoot'
            ? random.whole(20, 90)
            : 1
    return { item, quantity, cents: quantity * item.unitPriceCents }
  })
}

function homeSale(random: Random, installer: number, nth: number): DemoSale {
  const offered = addersOf(installer).filter((item) => item.active && item.productLine === 'hi')
  const permit = offered.find(({ name }) => name === 'Permit and inspection')!
  const work = random.some(
    offered.filter((item) => item !== permit),
    random.whole(1, 3),
  )
  const sold = [...work, permit].map((item) => {
    const quantity = amountOf(random, item)
    return { item, quantity, cents: quantity * item.unitPriceCents }
  })
  const priceCents = sold.reduce((sum, { cents }) => sum + cents, 0)
  return {
    contractPrice: dollars(priceCents),
    financing: finance(random, homePayments[nth % homePayments.length]!, priceCents, 0),
    system: null,
    products: sold.map(({ item: { name, unit, showOnProposal, repSponsored }, quantity, cents }) => ({
      name,
      quantity,
      price: dollars(cents),
      unit,
      showOnProposal,
      repSponsored,
    })),
  }
}

function amountOf(random: Random, { unit, productKind }: DemoAdder): number {
  if (unit === 'perSquareFoot') return random.whole(900, 2_200)
  if (unit === 'perFoot') return random.whole(80, 220)
  return productKind === 'windows' ? random.whole(4, 14) : 1
}

const solarPayments: readonly FinancingType[] = ['loan', 'cash', 'ppa', 'loan', 'lease', 'cash', 'loan']
const homePayments: readonly FinancingType[] = ['loan', 'cash', 'loan']

const nothing = {
  lender: null,
  amount: null,
  aprPercent: null,
  termMonths: null,
  monthlyPayment: null,
  dealerFeePercent: null,
}

function finance(random: Random, type: FinancingType, priceCents: number, annualKwh: number): Financing {
  if (type === 'cash') return { ...nothing, type }
  if (type === 'loan') {
    const aprHundredths = random.pick([399, 499, 599, 699, 749])
    const termMonths = random.pick(annualKwh > 0 ? [120, 180, 240, 300] : [60, 84, 120])
    const downCents = random.chance(0.3) ? Math.floor(priceCents / 1_000) * 100 : 0
    const amountCents = priceCents - downCents
    return {
      type,
      lender: random.pick(['Granite Home Lending', 'Lakefront Credit Union', 'Sunvale Finance']),
      amount: dollars(amountCents),
      aprPercent: decimalOf(aprHundredths, 2),
      termMonths,
      monthlyPayment: loanPayment(dollars(amountCents), decimalOf(aprHundredths, 2), termMonths),
      dealerFeePercent: decimalOf(random.pick([0, 500, 1_250, 1_875, 2_250]), 2),
    }
  }
  // Paid by the kilowatt-hour: a PPA by its rate, a lease by what that comes to.
  const rateCents = random.whole(15, 23)
  return {
    ...nothing,
    type,
    lender: random.pick(['Evergreen Energy Capital', 'Sunvale Finance']),
    termMonths: type === 'ppa' ? 300 : 240,
    monthlyPayment: dollars(Math.round((annualKwh * rateCents) / 12)),
  }
}
