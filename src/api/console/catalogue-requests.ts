import Type from 'typebox'
import { productKinds, units } from '../../domain/catalogue/adder.ts'
import { type EquipmentKind, equipmentKinds } from '../../domain/catalogue/equipment.ts'
import { maxItems } from '../../domain/catalogue/section.ts'
import { type ProductLine, productLines } from '../../domain/kernel/tenant/stage.ts'
import { Fields, oneOf, optional, textOrNull } from '../http/schema-words.ts'

const wordsOrNull = (maxLength: number) => textOrNull({ minLength: 1, maxLength })
/** Decimals are texts, to stay exact. */
const decimal = (whole: number, decimals: number, example: string) => ({
  pattern: `^\\d{1,${whole}}(\\.\\d{1,${decimals}})?$`,
  'x-message': `must be a number such as ${example} with at most ${decimals} decimals, as a text`,
})
const decimalOrNull = (whole: number, decimals: number, example: string) =>
  textOrNull(decimal(whole, decimals, example))

const version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const name = Type.String({ minLength: 1, maxLength: 200 })
const price = Type.String(decimal(9, 4, '35.50'))
const warrantyYears = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: 999 })

const adderExtras = {
  description: optional(wordsOrNull(2_000)),
  productKind: optional(
    Type.Unsafe<(typeof productKinds)[number] | null>({
      type: ['string', 'null'],
      enum: [...productKinds, null],
    }),
  ),
  tiers: optional(
    Type.Array(Fields({ from: Type.String(decimal(9, 2, '8000')), unitPrice: price }), { maxItems: 20 }),
  ),
  repSponsored: optional(Type.Boolean()),
  showOnProposal: optional(Type.Boolean()),
  brand: optional(wordsOrNull(200)),
  model: optional(wordsOrNull(200)),
  warrantyYears: optional(warrantyYears),
  active: optional(Type.Boolean()),
}
const productLine = oneOf<ProductLine>(productLines)
const unit = oneOf(units)

export const NewAdderBody = Fields({ name, productLine, unit, unitPrice: price, ...adderExtras })

export const AdderPatchBody = Fields({
  version,
  name: optional(name),
  productLine: optional(productLine),
  unit: optional(unit),
  unitPrice: optional(price),
  ...adderExtras,
})

const equipmentExtras = {
  model: optional(wordsOrNull(200)),
  default: optional(Type.Boolean()),
  watts: optional(decimalOrNull(8, 2, '410')),
  efficiencyPercent: optional(decimalOrNull(3, 3, '21.5')),
  ratedOutputWatts: optional(decimalOrNull(8, 2, '366')),
  microinverter: optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
  capacityKwh: optional(decimalOrNull(7, 3, '13.5')),
  continuousOutputWatts: optional(decimalOrNull(8, 2, '5000')),
  warrantyYears: optional(warrantyYears),
  active: optional(Type.Boolean()),
}

export const NewEquipmentBody = Fields({
  kind: oneOf<EquipmentKind>(equipmentKinds),
  manufacturer: name,
  ...equipmentExtras,
})

export const EquipmentPatchBody = Fields({ version, manufacturer: optional(name), ...equipmentExtras })

const ids = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: maxItems,
  uniqueItems: true,
})
export const ItemOrderBody = Fields({ before: ids, after: ids })

const csv = Type.String({ minLength: 1, maxLength: 1_000_000 })
export const TableBody = Fields({ csv })

export const ImportTableBody = Fields({ csv, stamp: Type.String({ minLength: 1, maxLength: 64 }) })
