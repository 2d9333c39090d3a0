import { type Static, Type } from 'typebox'
import type { ItemsChange } from '../../domain/deals/sale/update-items.ts'
import { Fields, optional } from '../http/schema-words.ts'
import { Adders, decimal, id, money, orNull, quantity, systemOf } from './sale-requests.ts'

/** Without an id: as it was sold. */
const kept = (max: number) => Fields({ id: orNull(id), count: Type.Integer({ minimum: 1, maximum: max }) })
const yearly = optional(orNull(decimal(9, 2, '12600')))

const items = {
  system: optional(
    Fields({
      panels: kept(10_000),
      inverters: kept(10_000),
      batteries: optional(kept(1_000)),
      adders: optional(Adders),
      annualProductionKwh: yearly,
      annualConsumptionKwh: yearly,
    }),
  ),
  products: optional(Type.Array(Fields({ id, quantity }), { maxItems: 100 })),
  kept: optional(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 100 })),
  perWatt: optional(orNull(decimal(4, 4, '2.95'))),
}

/** A changed system or other products, to be priced. */
export const ItemsPriceBody = Fields(items)

export const ItemsBody = Fields({
  ...items,
  newPrice: optional(orNull(money)),
  /** The stamp of what was there when somebody began to change it. */
  seen: optional(Type.String({ maxLength: 64 })),
})
export type ItemsBody = Static<typeof ItemsBody>

/** The body in the words of the domain: what is not said is null. */
export function itemsOf({ system, products, kept, perWatt, newPrice }: Omit<ItemsBody, 'seen'>): ItemsChange {
  return {
    system: system ? systemOf(system) : null,
    products: products ?? null,
    kept: kept ?? [],
    perWatt: perWatt ?? null,
    newPrice: newPrice ?? null,
  }
}
