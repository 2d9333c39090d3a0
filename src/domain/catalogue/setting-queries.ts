import type { Db, Statement } from '../../platform/db.ts'
import { shortest, shortestOrNull } from '../kernel/money.ts'
import { type Adder, renderAdder } from './adder.ts'
import { type Equipment, renderEquipment } from './equipment.ts'
import { adderFields, adderValues, equipmentFields, equipmentValues } from './queries.ts'
import type { Kept } from './shelf.ts'

export type KeptAdder = Adder & Kept
export type KeptEquipment = Equipment & Kept

const listAddersStatement: Statement = {
  name: 'list-adder-settings',
  text: `select ${adderFields}, active, version, position from adders where installer_id = $1 order by position, id`,
}

export async function listAdderSettings(db: Db, installerId: string): Promise<KeptAdder[]> {
  const rows = await db.query<KeptAdder>(listAddersStatement, [installerId])
  return rows.map((row) => ({
    ...row,
    unitPrice: shortest(row.unitPrice),
    tiers: row.tiers.map(({ from, unitPrice }) => ({ from: shortest(from), unitPrice: shortest(unitPrice) })),
  }))
}

const listEquipmentStatement: Statement = {
  name: 'list-equipment-settings',
  text: `select ${equipmentFields}, active, version, position from equipment where installer_id = $1
    order by array_position(array['panel', 'inverter', 'battery'], kind), position, id`,
}

type EquipmentRow = Record<
  'watts' | 'efficiencyPercent' | 'ratedOutputWatts' | 'capacityKwh' | 'continuousOutputWatts',
  string | null
>

export async function listEquipmentSettings(db: Db, installerId: string): Promise<KeptEquipment[]> {
  const rows = await db.query<KeptEquipment & EquipmentRow>(listEquipmentStatement, [installerId])
  return rows.map((row) => ({
    ...row,
    watts: shortestOrNull(row.watts),
    efficiencyPercent: shortestOrNull(row.efficiencyPercent),
    ratedOutputWatts: shortestOrNull(row.ratedOutputWatts),
    capacityKwh: shortestOrNull(row.capacityKwh),
    continuousOutputWatts: shortestOrNull(row.continuousOutputWatts),
  })) as KeptEquipment[]
}

const updateAdderStatement: Statement = {
  name: 'update-adder',
  text: `update adders set name = $3, description = $4, product_line = $5, product_kind = $6, unit = $7, unit_price = $8,
      tiered = $9, tiers = $10, rep_sponsored = $11, show_on_proposal = $12, brand = $13, model = $14,
      warranty_years = $15, active = $16, rendering = $17, version = version + 1
    where installer_id = $1 and id = $2`,
}

export async function updateAdder(tx: Db, installerId: string, adder: KeptAdder): Promise<void> {
  await tx.query(updateAdderStatement, [
    installerId,
    adder.id,
    ...adderValues(adder),
    adder.active,
    renderAdder(adder),
  ])
}

const updateEquipmentStatement: Statement = {
  name: 'update-equipment',
  text: `update equipment set manufacturer = $3, model = $4, is_default = $5, watts = $6, efficiency_percent = $7,
      rated_output_watts = $8, microinverter = $9, capacity_kwh = $10, continuous_output_watts = $11,
      warranty_years = $12, active = $13, rendering = $14, version = version + 1
    where installer_id = $1 and id = $2`,
}

export async function updateEquipment(tx: Db, installerId: string, item: KeptEquipment): Promise<void> {
  await tx.query(updateEquipmentStatement, [
    installerId,
    item.id,
    ...equipmentValues(item),
    item.active,
    renderEquipment(item),
  ])
}

const placeAddersStatement: Statement = {
  name: 'place-adders',
  text: `update adders a set position = o.position
    from unnest($2::text[]) with ordinality as o(id, position)
    where a.installer_id = $1 and a.id = o.id and a.position <> o.position`,
}

export async function placeAdders(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  await tx.query(placeAddersStatement, [installerId, ids])
}

const placeEquipmentStatement: Statement = {
  name: 'place-equipment',
  text: `update equipment e set position = o.position
    from unnest($2::text[]) with ordinality as o(id, position)
    where e.installer_id = $1 and e.id = o.id and e.position <> o.position`,
}

export async function placeEquipment(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  await tx.query(placeEquipmentStatement, [installerId, ids])
}
