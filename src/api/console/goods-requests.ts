import { type Static, Type } from 'typebox'
import type { ChangedGoods } from '../../domain/deals/sale/change-goods.ts'
import { Adders, decimal, exactly, id, money, orNull, quantity } from './sale-requests.ts'

/** Without an id: as it was sold. */
const kept = (most: number) =>
  Type.Object({ id: orNull(id), count: Type.Integer({ minimum: 1, maximum: most }) }, exactly)
const yearly = Type.Optional(orNull(decimal(9, 2, '12600')))

const goods = {
  system: Type.Optional(
    Type.Object(
      {
        panels: kept(10_000),
        inverters: kept(10_000),
        batteries: Type.Optional(kept(1_000)),
        adders: Type.Optional(Adders),
        annualProductionKwh: yearly,
        annualConsumptionKwh: yearly,
      },
      exactly,
    ),
  ),
  products: Type.Optional(Type.Array(Type.Object({ id, quantity }, exactly), { maxItems: 100 })),
  kept: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 100 })),
  perWatt: Type.Optional(orNull(decimal(4, 4, '2.95'))),
}

/** A changed system or other products, to be priced. */
export const GoodsPriceBody = Type.Object(goods, exactly)
export type GoodsPriceBody = Static<typeof GoodsPriceBody>

export const GoodsBody = Type.Object(
  {
    ...goods,
    newPrice: Type.Optional(orNull(money)),
    /** The stamp of what was there when somebody began to change it. */
    seen: Type.Optional(Type.String({ maxLength: 64 })),
  },
  exactly,
)
export type GoodsBody = Static<typeof GoodsBody>

/** The body in the words of the domain: what is not said is null. */
export function goodsOf({
  system,
  products,
  kept,
  perWatt,
  newPrice,
}: Omit<GoodsBody, 'seen'>): ChangedGoods {
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
    kept: kept ?? [],
    perWatt: perWatt ?? null,
    newPrice: newPrice ?? null,
  }
}
