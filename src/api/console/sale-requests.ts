import { type Static, Type } from 'typebox'
import { type FinancingType, financingTypes } from '../../domain/deals/projects/project.ts'
import type { SaleTerms } from '../../domain/deals/sale/sale-items.ts'
import { type ProductLine, productLines } from '../../domain/kernel/tenant/stage.ts'
import { Fields, oneOf, optional } from '../http/schema-words.ts'

/** An exact number as text. */
export const decimal = (whole: number, places: number, example: string) =>
  Type.String({
    pattern: `^\\d{1,${whole}}(\\.\\d{1,${places}})?$`,
    'x-message': `must be a number such as ${example}, of at most ${places} decimal places`,
  })
export const money = decimal(9, 2, '28500.00')
const percent = decimal(2, 3, '5.99')
export const id = Type.String({ minLength: 1, maxLength: 100 })
const counted = (max: number) => Fields({ id, count: Type.Integer({ minimum: 1, maximum: max }) })
export const quantity = Type.Number({ minimum: 0.01, maximum: 1_000_000 })
export const orNull = <T extends ReturnType<typeof Type.String>>(schema: T) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] })

export const Adders = Type.Array(Fields({ id, quantity: optional(quantity) }), {
  maxItems: 100,
})
const System = Fields({
  panels: counted(10_000),
  inverters: counted(10_000),
  batteries: optional(counted(1_000)),
  adders: optional(Adders),
  annualProductionKwh: optional(orNull(decimal(9, 2, '12600'))),
  annualConsumptionKwh: optional(orNull(decimal(9, 2, '12600'))),
})
const Products = Type.Array(Fields({ id, quantity }), { minItems: 1, maxItems: 100 })
const Price = Fields({
  perWatt: optional(orNull(decimal(4, 4, '2.95'))),
  custom: optional(orNull(money)),
})
const Financing = Fields({
  type: oneOf<FinancingType>(financingTypes),
  lender: optional(orNull(Type.String({ maxLength: 200 }))),
  amount: optional(orNull(money)),
  aprPercent: optional(orNull(percent)),
  termMonths: optional(Type.Integer({ minimum: 1, maximum: 600 })),
  monthlyPayment: optional(orNull(money)),
  dealerFeePercent: optional(orNull(percent)),
  rate: optional(orNull(decimal(4, 6, '0.17'))),
  escalatorPercent: optional(orNull(percent)),
})

/** A sale as far as it is decided. */
export const PriceBody = Fields({
  system: optional(System),
  products: optional(Products),
  price: optional(Price),
  financing: optional(Financing),
})
export type PriceBody = Static<typeof PriceBody>

export const SaleBody = Fields({
  system: optional(System),
  products: optional(Products),
  price: Price,
  financing: Financing,
  contract: Fields({
    signedOn: Type.String({ format: 'date' }),
    price: money,
    notes: optional(orNull(Type.String({ maxLength: 20_000 }))),
  }),
  /** Whether those are told whom the first stage names. */
  notifyCustomer: optional(Type.Boolean()),
  notifyTeam: optional(Type.Boolean()),
})
export type SaleBody = Static<typeof SaleBody>

export const CatalogueQuery = Fields({ line: oneOf<ProductLine>(productLines) })

/** A system in the words of the domain, its equipment as it is said. */
export function systemOf<Counted>(
  system: Omit<Static<typeof System>, 'panels' | 'inverters' | 'batteries'> & {
    panels: Counted
    inverters: Counted
    batteries?: Counted
  },
) {
  return {
    panels: system.panels,
    inverters: system.inverters,
    batteries: system.batteries ?? null,
    adders: (system.adders ?? []).map(({ id, quantity }) => ({ id, quantity: quantity ?? null })),
    annualProductionKwh: system.annualProductionKwh ?? null,
    annualConsumptionKwh: system.annualConsumptionKwh ?? null,
  }
}

/** The body in the words of the domain: what is not said is null. */
export function termsOf({ system, products, price, financing }: PriceBody): SaleTerms {
  return {
    system: system ? systemOf(system) : null,
    products: products ?? null,
    price: { perWatt: price?.perWatt ?? null, custom: price?.custom ?? null },
    financing: financing
      ? {
          type: financing.type,
          lender: financing.lender || null,
          amount: financing.amount ?? null,
          aprPercent: financing.aprPercent ?? null,
          termMonths: financing.termMonths ?? null,
          monthlyPayment: financing.monthlyPayment ?? null,
          dealerFeePercent: financing.dealerFeePercent ?? null,
          rate: financing.rate ?? null,
          escalatorPercent: financing.escalatorPercent ?? null,
        }
      : null,
  }
}
