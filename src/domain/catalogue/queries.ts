import type { Db } from '../../platform/db.ts'
import {
  boolean,
  columnName,
  decimal,
  integer,
  json,
  type Row,
  row,
  select,
  text,
} from '../../platform/sql/row.ts'
import { join, type Params, param, raw, sql, when } from '../../platform/sql/sql.ts'
import { many, run, scalar } from '../../platform/sql/statements.ts'
import type { Decimal } from '../kernel/money.ts'
import type { ProductLine } from '../kernel/tenant/stage.ts'
import { type Adder, renderAdder } from './adder.ts'
import { type Equipment, type EquipmentKind, renderEquipment } from './equipment.ts'

export const adderRow = row<Adder>({
  id: text,
  name: text,
  description: text,
  productLine: text,
  productKind: text,
  unit: text,
  unitPrice: decimal,
  tiered: boolean,
  tiers: json,
  repSponsored: boolean,
  showOnProposal: boolean,
  brand: text,
  model: text,
  warrantyYears: integer,
})
export const adderSelection = select(adderRow)

/** Whatever its kind: null stands for a field that is not known or not its kind's. */
interface AnyEquipment {
  id: string
  kind: EquipmentKind
  manufacturer: string
  model: string | null
  default: boolean
  watts: Decimal | null
  efficiencyPercent: Decimal | null
  ratedOutputWatts: Decimal | null
  microinverter: boolean | null
  capacityKwh: Decimal | null
  continuousOutputWatts: Decimal | null
  warrantyYears: number | null
}

const anyEquipment = row<AnyEquipment>({
  id: text,
  kind: text,
  manufacturer: text,
  model: text,
  default: boolean,
  watts: decimal,
  efficiencyPercent: decimal,
  ratedOutputWatts: decimal,
  microinverter: boolean,
  capacityKwh: decimal,
  continuousOutputWatts: decimal,
  warrantyYears: integer,
})
export const equipmentRow: Row<Equipment> = { columns: anyEquipment.columns }
export const equipmentSelection = select(anyEquipment, '', { default: sql`is_default` })

/** What stands beside an entry where it is written. */
interface Written {
  installerId: string
  active: boolean
  rendering: string
}

const columnOf = (name: string) => raw(name === 'default' ? 'is_default' : columnName(name))

function insertInto(table: string, { columns }: Row<object>) {
  const names = Object.keys(columns)
  return ($: Params<Written & { position: number }>) => sql`
    insert into ${raw(table)} (installer_id, position, active, rendering, ${join(names.map(columnOf))})
    values (${$.installerId}, ${$.position}, ${$.active}, ${$.rendering}, ${join(names.map((name) => param(name)))})`
}

function update(table: string, { columns }: Row<object>) {
  const names = Object.keys(columns).filter((name) => name !== 'id' && name !== 'kind')
  return ($: Params<Written & { id: string }>) => sql`
    update ${raw(table)} set ${join(names.map((name) => sql`${columnOf(name)} = ${param(name)}`))},
      active = ${$.active}, rendering = ${$.rendering}, version = version + 1
    where installer_id = ${$.installerId} and id = ${$.id}`
}

const insertAdderRow = run(insertInto('adders', adderRow))
const updateAdderRow = run(update('adders', adderRow))
const insertEquipmentRow = run(insertInto('equipment', equipmentRow))
const updateEquipmentRow = run(update('equipment', equipmentRow))

const writtenAdder = (installerId: string, adder: Adder, active: boolean) => ({
  ...adder,
  tiers: JSON.stringify(adder.tiers),
  installerId,
  active,
  rendering: renderAdder(adder),
})

export const insertAdder = (
  db: Db,
  installerId: string,
  position: number,
  adder: Adder,
  active = true,
): Promise<void> => insertAdderRow(db, { ...writtenAdder(installerId, adder, active), position })

export const updateAdder = (tx: Db, installerId: string, adder: Adder & { active: boolean }): Promise<void> =>
  updateAdderRow(tx, writtenAdder(installerId, adder, adder.active))

