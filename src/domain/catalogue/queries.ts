import type { Db, Statement } from '../../platform/db.ts'
import type { ProductLine } from '../kernel/tenant/stage.ts'
import { type Adder, renderAdder } from './adder.ts'
import { type Equipment, type EquipmentKind, renderEquipment } from './equipment.ts'

const insertAdderStatement: Statement = {
  name: 'insert-adder',
  text: `insert into adders (installer_id, id, position, name, description, product_line, product_kind, unit, unit_price,
      tiered, tiers, rep_sponsored, show_on_proposal, brand, model, warranty_years, active, rendering)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
}

export async function insertAdder(
  db: Db,
  installerId: string,
  position: number,
  adder: Adder,
  active = true,
): Promise<void> {
  await db.query(insertAdderStatement, [
    installerId,
    adder.id,
    position,
    ...adderValues(adder),
    active,
    renderAdder(adder),
  ])
}

/** In the order in which the statements that write an adder name its columns. */
export const adderValues = (adder: Adder) => [
  adder.name,
  adder.description,
  adder.productLine,
  adder.productKind,
  adder.unit,
  adder.unitPrice,
  adder.tiered,
  JSON.stringify(adder.tiers),
  adder.repSponsored,
  adder.showOnProposal,
  adder.brand,
  adder.model,
  adder.warrantyYears,
]

const insertEquipmentStatement: Statement = {
  name: 'insert-equipment',
  text: `insert into equipment (installer_id, id, position, kind, manufacturer, model, is_default, watts, efficiency_percent,
      rated_output_watts, microinverter, capacity_kwh, continuous_output_watts, warranty_years, active, rendering)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
}

export async function insertEquipment(
  db: Db,
  installerId: string,
  position: number,
  item: Equipment,
  active = true,
): Promise<void> {
  await db.query(insertEquipmentStatement, [
    installerId,
    item.id,
    position,
    item.kind,
    ...equipmentValues(item),
    active,
    renderEquipment(item),
  ])
}

/** In the order in which the statements that write equipment name its columns. */
export const equipmentValues = (item: Equipment) => [
  item.manufacturer,
  item.model,
  item.default,
  item.kind === 'panel' ? item.watts : null,
  item.kind === 'battery' ? null : item.efficiencyPercent,
  item.kind === 'inverter' ? item.ratedOutputWatts : null,
  item.kind === 'inverter' ? item.microinverter : null,
  item.kind === 'battery' ? item.capacityKwh : null,
  item.kind === 'battery' ? item.continuousOutputWatts : null,
  item.warrantyYears,
]

const listAddersStatement: Statement = {
  name: 'list-adders',
  text: `select string_agg(rendering, ',' order by position, id) as rows from adders where installer_id = $1 and active`,
}

/** The active adders in the installer's own order, rendered and joined by commas. */
export async function listAdders(db: Db, installerId: string): Promise<string> {
  const [row] = await db.query<{ rows: string | null }>(listAddersStatement, [installerId])
  return row?.rows ?? ''
}

const listEquipmentStatement: Statement = {
  name: 'list-equipment',
  text: `select string_agg(rendering, ',' order by array_position(array['panel', 'inverter', 'battery'], kind), position, id) as rows
    from equipment where installer_id = $1 and active and ($2::text is null or kind = $2)`,
}

/** The active equipment, of one kind or all, rendered and joined by commas. */
export async function listEquipment(
  db: Db,
  installerId: string,
  kind: EquipmentKind | null,
): Promise<string> {
  const [row] = await db.query<{ rows: string | null }>(listEquipmentStatement, [installerId, kind])
  return row?.rows ?? ''
}

export const adderFields = `id, name, description, product_line as "productLine", product_kind as "productKind", unit,
      unit_price as "unitPrice", tiered, tiers, rep_sponsored as "repSponsored", show_on_proposal as "showOnProposal",
      brand, model, warranty_years as "warrantyYears"`
export const equipmentFields = `id, kind, manufacturer, model, is_default as "default", watts,
      efficiency_percent as "efficiencyPercent", rated_output_watts as "ratedOutputWatts", microinverter,
      capacity_kwh as "capacityKwh", continuous_output_watts as "continuousOutputWatts",
      warranty_years as "warrantyYears"`

const findAddersStatement: Statement = {
  name: 'find-adders',
  text: `select ${adderFields} from adders
    where installer_id = $1 and active and product_line = $2 order by position, id`,
}

/** The active adders of a product line, in the installer's own order. */
export function findAdders(db: Db, installerId: string, productLine: ProductLine): Promise<Adder[]> {
  return db.query<Adder>(findAddersStatement, [installerId, productLine])
}

const findEquipmentStatement: Statement = {
  name: 'find-equipment',
  text: `select ${equipmentFields} from equipment where installer_id = $1 and active and id = any($2)`,
}

/** The active equipment that has one of these ids. */
export function findEquipment(db: Db, installerId: string, ids: readonly string[]): Promise<Equipment[]> {
  return db.query<Equipment>(findEquipmentStatement, [installerId, ids])
}

const adderRenderingsStatement: Statement = {
  name: 'adder-renderings',
  text: `select ${adderFields}, rendering
    from adders where installer_id = $1 order by id`,
}

const equipmentRenderingsStatement: Statement = {
  name: 'equipment-renderings',
  text: `select ${equipmentFields}, rendering
    from equipment where installer_id = $1 order by id`,
}

const saveAdderRendering: Statement = {
  name: 'save-adder-rendering',
  text: 'update adders set rendering = $3 where installer_id = $1 and id = $2',
}

const saveEquipmentRendering: Statement = {
  name: 'save-equipment-rendering',
  text: 'update equipment set rendering = $3 where installer_id = $1 and id = $2',
}

/** Finds what is not stored as it would be rendered now; with `mend`, renders it anew. */
export async function checkCatalogueRenderings(
  db: Db,
  installerId: string,
  mend: boolean,
): Promise<{ checked: number; stale: string[] }> {
  const adders = await db.query<Adder & { rendering: string }>(adderRenderingsStatement, [installerId])
  const items = await db.query<Equipment & { rendering: string }>(equipmentRenderingsStatement, [installerId])
  const staleAdders = adders.filter((adder) => renderAdder(adder) !== adder.rendering)
  const staleItems = items.filter((item) => renderEquipment(item) !== item.rendering)
  if (mend) {
    for (const adder of staleAdders)
      await db.query(saveAdderRendering, [installerId, adder.id, renderAdder(adder)])
    for (const item of staleItems)
      await db.query(saveEquipmentRendering, [installerId, item.id, renderEquipment(item)])
  }
  return {
    checked: adders.length + items.length,
    stale: [...staleAdders, ...staleItems].map(({ id }) => id),
  }
}
