import { expectEqual, expectError, expectInvalid, expectShape, expectStatus } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { boolean, list, nullable, number, object, oneOf, optional, type Shape, text } from '../shape.ts'
import { page, rows } from './records.ts'

const adderFields: Record<string, Shape> = {
  id: text,
  name: text,
  description: nullable(text),
  productLine: oneOf('solar', 'hi'),
  productKind: nullable(text),
  unit: text,
  unitPrice: number,
  tiered: boolean,
  repSponsored: boolean,
  showOnProposal: boolean,
  brand: nullable(text),
  model: nullable(text),
  warrantyYears: nullable(number),
}

const equipmentFields: Record<string, Shape> = {
  id: text,
  kind: oneOf('panel', 'inverter', 'battery'),
  manufacturer: text,
  model: nullable(text),
  watts: optional(number),
  default: optional(boolean),
  ratedOutputWatts: optional(nullable(number)),
  efficiencyPercent: optional(nullable(number)),
  microinverter: optional(boolean),
  capacityKwh: optional(nullable(number)),
  continuousOutputWatts: optional(nullable(number)),
  warrantyYears: optional(nullable(number)),
}

const decidedUnits = ['perWatt', 'flat', 'each', 'perPanel', 'perFoot', 'perSquareFoot']
const decidedKinds = [
  'roofing',
  'windows',
  'doors',
  'siding',
  'insulation',
  'hvac',
  'waterHeater',
  'electrical',
  'battery',
  'evCharger',
  'other',
]

const listed = (path: '/adders' | '/equipment'): Rule[] => [
  {
    id: `v1.${path.slice(1)}.list`,
    says: `\`GET /v1${path}\` answers 200 with \`data\`, an array.`,
    async check(kit) {
      const answer = await page(kit, path)
      expectStatus(answer, 200)
      expectShape(answer, list(object), 'data')
    },
  },
  {
    id: `v1.${path.slice(1)}.dealer`,
    says: `\`GET /v1${path}\` answers a dealer's key 403 \`forbidden\`.`,
    check: async (kit) =>
      expectError(await kit.once(`v1 dealer ${path}`, () => kit.dealer.get(path)), 403, 'forbidden'),
  },
]

const ids = async (kit: Kit, query: string) =>
  (await rows(kit, `/equipment${query}`)).map(({ id }) => String(id))

export const catalogueRules: Rule[] = [
  ...listed('/adders'),
  ...listed('/equipment'),
  ...fieldRules('v1.adders.fields', 'An adder', adderFields, (kit) => rows(kit, '/adders')),
  ...fieldRules(
    'v1.adders.decided',
    'An adder, by decision as one of the known values,',
    { unit: oneOf(...decidedUnits), productKind: nullable(oneOf(...decidedKinds)) },
    (kit) => rows(kit, '/adders'),
    { decision: true },
  ),
  ...fieldRules('v1.equipment.fields', 'A piece of equipment', equipmentFields, (kit) =>
    rows(kit, '/equipment'),
  ),
  ...['panel', 'inverter', 'battery'].map(
    (kind): Rule => ({
      id: `v1.equipment.kind.${kind}`,
      says: `\`kind=${kind}\` gives equipment of that kind only.`,
      async check(kit) {
        const answer = await page(kit, `/equipment?kind=${kind}`)
        expectStatus(answer, 200)
        for (const row of await rows(kit, `/equipment?kind=${kind}`)) expectEqual(row['kind'], kind, 'kind')
      },
    }),
  ),
  {
    id: 'v1.equipment.kind.absent',
    says: 'Without `kind` all three are given.',
    async check(kit) {
      const parts: string[] = []
      for (const kind of ['panel', 'inverter', 'battery']) parts.push(...(await ids(kit, `?kind=${kind}`)))
      expectEqual((await ids(kit, '')).sort(), parts.sort(), 'what is given')
    },
  },
  {
    id: 'v1.equipment.kind.invalid',
    says: 'Another `kind` is 400 `invalid`.',
    check: async (kit) => expectInvalid(await kit.installer.get('/equipment?kind=roof')),
  },
]
