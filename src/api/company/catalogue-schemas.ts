import Type from 'typebox'
import { productKinds, units } from '../../domain/catalogue/adder.ts'
import { equipmentKinds } from '../../domain/catalogue/equipment.ts'
import { productLines } from '../../domain/kernel/tenant/stage.ts'
import { Answer, number, oneOf, orNull, text } from '../http/schema-words.ts'
import { adderExample, equipmentExample } from './examples.ts'

export const Adder = Answer(
  {
    id: text(),
    name: text(),
    description: orNull(text()),
    productLine: oneOf(productLines),
    productKind: Type.Unsafe({
      anyOf: [oneOf(productKinds), { type: 'null' }],
      description: 'Null for plain adders',
    }),
    unit: oneOf(units),
    unitPrice: number('Dollars; dollars per watt when the unit is perWatt'),
    tiered: Type.Boolean(),
    repSponsored: Type.Boolean(),
    showOnProposal: Type.Boolean(),
    brand: orNull(text()),
    model: orNull(text()),
    warrantyYears: orNull(number()),
  },
  { $id: 'Adder', description: 'An adder or an HI product.', examples: [adderExample] },
)
export const Equipment = Answer(
  {
    id: text(),
    kind: oneOf(equipmentKinds),
    manufacturer: text(),
    model: orNull(text()),
    default: Type.Optional(Type.Boolean()),
    watts: Type.Optional(number('Panels')),
    ratedOutputWatts: Type.Optional(orNull(number('Inverters'))),
    efficiencyPercent: Type.Optional(orNull(number('Panels and inverters'))),
    microinverter: Type.Optional(Type.Boolean({ description: 'Inverters' })),
    capacityKwh: Type.Optional(orNull(number('Batteries'))),
    continuousOutputWatts: Type.Optional(orNull(number('Batteries'))),
    warrantyYears: Type.Optional(orNull(number())),
  },
  {
    $id: 'Equipment',
    description: 'Which optional fields are there follows from the kind.',
    examples: [equipmentExample],
  },
)
