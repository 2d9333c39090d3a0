import type { Adder } from '../../domain/catalogue/adder.ts'
import { findAdders, listEquipment } from '../../domain/catalogue/queries.ts'
import type { StageRecipients } from '../../domain/deals/projects/enter-stage.ts'
import type { Financing, System } from '../../domain/deals/projects/project.ts'
import { markAsSold, type PricedSale, priceSale } from '../../domain/deals/sale/mark-as-sold.ts'
import type { SalePrice } from '../../domain/deals/sale/price-items.ts'
import type { SaleLine } from '../../domain/deals/sale/sale-items.ts'
import { prepareSale, SoldAlready } from '../../domain/deals/sale/sell-lead.ts'
import { undoSale } from '../../domain/deals/sale/undo-sale.ts'
import { authorize } from '../../domain/kernel/policy.ts'
import type { ProductLine } from '../../domain/kernel/tenant/stage.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { UndoBody } from './project-requests.ts'
import { CatalogueQuery, PriceBody, SaleBody, termsOf } from './sale-requests.ts'
import { contextOf } from './sessions.ts'

interface EquipmentResponse {
  id: string
  manufacturer: string
  model: string | null
  default: boolean
  warrantyYears: number | null
}

export interface PanelResponse extends EquipmentResponse {
  watts: number
  efficiencyPercent: number | null
}

export interface InverterResponse extends EquipmentResponse {
  ratedOutputWatts: number | null
  microinverter: boolean
}

export interface BatteryResponse extends EquipmentResponse {
  capacityKwh: number | null
  continuousOutputWatts: number | null
}

/** What can be sold: equipment for solar, and adders or products in the installer's own order. */
export interface CatalogueResponse {
  panels: PanelResponse[]
  inverters: InverterResponse[]
  batteries: BatteryResponse[]
  adders: Adder[]
}

/** The lead that is to be sold. */
export interface SaleStart {
  leadId: string
  name: string
  productLine: ProductLine
  /** It is sold already: this is what it became. */
  projectId: string | null
  /** The latest day on which the contract can have been signed. */
  today: string
  /** Who is told of the sale; null where it is sold already. */
  recipients: StageRecipients | null
}

/** What a sale comes to, as far as it is decided. */
export interface PriceResponse extends SalePrice {
  lines: SaleLine[]
  sizeKw: string | null
  annualProductionKwh: string | null
  estimatedKwh: string | null
  pricePerWatt: System['pricePerWatt'] | null
  financing: Financing | null
}

export interface SaleDone {
  projectId: string
  /** Somebody had sold it before: what was sent now was not taken. */
  before: boolean
  /** With what, and until when, the sale can be taken back; null where it was sold before. */
  undo: { moveId: string; until: string } | null
}

/** Mark as sold: what can be sold, what it comes to, and the sale itself. */
export function saleRoutes(app: Routes, deps: Deps): void {
  const { db } = deps

  app.get('/catalogue', { schema: { querystring: CatalogueQuery } }, async (request, reply) => {
    const { actor } = contextOf(deps, request)
    authorize(actor, 'catalogue.read')
    const { installerId } = actor
    const solar = request.query.line === 'solar'
    const [adders, panels, inverters, batteries] = await Promise.all([
      findAdders(db, { installerId, productLine: request.query.line }),
      solar ? listEquipment(db, { installerId, kind: 'panel' }) : '',
      solar ? listEquipment(db, { installerId, kind: 'inverter' }) : '',
      solar ? listEquipment(db, { installerId, kind: 'battery' }) : '',
    ])
    return sendJson(
      reply,
      `{"panels":[${panels}],"inverters":[${inverters}],"batteries":[${batteries}],"adders":${JSON.stringify(adders)}}`,
    )
  })

  app.get('/leads/:id/sale', byId, async (request, reply) => {
    const { lead, today, recipients } = await prepareSale(contextOf(deps, request), request.params.id)
    const { firstName, lastName } = lead.customer
    const start: SaleStart = {
      leadId: lead.id,
      name: [firstName, lastName].filter(Boolean).join(' '),
      productLine: lead.productLine,
      projectId: lead.projectId,
      today,
      recipients,
    }
    return sendJson(reply, JSON.stringify(start))
  })

  app.post(
    '/leads/:id/sale/price',
    { schema: { params: IdParams, body: PriceBody } },
    async (request, reply) => {
      const priced = await priceSale(contextOf(deps, request), request.params.id, termsOf(request.body))
      return sendJson(reply, JSON.stringify(priceResponse(priced)))
    },
  )

  app.post('/leads/:id/sale', { schema: { params: IdParams, body: SaleBody } }, async (request, reply) => {
    const { body } = request
    const { notifyCustomer = true, notifyTeam = true } = body
    const { signedOn, price, notes } = body.contract
    const contract = { signed: signedOn, signedField: 'contract.signedOn', price, notes: notes || null }
    const done: SaleDone = await markAsSold(
      contextOf(deps, request),
      request.params.id,
      termsOf(body),
      contract,
      { notify: { customer: notifyCustomer, team: notifyTeam }, undoable: true },
    )
      .then(({ projectId, undoable }) => ({
        projectId,
        before: false,
        undo: undoable && { moveId: undoable.id, until: undoable.undoUntil.toISOString() },
      }))
      .catch((error) => {
        if (error instanceof SoldAlready) return { projectId: error.projectId, before: true, undo: null }
        throw error
      })
    return sendJson(reply, JSON.stringify(done))
  })

  app.post(
    '/leads/:id/sale/undo',
    { schema: { params: IdParams, body: UndoBody } },
    async (request, reply) => {
      const undone = await undoSale(contextOf(deps, request), request.params.id, request.body.moveId)
      return sendJson(reply, JSON.stringify(undone))
    },
  )
}

export function priceResponse(priced: Omit<PricedSale, 'lead'>): PriceResponse {
  const { base, extras, computed, price, lines, system, estimatedKwh, financing } = priced
  return {
    base,
    extras,
    computed,
    price,
    lines,
    sizeKw: system?.sizeKw ?? null,
    annualProductionKwh: system?.annualProductionKwh ?? null,
    estimatedKwh,
    pricePerWatt: system?.pricePerWatt ?? null,
    financing,
  }
}
