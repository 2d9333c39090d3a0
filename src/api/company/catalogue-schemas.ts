import Type from 'typebox'
import { productKinds, units } from '../../domain/catalogue/adder.ts'
import { equipmentKinds } from '../../domain/catalogue/equipment.ts'
import { productLines } from '../../domain/kernel/tenant/stage.ts'
import { Answer, number, oneOf, orNull, text } from '../http/schema-words.ts'
import { adderExample, equipmentExample } from './examples.ts'

export const Adder = Answer(
  {
    id: text('The adder’s id'),
    name: text('What it is called'),
    description: orNull(text(), 'What it is'),
    productLine: oneOf(productLines, { description: 'Where it is sold' }),
    productKind: Type.Unsafe({
      anyOf: [oneOf(productKinds), { type: 'null' }],
      description: 'Null for plain adders',
    }),
    unit: oneOf(units, { description: 'What its price is for' }),
    unitPrice: number('Dollars; dollars per watt when the unit is perWatt'),
    tiered: Type.Boolean({ description: 'Whether its price depends on how many are sold' }),
    repSponsored: Type.Boolean({ description: 'Whether the rep pays for it' }),
    showOnProposal: Type.Boolean({ description: 'Whether customers see it on their proposal' }),
    brand: orNull(text(), 'Who makes it'),
    model: orNull(text(), 'What its maker calls it'),
    warrantyYears: orNull(number(), 'How long it is guaranteed'),
  },
  { $id: 'Adder', description: 'An adder or an HI product.', examples: [adderExample] },
)
export const Equipment = Answer(
  {
    id: text('The equipment’s id'),
    kind: oneOf(equipmentKinds, { description: 'What it is' }),
    manufacturer: text('Who makes it'),
    model: orNull(text(), 'What its maker calls it'),
    default: Type.Optional(Type.Boolean({ description: 'Whether it is what is usually sold' })),
    watts: Type.Optional(number('Panels')),
    ratedOutputWatts: Type.Optional(orNull(number('Inverters'))),
    efficiencyPercent: Type.Optional(orNull(number('Panels and inverters'))),
    microinverter: Type.Optional(Type.Boolean({ description: 'Inverters' })),
    capacityKwh: Type.Optional(orNull(number('Batteries'))),
    continuousOutputWatts: Type.Optional(orNull(number('Batteries'))),
    warrantyYears: Type.Optional(orNull(number(), 'How long it is guaranteed')),
  },
  {
    $id: 'Equipment',
    description: 'Which optional fields are there follows from the kind.',
    examples: [equipmentExample],
  },
)
