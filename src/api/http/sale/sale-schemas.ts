import Type, { type Static } from 'typebox'
import { leadLimits } from '../../../domain/deals/leads/lead.ts'
import { type FinancingType, financingTypes } from '../../../domain/deals/projects/project.ts'
import { decimalNumber } from '../exact-numbers.ts'
import { Fields, oneOf, optional, textOrNull } from '../schema-words.ts'

const id = (what: string) =>
  Type.String({ minLength: 1, maxLength: 100, description: `The id of ${what} of the catalogue` })
const count = (maximum: number) => Type.Integer({ minimum: 1, maximum, description: 'How many' })
const quantity = (description: string) => Type.Number({ minimum: 0.01, maximum: 1_000_000, description })
const percent = (description: string) => optional(decimalNumber(2, 3, description))
const money = (description: string) => optional(decimalNumber(9, 2, description))

const contract = Fields(
  {
    price: Type.Number({
      minimum: 0,
      maximum: 999_999_999.99,
      description: 'What the customer pays, in dollars as they signed it; at most 2 decimal places',
    }),
    signedAt: Type.String({
      maxLength: 64,
      description:
        'When they signed: a day as YYYY-MM-DD, or an ISO 8601 timestamp with offset. Not in the future',
    }),
  },
  { description: 'What was signed' },
)

const financing = Fields(
  {
    type: oneOf<FinancingType>(financingTypes, {
      description: 'How it is paid for; a PPA is for solar only',
    }),
    lender: optional(textOrNull({ maxLength: 200, description: 'Who lends' })),
    amount: money('What is financed; of a loan the contract’s price where absent'),
    aprPercent: percent('A loan needs it'),
    termMonths: optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 600,
        description: 'All but cash need it',
      }),
    ),
    monthlyPayment: money('A lease needs it; of a loan or a PPA it is worked out where absent'),
    dealerFeePercent: percent('Of a loan'),
    rate: optional(decimalNumber(4, 6, 'Of a PPA in dollars by the kWh, which needs it')),
    escalatorPercent: percent('By how much a lease or a PPA grows each year'),
  },
  { description: 'What does not belong to its type is left out of the project' },
)

const system = Fields(
  {
    panels: Fields({ id: id('a panel'), count: count(10_000) }, { description: 'Its panels' }),
    inverters: Fields({ id: id('an inverter'), count: count(10_000) }, { description: 'Its inverters' }),
    batteries: optional(
      Type.Unsafe<{ id: string; count: number } | null>({
        ...Fields({ id: id('a battery'), count: count(1_000) }),
        type: ['object', 'null'],
        description: 'Its batteries, where it has any',
      }),
    ),
    adders: optional(
      Type.Array(
        Fields({
          id: id('an adder'),
          quantity: optional(
            quantity('The system’s own measure where absent: its watts, its panels, or one'),
          ),
        }),
        { maxItems: 100, description: 'What is added to it' },
      ),
    ),
    annualProductionKwh: optional(
      decimalNumber(9, 2, 'Estimated from size and state where absent; needed where there is no estimate'),
    ),
    annualConsumptionKwh: optional(decimalNumber(9, 2, 'What the house uses')),
    pricePerWatt: optional(
      Fields(
        {
          base: optional(
            decimalNumber(
              4,
              4,
              'Without adders, in dollars; what is left of the price after them where absent',
            ),
          ),
        },
        { description: 'What a watt costs' },
      ),
    ),
  },
  { description: 'What was sold, for a solar lead' },
)

const products = Type.Array(Fields({ id: id('a product'), quantity: quantity('How many') }), {
  minItems: 1,
  maxItems: 100,
  description: 'What was sold, for a home-improvement lead',
})

export const SaleBody = Fields(
  {
    contract,
    financing,
    system: optional(system),
    products: optional(products),
    notes: optional(textOrNull({ maxLength: leadLimits.notes, description: 'Notes on the project' })),
  },
  {
    examples: [
      {
        contract: { price: 23940, signedAt: '2026-10-14' },
        financing: { type: 'loan', lender: 'Harbor Credit', aprPercent: 6.99, termMonths: 240 },
        system: {
          panels: { id: 'equip_01m7egde1e01h969t2e9nkny', count: 20 },
          inverters: { id: 'equip_01m7egde1e01h969t2e9nknz', count: 20 },
          adders: [{ id: 'adder_01m7egde1e01h969t2e9nkny' }],
        },
      },
    ],
  },
)
export type SaleBody = Static<typeof SaleBody>
