import Type from 'typebox'
import {
  decideQuarantined,
  decisions,
  maxDecided,
  type QuarantineDecision,
} from '../../domain/sites/energy/decide-quarantined.ts'
import type { Quarantined } from '../../domain/sites/energy/quarantine-queries.ts'
import { readQuarantine } from '../../domain/sites/energy/read-quarantine.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { Fields, limitTo, nextPage, oneOf, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

export type { QuarantineDecision }

export interface QuarantinedResponse
  extends Pick<
    Quarantined,
    'id' | 'installationId' | 'installationName' | 'timezone' | 'panelId' | 'panelName'
  > {
  at: string
  receivedAt: string
  kwh: number
  maxKwh: number
  intervalMinutes: number
  capacityKw: number
  /** What counts at its time; null where nothing does. */
  standingKwh: number | null
}

export interface QuarantineResponse {
  readings: QuarantinedResponse[]
  /** Of all that wait. */
  total: number
  next: string | null
}

const QuarantineQuery = Fields({
  installation: optional(Type.String({ minLength: 1, maxLength: 64 })),
  after: nextPage('^qrd_[0-9a-z]{10,40}$'),
  limit: limitTo(100),
})

const DecisionBody = Fields({
  ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: maxDecided }),
  decision: oneOf<QuarantineDecision>(decisions),
})

const pageSize = 50

/** Readings that are more than their panels can make, and what becomes of them. */
export function quarantineRoutes(app: Routes, deps: Deps): void {
  app.get('/quarantine', { schema: { querystring: QuarantineQuery } }, async (request, reply) => {
    const { installation, after, limit = pageSize } = request.query
    const filter = { installationId: installation, after }
    const found = await readQuarantine(contextOf(deps, request), filter, limit)
    const response: QuarantineResponse = { ...found, readings: found.readings.map(quarantinedResponse) }
    return sendJson(reply, JSON.stringify(response))
  })

  app.post('/quarantine/decisions', { schema: { body: DecisionBody } }, async (request, reply) => {
    const { ids, decision } = request.body
    const decided = await decideQuarantined(contextOf(deps, request), ids, decision)
    return sendJson(reply, JSON.stringify({ decided: decided.length }))
  })
}

const perKwh = 1_000_000
const minuteMs = 60_000

function quarantinedResponse(reading: Quarantined): QuarantinedResponse {
  const { id, installationId, installationName, timezone, panelId, panelName, standingMicrokwh } = reading
  return {
    ...{ id, installationId, installationName, timezone, panelId, panelName },
    at: reading.at.toISOString(),
    receivedAt: reading.receivedAt.toISOString(),
    kwh: reading.microkwh / perKwh,
    maxKwh: reading.mostMicrokwh / perKwh,
    intervalMinutes: reading.intervalMs / minuteMs,
    capacityKw: Number(reading.capacityKw),
    standingKwh: standingMicrokwh === null ? null : standingMicrokwh / perKwh,
  }
}
