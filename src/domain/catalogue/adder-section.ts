import { isDeepStrictEqual } from 'node:util'
import { Big } from 'big.js'
import { productLines } from '../kernel/tenant/stage.ts'
import { productKinds, type Tier, units } from './adder.ts'
import { insertAdder, updateAdder } from './queries.ts'
import type { CatalogueSection } from './section.ts'
import { listAdderSettings, placeAdders, type StoredAdder } from './setting-queries.ts'
import {
  asText,
  asYesOrNo,
  BadCell,
  decimalCell,
  maybe,
  oneOfCell,
  type TableColumn,
  textCell,
  yearsCell,
  yesOrNo,
} from './table-column.ts'

const maxTiers = 20
const price = decimalCell(9, 4)
const quantity = decimalCell(9, 2)

/** As a cell holds them: “8000: 0.58; 12000: 0.52”. */
const writeTiers = (tiers: readonly Tier[]) =>
  tiers.map(({ from, unitPrice }) => `${from}: ${unitPrice}`).join('; ')

function readTiers(text: string): Tier[] {
  if (text === '') return []
  return text.split(';').map((one) => {
    const [from = '', unitPrice = '', ...rest] = one.split(':').map((part) => part.trim())
    if (rest.length > 0 || unitPrice === '') throw new BadCell('must be such as 8000: 0.58; 12000: 0.52')
    return { from: quantity(from), unitPrice: price(unitPrice) }
  })
}

function problemsOf({ tiers }: StoredAdder): string[] {
  const problems: string[] = []
  if (tiers.length > maxTiers) problems.push(`tiers: at most ${maxTiers} are possible`)
  if (tiers.some(({ from }) => new Big(from).lte(0))) problems.push('tiers: each begins above 0')
  if (tiers.some(({ from }, i) => i > 0 && new Big(from).lte(tiers[i - 1]!.from)))
    problems.push('tiers: each must begin higher than the one before')
  return problems
}

const columns: TableColumn<StoredAdder>[] = [
  { name: 'Name', field: 'name', write: ({ name }) => name, read: textCell(200) },
  {
    name: 'Product line',
    field: 'productLine',
    write: ({ productLine }) => productLine,
    read: oneOfCell(productLines),
  },
  { name: 'Unit', field: 'unit', write: ({ unit }) => unit, read: oneOfCell(units) },
  { name: 'Unit price', field: 'unitPrice', write: ({ unitPrice }) => unitPrice, read: price },
  { name: 'Tiers', field: 'tiers', write: ({ tiers }) => writeTiers(tiers), read: readTiers },
  {
    name: 'Product kind',
    field: 'productKind',
    write: ({ productKind }) => asText(productKind),
    read: maybe(oneOfCell(productKinds)),
  },
  {
    name: 'Description',
    field: 'description',
    write: ({ description }) => asText(description),
    read: maybe(textCell(2_000)),
  },
  { name: 'Brand', field: 'brand', write: ({ brand }) => asText(brand), read: maybe(textCell(200)) },
  { name: 'Model', field: 'model', write: ({ model }) => asText(model), read: maybe(textCell(200)) },
  {
    name: 'Warranty years',
    field: 'warrantyYears',
    write: ({ warrantyYears }) => asText(warrantyYears),
    read: maybe(yearsCell),
  },
  {
    name: 'Rep-sponsored',
    field: 'repSponsored',
    write: ({ repSponsored }) => asYesOrNo(repSponsored),
    read: yesOrNo,
  },
  {
    name: 'Shown on proposal',
    field: 'showOnProposal',
    write: ({ showOnProposal }) => asYesOrNo(showOnProposal),
    read: yesOrNo,
  },
  { name: 'Active', field: 'active', write: ({ active }) => asYesOrNo(active), read: yesOrNo },
]

/** Adders and HI products. */
export const adderSection: CatalogueSection<StoredAdder> = {
  word: 'adder',
  idPrefix: 'adder',
  list: listAdderSettings,
  insert: (tx, installerId, adder) => insertAdder(tx, installerId, adder.position, adder, adder.active),
  update: updateAdder,
  place: placeAdders,
  nameOf: ({ name }) => name,
  matchOf: ({ productLine, name }) => `${productLine} ${name.toLowerCase()}`,
  settled: (adder, before) =>
    isDeepStrictEqual(adder.tiers, before?.tiers) ? adder : { ...adder, tiered: adder.tiers.length > 0 },
  problemsOf,
  displacedBy: () => [],
  blank: {
    description: null,
    productLine: 'solar',
    productKind: null,
    tiered: false,
    tiers: [],
    repSponsored: false,
    showOnProposal: true,
    brand: null,
    model: null,
    warrantyYears: null,
    active: true,
  },
  columns,
}
