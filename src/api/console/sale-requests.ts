import { type Static, Type } from 'typebox'
import { type FinancingType, financingTypes } from '../../domain/deals/projects/project.ts'
import type { SaleTerms } from '../../domain/deals/sale/sale-terms.ts'
import { type ProductLine, productLines } from '../../domain/kernel/tenant/stage.ts'

export const exactly = { additionalProperties: false }

/** An exact number as text. */
export const decimal = (whole: number, places: number, example: string) =>
  Type.String({
    pattern: `^\\d{1,${whole}}(\\.\\d{1,${places}})?$`,
    'x-message': `must be a number such as ${example}, of at most ${places} decimal places`,
  })
export const money = decimal(9, 2, '28500.00')
const percent = decimal(2, 3, '5.99')
export const id = Type.String({ minLength: 1, maxLength: 100 })
const counted = (most: number) =>
  Type.Object({ id, count: Type.Integer({ minimum: 1, maximum: most }) }, exactly)
export const quantity = Type.Number({ minimum: 0.01, maximum: 1_000_000 })
export const orNull = <T extends ReturnType<typeof Type.String>>(schema: T) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] })

export const Adders = Type.Array(Type.Object({ id, quantity: Type.Optional(quantity) }, exactly), {
  maxItems: 100,
})
const System = Type.Object(
  {
    panels: counted(10_000),
    inverters: counted(10_000),
    batteries: Type.Optional(counted(1_000)),
    adders: Type.Optional(Adders),
    annualProductionKwh: Type.Optional(orNull(decimal(9, 2, '12600'))),
    annualConsumptionKwh: Type.Optional(orNull(decimal(9, 2, '12600'))),
  },
  exactly,
)
const Products = Type.Array(Type.Object({ id, quantity }, exactly), { minItems: 1, maxItems: 100 })
const Price = Type.Object(
  {
    perWatt: Type.Optional(orNull(decimal(4, 4, '2.95'))),
    custom: Type.Optional(orNull(money)),
  },
  exactly,
)
const Financing = Type.Object(
  {
    type: Type.Unsafe<FinancingType>({ type: 'string', enum: [...financingTypes] }),
    lender: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
    amount: Type.Optional(orNull(money)),
    aprPercent: Type.Optional(orNull(percent)),
    termMonths: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
    monthlyPayment: Type.Optional(orNull(money)),
    dealerFeePercent: Type.Optional(orNull(percent)),
    rate: Type.Optional(orNull(decimal(4, 6, '0.17'))),
    escalatorPercent: Type.Optional(orNull(percent)),
  },
  exactly,
)

/** A sale as far as it is decided. */
export const PriceBody = Type.Object(
  {
    system: Type.Optional(System),
    products: Type.Optional(Products),
    price: Type.Optional(Price),
    financing: Type.Optional(Financing),
  },
  exactly,
)
export type PriceBody = Static<typeof PriceBody>

export const SaleBody = Type.Object(
  {
    system: Type.Optional(System),
    products: Type.Optional(Products),
    price: Price,
    financing: Financing,
    contract: Type.Object(
      {
        signedOn: Type.String({ format: 'date' }),
        price: money,
        notes: Type.Optional(orNull(Type.String({ maxLength: 20_000 }))),
      },
      exactly,
    ),
    /** Whether those are told whom the first stage names. */
    tellCustomer: Type.Optional(Type.Boolean()),
    tellTeam: Type.Optional(Type.Boolean()),
  },
  exactly,
)
export type SaleBody = Static<typeof SaleBody>

export const CatalogueQuery = Type.Object(
  { line: Type.Unsafe<ProductLine>({ type: 'string', enum: [...productLines] }) },
  exactly,
)
export type CatalogueQuery = Static<typeof CatalogueQuery>

/** The body in the words of the domain: what is not said is null. */
export function termsOf({ system, products, price, financing }: PriceBody): SaleTerms {
  return {
    system: system
      ? {
          panels: system.panels,
          inverters: system.inverters,
          batteries: system.batteries ?? null,
          adders: (system.adders ?? []).map(({ id, quantity }) => ({ id, quantity: quantity ?? null })),
          annualProductionKwh: system.annualProductionKwh ?? null,
          annualConsumptionKwh: system.annualConsumptionKwh ?? null,
        }
      : null,
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
