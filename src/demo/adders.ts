import type { Adder } from '../domain/catalogue/adder.ts'
import { dollars } from './money.ts'

/** An adder or HI product to put into a catalogue, with its price in whole cents. */
export interface DemoAdder extends Omit<Adder, 'id' | 'unitPrice' | 'tiered' | 'tiers'> {
  unitPriceCents: number
  /** What a unit costs from which quantity on, the lowest first; they begin above what the demo has sold. */
  tiers: readonly { from: number; unitPriceCents: number }[]
  active: boolean
}

type Extra = Partial<
  Pick<
    DemoAdder,
    | 'description'
    | 'productKind'
    | 'tiers'
    | 'repSponsored'
    | 'showOnProposal'
    | 'brand'
    | 'model'
    | 'warrantyYears'
    | 'active'
  >
>

const adder = (
  productLine: Adder['productLine'],
  name: string,
  unit: Adder['unit'],
  unitPriceCents: number,
  extra: Extra,
): DemoAdder => ({
  name,
  description: null,
  productLine,
  productKind: null,
  unit,
  unitPriceCents,
  tiers: [],
  repSponsored: false,
  showOnProposal: true,
  brand: null,
  model: null,
  warrantyYears: null,
  active: true,
  ...extra,
})
const solar = (name: string, unit: Adder['unit'], cents: number, extra: Extra = {}) =>
  adder('solar', name, unit, cents, extra)
const hi = (
  name: string,
  productKind: Adder['productKind'],
  unit: Adder['unit'],
  cents: number,
  extra: Extra = {},
) => adder('hi', name, unit, cents, { productKind, ...extra })

const shared: readonly DemoAdder[] = [
  solar('Tile roof', 'perWatt', 12, { description: 'Hooks and flashing for concrete or clay tile' }),
  solar('Steep roof', 'perWatt', 8, { description: 'Pitch above 7:12', showOnProposal: false }),
  solar('Ground mount', 'perWatt', 65, {
    description: 'Posts, rails and trench to the house',
    tiers: [
      { from: 16_000, unitPriceCents: 58 },
      { from: 24_000, unitPriceCents: 52 },
    ],
  }),
  solar('Small system', 'perWatt', 15, {
    description: 'Below 5 kW',
    showOnProposal: false,
    tiers: [{ from: 5_000, unitPriceCents: 0 }],
  }),
  solar('Main panel upgrade 200 A', 'flat', 285_000, { productKind: 'electrical', warrantyYears: 10 }),
  solar('Trenching', 'perFoot', 3_800),
  solar('Critter guard', 'perPanel', 4_200, { description: 'Mesh around the array' }),
  solar('EV charger 48 A', 'each', 129_500, {
    productKind: 'evCharger',
    brand: 'Ampelle',
    model: 'Post 48',
    warrantyYears: 3,
  }),
  solar('Consumption monitoring', 'each', 35_000),
  solar('Smart thermostat', 'each', 24_900, { repSponsored: true, brand: 'Hearthlog', model: 'T2' }),
  solar('Removal of an old array', 'flat', 180_000, { active: false }),
  hi('Architectural shingle roof', 'roofing', 'perSquareFoot', 675, {
    brand: 'Stonelea',
    model: 'Heritage 40',
    warrantyYears: 40,
    tiers: [
      { from: 2_500, unitPriceCents: 645 },
      { from: 4_000, unitPriceCents: 610 },
    ],
  }),
  hi('Double-pane window', 'windows', 'each', 89_500, {
    brand: 'Clearmont',
    model: 'Series 3',
    warrantyYears: 20,
  }),
  hi('Fiberglass entry door', 'doors', 'each', 245_000, {
    brand: 'Clearmont',
    model: 'Entry 36',
    warrantyYears: 15,
  }),
  hi('Fiber-cement siding', 'siding', 'perSquareFoot', 1_150, { brand: 'Stonelea', warrantyYears: 30 }),
  hi('Attic insulation R-38', 'insulation', 'perSquareFoot', 245, { repSponsored: true }),
  hi('Heat pump 3 ton', 'hvac', 'each', 1_185_000, { brand: 'Norvane', model: 'HP-36', warrantyYears: 12 }),
  hi('Heat-pump water heater 65 gal', 'waterHeater', 'each', 465_000, {
    brand: 'Norvane',
    model: 'WH-65',
    warrantyYears: 10,
  }),
  hi('Main panel upgrade 200 A for the home', 'electrical', 'flat', 310_000, { warrantyYears: 10 }),
  hi('Home battery 10 kWh', 'battery', 'each', 980_000, {
    brand: 'Voltessa',
    model: 'Cellar 10',
    warrantyYears: 10,
  }),
  hi('EV charger 48 A, wall', 'evCharger', 'each', 139_500, {
    brand: 'Ampelle',
    model: 'Wall 48',
    warrantyYears: 3,
  }),
  hi('Seamless gutter', 'other', 'perFoot', 1_450, { warrantyYears: 5 }),
  hi('Permit and inspection', 'other', 'flat', 65_000, { showOnProposal: false }),
  hi('Vinyl siding', 'siding', 'perSquareFoot', 690, { active: false }),
]

/** The catalogue of an installer: the shared one, at its own prices, with something of its own. */
export function addersOf(installer: number): DemoAdder[] {
  if (installer === 0) return [...shared]
  return [
    solar('Snow guard', 'perPanel', 2_900, { description: 'Where snow slides onto a walk' }),
    ...shared.map((item) => ({
      ...dearer(item),
      tiers: item.tiers.map(dearer),
    })),
    hi('Hail-resistant shingle roof', 'roofing', 'perSquareFoot', 810, {
      brand: 'Stonelea',
      model: 'Class 4',
      warrantyYears: 40,
    }),
  ]
}

/** 4 % above, kept in whole cents. */
function dearer<T extends { unitPriceCents: number }>(priced: T): T {
  return { ...priced, unitPriceCents: Math.floor((priced.unitPriceCents * 104) / 100) }
}

/** Its prices as the catalogue keeps them. */
export function pricesOf({
  unitPriceCents,
  tiers,
}: DemoAdder): Pick<Adder, 'unitPrice' | 'tiered' | 'tiers'> {
  return {
    unitPrice: dollars(unitPriceCents),
    tiered: tiers.length > 0,
    tiers: tiers.map((tier) => ({ from: String(tier.from), unitPrice: dollars(tier.unitPriceCents) })),
  }
}
