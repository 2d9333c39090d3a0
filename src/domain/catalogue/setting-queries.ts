import type { Db } from '../../platform/db.ts'
import { boolean, integer, type Row } from '../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../platform/sql/sql.ts'
import { many, run } from '../../platform/sql/statements.ts'
import { shortest, shortestOrNull } from '../kernel/money.ts'
import type { Adder } from './adder.ts'
import type { Equipment } from './equipment.ts'
import { adderRow, adderSelection, equipmentRow, equipmentSelection, kindOrder } from './queries.ts'
import type { CatalogueItem } from './section.ts'

export type StoredAdder = Adder & CatalogueItem
export type StoredEquipment = Equipment & CatalogueItem

const kept = <T extends object>({ columns }: Row<T>): Row<T & CatalogueItem> => ({
  columns: { ...columns, active: boolean, version: integer, position: integer },
})

const keptAdders = many(
  kept(adderRow),
  ($: Params<{ installerId: string }>) => sql`
    select ${adderSelection}, active, version, position
    from adders where installer_id = ${$.installerId} order by position, id`,
)

export async function listAdderSettings(db: Db, installerId: string): Promise<StoredAdder[]> {
  const adders = await keptAdders(db, { installerId })
  return adders.map((adder) => ({
    ...adder,
    unitPrice: shortest(adder.unitPrice),
    tiers: adder.tiers.map(({ from, unitPrice }) => ({
      from: shortest(from),
      unitPrice: shortest(unitPrice),
    })),
  }))
}

const keptEquipment = many(
  kept(equipmentRow),
  ($: Params<{ installerId: string }>) => sql`
    select ${equipmentSelection}, active, version, position
    from equipment where installer_id = ${$.installerId} order by ${kindOrder}, position, id`,
)

type Measures = Record<
  'watts' | 'efficiencyPercent' | 'ratedOutputWatts' | 'capacityKwh' | 'continuousOutputWatts',
  string | null
>

export async function listEquipmentSettings(db: Db, installerId: string): Promise<StoredEquipment[]> {
  const items = (await keptEquipment(db, { installerId })) as (StoredEquipment & Measures)[]
  return items.map((item) => ({
    ...item,
    watts: shortestOrNull(item.watts),
    efficiencyPercent: shortestOrNull(item.efficiencyPercent),
    ratedOutputWatts: shortestOrNull(item.ratedOutputWatts),
    capacityKwh: shortestOrNull(item.capacityKwh),
    continuousOutputWatts: shortestOrNull(item.continuousOutputWatts),
  })) as StoredEquipment[]
}

const place = (table: string) => ($: Params<{ installerId: string; ids: readonly string[] }>) =>
  sql`
  update ${raw(table)} e set position = o.position
  from unnest(${$.ids}::text[]) with ordinality as o(id, position)
  where e.installer_id = ${$.installerId} and e.id = o.id and e.position <> o.position`

export const placeAdders = run(place('adders'))
export const placeEquipment = run(place('equipment'))
