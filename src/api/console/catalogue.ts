import type { TSchema } from 'typebox'
import { addItem } from '../../domain/catalogue/add-item.ts'
import type { Adder } from '../../domain/catalogue/adder.ts'
import { adderSection } from '../../domain/catalogue/adder-section.ts'
import type { EquipmentKind } from '../../domain/catalogue/equipment.ts'
import { equipmentSection } from '../../domain/catalogue/equipment-section.ts'
import { exportTable } from '../../domain/catalogue/export-table.ts'
import { checkTable, importTable } from '../../domain/catalogue/import-table.ts'
import { orderItems } from '../../domain/catalogue/order-items.ts'
import type { PlannedRow, RowOutcome, TablePlan } from '../../domain/catalogue/plan-table.ts'
import type { CatalogueItem, CatalogueSection } from '../../domain/catalogue/section.ts'
import { listSectionItems } from '../../domain/catalogue/section.ts'
import { updateItem } from '../../domain/catalogue/update-item.ts'
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
  sectionRoutes(app, deps, '/adders', adderSection, { add: NewAdderBody, edit: AdderPatchBody })
  sectionRoutes(app, deps, '/equipment', equipmentSection, {
    add: NewEquipmentBody,
    edit: EquipmentPatchBody,
  })
}

function sectionRoutes<T extends CatalogueItem>(
  app: Routes,
  deps: Deps,
  path: '/adders' | '/equipment',
  section: CatalogueSection<T>,
  bodies: { add: TSchema; edit: TSchema },
): void {
  app.get(path, async (request, reply) => {
    const items = (await listSectionItems(contextOf(deps, request), section)).map(
      ({ position, ...item }) => item,
    )
    return sendJson(reply, JSON.stringify({ items }))
  })

  app.post(path, { schema: { body: bodies.add } }, async (request, reply) => {
    const id = await addItem(contextOf(deps, request), section, exact<T>(request.body as object))
    return sendJson(reply.code(201), JSON.stringify({ id }))
  })

  app.patch<{ Params: { id: string }; Body: { version: number } }>(
    `${path}/:id`,
    { schema: { params: IdParams, body: bodies.edit } },
    async (request, reply) => {
      const { version, ...patch } = request.body
      const ctx = contextOf(deps, request)
      await updateItem(ctx, section, request.params.id, version, exact<T>(patch))
      return sendJson(reply, '{}')
    },
  )

  app.put(`${path}/order`, { schema: { body: ItemOrderBody } }, async (request, reply) => {
    const { before, after } = request.body
    await orderItems(contextOf(deps, request), section, before, after)
    return sendJson(reply, '{}')
  })

  app.get(`${path}.csv`, async (request, reply) => {
    const csv = await exportTable(contextOf(deps, request), section)
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${path.slice(1)}.csv"`)
      .send(csv)
  })

  app.post(`${path}/check`, { schema: { body: TableBody } }, async (request, reply) => {
    const plan = await checkTable(contextOf(deps, request), section, request.body.csv)
    return sendJson(reply, JSON.stringify(planResponse(plan)))
  })

  app.post(`${path}/import`, { schema: { body: ImportTableBody } }, async (request, reply) => {
    const { csv, stamp } = request.body
    const plan = await importTable(contextOf(deps, request), section, csv, stamp)
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