const writtenEquipment = (installerId: string, item: Equipment, active: boolean): Written & AnyEquipment => ({
  id: item.id,
  kind: item.kind,
  manufacturer: item.manufacturer,
  model: item.model,
  default: item.default,
  watts: item.kind === 'panel' ? item.watts : null,
  efficiencyPercent: item.kind === 'battery' ? null : item.efficiencyPercent,
  ratedOutputWatts: item.kind === 'inverter' ? item.ratedOutputWatts : null,
  microinverter: item.kind === 'inverter' ? item.microinverter : null,
  capacityKwh: item.kind === 'battery' ? item.capacityKwh : null,
  continuousOutputWatts: item.kind === 'battery' ? item.continuousOutputWatts : null,
  warrantyYears: item.warrantyYears,
  installerId,
  active,
  rendering: renderEquipment(item),
})

export const insertEquipment = (
  db: Db,
  installerId: string,
  position: number,
  item: Equipment,
  active = true,
): Promise<void> => insertEquipmentRow(db, { ...writtenEquipment(installerId, item, active), position })

export const updateEquipment = (
  tx: Db,
  installerId: string,
  item: Equipment & { active: boolean },
): Promise<void> => updateEquipmentRow(tx, writtenEquipment(installerId, item, item.active))

/** The active adders in the installer's own order, rendered and joined by commas. */
export const listAdders = scalar(
  { rows: text },
  ($: Params<{ installerId: string }>) => sql`
    select coalesce(string_agg(rendering, ',' order by position, id), '') as rows
    from adders where installer_id = ${$.installerId} and active`,
)

/** The order of the kinds in which equipment is listed. */
export const kindOrder = sql`array_position(array['panel', 'inverter', 'battery'], kind)`

/** The active equipment, of one kind or all, rendered and joined by commas. */
export const listEquipment = scalar(
  { rows: text },
  ($: Params<{ installerId: string; kind: EquipmentKind | null }>) => sql`
    select coalesce(string_agg(rendering, ',' order by ${kindOrder}, position, id), '') as rows
    from equipment where installer_id = ${$.installerId} and active ${when($.kind, sql`and kind = ${$.kind}`)}`,
)

/** The active adders of a product line, in the installer's own order. */
export const findAdders = many(
  adderRow,
  ($: Params<{ installerId: string; productLine: ProductLine }>) => sql`
    select ${adderSelection} from adders
    where installer_id = ${$.installerId} and active and product_line = ${$.productLine} order by position, id`,
)

/** The active equipment that has one of these ids. */
export const findEquipment = many(
  equipmentRow,
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    select ${equipmentSelection} from equipment
    where installer_id = ${$.installerId} and active and id = any(${$.ids}::text[])`,
)

const withRendering = <T extends object>({ columns }: Row<T>): Row<T & { rendering: string }> => ({
  columns: { ...columns, rendering: text },
})

const adderRenderings = many(
  withRendering(adderRow),
  ($: Params<{ installerId: string }>) => sql`
    select ${adderSelection}, rendering from adders where installer_id = ${$.installerId} order by id`,
)

const equipmentRenderings = many(
  withRendering(equipmentRow),
  ($: Params<{ installerId: string }>) => sql`
    select ${equipmentSelection}, rendering from equipment where installer_id = ${$.installerId} order by id`,
)

const save = (table: string) => ($: Params<{ installerId: string; id: string; rendering: string }>) =>
  sql`update ${raw(table)} set rendering = ${$.rendering} where installer_id = ${$.installerId} and id = ${$.id}`
const saveAdderRendering = run(save('adders'))
const saveEquipmentRendering = run(save('equipment'))

/** Finds what is not stored as it would be rendered now; with `mend`, renders it again. */
export async function checkCatalogueRenderings(
  db: Db,
  installerId: string,
  mend: boolean,
): Promise<{ checked: number; stale: string[] }> {
  const adders = await adderRenderings(db, { installerId })
  const items = await equipmentRenderings(db, { installerId })
  const staleAdders = adders.filter((adder) => renderAdder(adder) !== adder.rendering)
  const staleItems = items.filter((item) => renderEquipment(item) !== item.rendering)
  if (mend) {
    for (const adder of staleAdders)
      await saveAdderRendering(db, { installerId, id: adder.id, rendering: renderAdder(adder) })
    for (const item of staleItems)
      await saveEquipmentRendering(db, { installerId, id: item.id, rendering: renderEquipment(item) })
  }
  return {
    checked: adders.length + items.length,
    stale: [...staleAdders, ...staleItems].map(({ id }) => id),
  }
}
