import type { TSchema } from 'typebox'
import { addItem } from '../../domain/catalogue/add-item.ts'
import type { Adder } from '../../domain/catalogue/adder.ts'
import { adderShelf } from '../../domain/catalogue/adder-shelf.ts'
import { editItem } from '../../domain/catalogue/edit-item.ts'
import type { EquipmentKind } from '../../domain/catalogue/equipment.ts'
import { equipmentShelf } from '../../domain/catalogue/equipment-shelf.ts'
import { exportTable } from '../../domain/catalogue/export-table.ts'
import { checkTable, importTable } from '../../domain/catalogue/import-table.ts'
import { orderItems } from '../../domain/catalogue/order-items.ts'
import type { PlannedRow, RowOutcome, TablePlan } from '../../domain/catalogue/plan-table.ts'
import type { Kept, Shelf } from '../../domain/catalogue/shelf.ts'
import { readShelf } from '../../domain/catalogue/shelf.ts'
import { shortest } from '../../domain/kernel/money.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import {
  AdderPatchBody,
  EquipmentPatchBody,
  ImportTableBody,
  ItemOrderBody,
  NewAdderBody,
  NewEquipmentBody,
  TableBody,
} from './catalogue-requests.ts'
import { contextOf } from './sessions.ts'

export type AdderSettingResponse = Adder & { active: boolean; version: number }

/** Null where something is not known, or nothing of its kind has it. */
export interface EquipmentSettingResponse {
  id: string
  kind: EquipmentKind
  manufacturer: string
  model: string | null
  default: boolean
  watts: string | null
  efficiencyPercent: string | null
  ratedOutputWatts: string | null
  microinverter: boolean | null
  capacityKwh: string | null
  continuousOutputWatts: string | null
  warrantyYears: number | null
  active: boolean
  version: number
}

export interface ItemsResponse<T> {
  items: T[]
}

export interface TablePlanResponse {
  rows: Omit<PlannedRow<unknown>, 'before' | 'after'>[]
  counts: Record<RowOutcome, number>
  unknownColumns: string[]
  stamp: string
}

/** The installer's catalogue. */
export function catalogueSettingRoutes(app: Routes, deps: Deps): void {
  shelfRoutes(app, deps, '/adders', adderShelf, { add: NewAdderBody, edit: AdderPatchBody })
  shelfRoutes(app, deps, '/equipment', equipmentShelf, { add: NewEquipmentBody, edit: EquipmentPatchBody })
}

function shelfRoutes<T extends Kept>(
  app: Routes,
  deps: Deps,
  path: '/adders' | '/equipment',
  shelf: Shelf<T>,
  bodies: { add: TSchema; edit: TSchema },
): void {
  app.get(path, async (request, reply) => {
    const items = (await readShelf(contextOf(deps, request), shelf)).map(({ position, ...item }) => item)
    return sendJson(reply, JSON.stringify({ items }))
  })

  app.post(path, { schema: { body: bodies.add } }, async (request, reply) => {
    const id = await addItem(contextOf(deps, request), shelf, exact<T>(request.body as object))
    return sendJson(reply.code(201), JSON.stringify({ id }))
  })

  app.patch<{ Params: { id: string }; Body: { version: number } }>(
    `${path}/:id`,
    { schema: { params: IdParams, body: bodies.edit } },
    async (request, reply) => {
      const { version, ...patch } = request.body
      const ctx = contextOf(deps, request)
      await editItem(ctx, shelf, request.params.id, version, exact<T>(patch))
      return sendJson(reply, '{}')
    },
  )

  app.put(`${path}/order`, { schema: { body: ItemOrderBody } }, async (request, reply) => {
    const { before, after } = request.body
    await orderItems(contextOf(deps, request), shelf, before, after)
    return sendJson(reply, '{}')
  })

  app.get(`${path}.csv`, async (request, reply) => {
    const csv = await exportTable(contextOf(deps, request), shelf)
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${path.slice(1)}.csv"`)
      .send(csv)
  })

  app.post(`${path}/check`, { schema: { body: TableBody } }, async (request, reply) => {
    const plan = await checkTable(contextOf(deps, request), shelf, request.body.csv)
    return sendJson(reply, JSON.stringify(planResponse(plan)))
  })

  app.post(`${path}/import`, { schema: { body: ImportTableBody } }, async (request, reply) => {
    const { csv, stamp } = request.body
    const plan = await importTable(contextOf(deps, request), shelf, csv, stamp)
    return sendJson(reply, JSON.stringify(planResponse(plan)))
  })
}

const decimals = [
  ...['unitPrice', 'from', 'watts', 'efficiencyPercent'],
  ...['ratedOutputWatts', 'capacityKwh', 'continuousOutputWatts'],
]

/** With every decimal in its shortest form: 35.50 and 35.5 are the same price. */
function exact<T>(body: object): Partial<T> {
  return JSON.parse(JSON.stringify(body), (name, value) =>
    decimals.includes(name) && typeof value === 'string' ? shortest(value) : value,
  )
}

function planResponse<T>({ rows, unknownColumns, stamp }: TablePlan<T>): TablePlanResponse {
  const counts: Record<RowOutcome, number> = { made: 0, changed: 0, unchanged: 0, refused: 0 }
  for (const { outcome } of rows) counts[outcome]++
  return { rows: rows.map(({ before, after, ...row }) => row), counts, unknownColumns, stamp }
}
