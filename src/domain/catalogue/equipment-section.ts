import { Big } from 'big.js'
import { type EquipmentKind, equipmentKinds } from './equipment.ts'
import { insertEquipment, updateEquipment } from './queries.ts'
import type { CatalogueSection } from './section.ts'
import { listEquipmentSettings, placeEquipment, type StoredEquipment } from './setting-queries.ts'
import {
  asText,
  asYesOrNo,
  decimalCell,
  maybe,
  oneOfCell,
  type TableColumn,
  textCell,
  yearsCell,
  yesOrNo,
} from './table-column.ts'

/** What only some kinds have; null stands for a field that is not known or not theirs. */
interface Measures {
  watts: string | null
  efficiencyPercent: string | null
  ratedOutputWatts: string | null
  microinverter: boolean | null
  capacityKwh: string | null
  continuousOutputWatts: string | null
}

/** Which kinds have a field; the others leave it empty. */
const owners: Record<keyof Measures, readonly EquipmentKind[]> = {
  watts: ['panel'],
  efficiencyPercent: ['panel', 'inverter'],
  ratedOutputWatts: ['inverter'],
  microinverter: ['inverter'],
  capacityKwh: ['battery'],
  continuousOutputWatts: ['battery'],
}
const measureNames = Object.keys(owners) as (keyof Measures)[]

const measuresOf = (item: StoredEquipment) => item as unknown as Measures

function problemsOf(item: StoredEquipment): string[] {
  const measures = measuresOf(item)
  const problems = measureNames
    .filter((name) => !owners[name].includes(item.kind) && measures[name] != null)
    .map((name) => `${name}: ${item.kind === 'inverter' ? 'an' : 'a'} ${item.kind} has none, leave it empty`)
  if (item.kind === 'panel' && (measures.watts == null || new Big(measures.watts).lte(0)))
    problems.push('watts: a panel has some, such as 410')
  if (item.kind === 'inverter' && measures.microinverter == null)
    problems.push('microinverter: say whether it is one')
  if (measures.efficiencyPercent != null && new Big(measures.efficiencyPercent).gt(100))
    problems.push('efficiencyPercent: must be at most 100')
  if (item.default && !item.active)
    problems.push('default: what is not offered cannot be the default. Make another one the default first')
  return problems
}

const measure = (
  name: string,
  field: Exclude<keyof Measures, 'microinverter'>,
  read: (text: string) => unknown,
): TableColumn<StoredEquipment> => ({
  name,
  field,
  write: (item) => asText(measuresOf(item)[field] ?? null),
  read: maybe(read),
})

const columns: TableColumn<StoredEquipment>[] = [
  { name: 'Kind', field: 'kind', write: ({ kind }) => kind, read: oneOfCell(equipmentKinds) },
  {
    name: 'Manufacturer',
    field: 'manufacturer',
    write: ({ manufacturer }) => manufacturer,
    read: textCell(200),
  },
  { name: 'Model', field: 'model', write: ({ model }) => asText(model), read: maybe(textCell(200)) },
  { name: 'Default', field: 'default', write: (item) => asYesOrNo(item.default), read: yesOrNo },
  measure('Watts', 'watts', decimalCell(8, 2)),
  measure('Efficiency percent', 'efficiencyPercent', decimalCell(3, 3)),
  measure('Rated output watts', 'ratedOutputWatts', decimalCell(8, 2)),
  {
    name: 'Microinverter',
    field: 'microinverter',
    write: (item) => {
      const { microinverter } = measuresOf(item)
      return microinverter == null ? '' : asYesOrNo(microinverter)
    },
    read: maybe(yesOrNo),
  },
  measure('Capacity kWh', 'capacityKwh', decimalCell(7, 3)),
  measure('Continuous output watts', 'continuousOutputWatts', decimalCell(8, 2)),
  {
    name: 'Warranty years',
    field: 'warrantyYears',
    write: ({ warrantyYears }) => asText(warrantyYears),
    read: maybe(yearsCell),
  },
  { name: 'Active', field: 'active', write: ({ active }) => asYesOrNo(active), read: yesOrNo },
]

const nameOf = ({ manufacturer, model }: StoredEquipment) => [manufacturer, model].filter(Boolean).join(' ')

/** Panels, inverters and batteries. One of each kind may be the default: a new one takes the place of the old. */
export const equipmentSection: CatalogueSection<StoredEquipment> = {
  word: 'equipment',
  idPrefix: 'equip',
  list: listEquipmentSettings,
  insert: (tx, installerId, item) => insertEquipment(tx, installerId, item.position, item, item.active),
  update: updateEquipment,
  place: placeEquipment,
  nameOf,
  matchOf: (item) => `${item.kind} ${nameOf(item).toLowerCase()}`,
  settled: (item) => item,
  problemsOf,
  displacedBy: (item, all) =>
    item.default
      ? all
          .filter((other) => other.id !== item.id && other.kind === item.kind && other.default)
          .map((other) => ({ ...other, default: false }))
      : [],
  blank: { model: null, default: false, warrantyYears: null, active: true },
  columns,
}
