import Type from 'typebox'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { type SortText, sortingOf, sortTexts } from '../../domain/kernel/sorting.ts'
import { type AlertType, alertTypes } from '../../domain/sites/alerts/alert.ts'
import { acknowledgeAlert, resolveAlert } from '../../domain/sites/alerts/handle-alert.ts'
import { type Granularity, granularities } from '../../domain/sites/energy/energy.ts'
import { dayText } from '../../domain/sites/energy/local-time.ts'
import { updateInstallation } from '../../domain/sites/installations/update-installation.ts'
import { type Comparison, comparePanels } from '../../domain/sites/monitoring/compare-panels.ts'
import {
  type FleetPlace,
  type FleetSorting,
  fleetOrders,
} from '../../domain/sites/monitoring/fleet-queries.ts'
import type { Monitored } from '../../domain/sites/monitoring/installation-queries.ts'
import { readAlerts } from '../../domain/sites/monitoring/read-alerts.ts'
import {
  type FleetEntry,
  type FleetSummary,
  readFleet,
  sumFleet,
} from '../../domain/sites/monitoring/read-fleet.ts'
import { readSeries, type Series } from '../../domain/sites/monitoring/read-series.ts'
import { requireInstallation } from '../../domain/sites/monitoring/require-installation.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { Fields, IdParams, nextPage, oneOf, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { type AlertsResponse, alertResponse } from './alert-responses.ts'
import { openPlace, sealedPattern, sealPlace } from './sealed-place.ts'
import { Seen } from './seen.ts'
import { contextOf } from './sessions.ts'

export type FleetSummaryResponse = FleetSummary
export type { Comparison, FleetEntry, Series }

export interface FleetResponse {
  installations: FleetEntry[]
  /** Goes into `after` for the next page, which may be empty and yet have a next; null where these are all. */
  next: string | null
}

export interface InstallationResponse extends Omit<Monitored, 'createdAt' | 'firstDay' | 'lastDay'> {
  createdAt: string
  /** Of readings; null where there never were any. */
  firstDay: string | null
  lastDay: string | null
}

const limit = optional(Type.Integer({ minimum: 1, maximum: 100 }))
const asItIs = 'must be the "next" of the page before, as it is'

const FleetQuery = Fields({
  region: optional(Type.String({ minLength: 1, maxLength: 64 })),
  kind: optional(oneOf<AlertType>(alertTypes)),
  search: optional(Type.String({ minLength: 1, maxLength: 100 })),
  sort: optional(
    Type.Unsafe<SortText<FleetSorting['by']>>({
      type: 'string',
      enum: sortTexts(fleetOrders).filter((sort) => sort !== 'trouble-reversed'),
    }),
  ),
  after: nextPage(`^((\\d-\\d{1,6}-)?inst_[0-9a-z]{10,40}~.{1,300}|${sealedPattern})$`),
  limit,
})

/** As the catalogue API takes them. */
const InstallationPatch = Type.Partial(
  Type.Object({
    seen: Seen,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    address: Type.String({ minLength: 1, maxLength: 500 }),
    region: Type.String({ minLength: 1, maxLength: 16 }),
    timezone: Type.String({ minLength: 1, maxLength: 64 }),
  }),
  { additionalProperties: false, minProperties: 1 },
)

const day = Type.String({ format: 'date', 'x-message': 'must be a day such as 2026-03-01' })
const SeriesQuery = Fields({
  from: day,
  to: day,
  by: oneOf<Granularity>(granularities),
  compare: optional(Type.Literal('year')),
})

const PanelsQuery = Fields({ from: day, to: day })

const AlertsQuery = Fields({
  after: nextPage('^\\d{1,13}-alrt_[0-9a-z]{10,40}$'),
  limit,
})

const fleetPage = 30
const alertPage = 20

/** Installations, what they make and what is wrong with them: the company's, or those of the projects one is on. */
export function monitoringRoutes(app: Routes, deps: Deps): void {
  app.get('/monitoring', { schema: { querystring: FleetQuery } }, async (request, reply) => {
    const { sort = 'trouble', after, limit = fleetPage, ...filters } = request.query
    const ctx = contextOf(deps, request)
    const { installations, next, reached } = await readFleet(ctx, {
      ...filters,
      sorting: sortingOf(sort),
      after: after === undefined ? null : placeOf(openPlace(deps, ctx, 'fleet', after), sortingOf(sort)),
      limit,
    })
    const end = reached && sealPlace(deps, ctx, 'fleet', placeText(reached))
    const response: FleetResponse = { installations, next: next ? placeText(next) : end }
    return sendJson(reply, JSON.stringify(response))
  })

  app.get('/monitoring/summary', async (request, reply) =>
    sendJson(reply, JSON.stringify(await sumFleet(contextOf(deps, request)))),
  )

  app.get('/monitoring/:id', byId, async (request, reply) => {
    const found = await requireInstallation(contextOf(deps, request), request.params.id)
    return sendJson(reply, JSON.stringify(installationResponse(found)))
  })

  app.patch(
    '/monitoring/:id',
    { schema: { params: IdParams, body: InstallationPatch } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const { seen, ...patch } = request.body
      // Who sees only their own is told of no other that it is there.
      const { id } = await requireInstallation(ctx, request.params.id)
      await updateInstallation(ctx, id, patch, seen)
      return sendJson(reply, '{}')
    },
  )

  app.get(
    '/monitoring/:id/energy',
    { schema: { params: IdParams, querystring: SeriesQuery } },
    async (request, reply) => {
      const { from, to, by, compare } = request.query
      const series: Series = await readSeries(contextOf(deps, request), request.params.id, {
        ...{ from, to, granularity: by, withYearBefore: compare === 'year' },
      })
      return sendJson(reply, JSON.stringify(series))
    },
  )

  app.get(
    '/monitoring/:id/panels',
    { schema: { params: IdParams, querystring: PanelsQuery } },
    async (request, reply) => {
      const comparison = await comparePanels(contextOf(deps, request), request.params.id, request.query)
      return sendJson(reply, JSON.stringify(comparison))
    },
  )

  app.get(
    '/monitoring/:id/alerts',
    { schema: { params: IdParams, querystring: AlertsQuery } },
    async (request, reply) => {
      const { after, limit = alertPage } = request.query
      const [ms, id] = after?.split('-') ?? []
      const found = await readAlerts(contextOf(deps, request), request.params.id, {
        before: id === undefined ? null : { at: new Date(Number(ms)), id },
        limit: limit + 1,
      })
      const resolved = found.resolved.slice(0, limit)
      const last = resolved.at(-1)
      const response: AlertsResponse = {
        open: found.open.map(alertResponse),
        resolved: resolved.map(alertResponse),
        next: found.resolved.length > limit ? `${last!.resolvedAt!.getTime()}-${last!.id}` : null,
      }
      return sendJson(reply, JSON.stringify(response))
    },
  )

  app.post('/alerts/:id/acknowledge', byId, async (request, reply) => {
    await acknowledgeAlert(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })

  app.post('/alerts/:id/resolve', byId, async (request, reply) => {
    await resolveAlert(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })
}

const placeText = ({ id, key, trouble }: FleetPlace) =>
  `${trouble ? `${trouble.worst}-${trouble.silentDays}-` : ''}${id}~${key}`

const sizeForm = /^\d{1,12}(\.\d{1,4})?$/

function placeOf(text: string, { by }: FleetSorting): FleetPlace {
  const end = text.indexOf('~')
  const [head, key] = [text.slice(0, end), text.slice(end + 1)]
  const [worst, silentDays, id] = head.split('-')
  if (by === 'trouble' && id)
    return { id, key, trouble: { worst: Number(worst), silentDays: Number(silentDays) } }
  if (!id && (by === 'name' || (by === 'size' && sizeForm.test(key)))) return { id: head, key }
  throw new DomainError('invalid', `after ${asItIs}.`)
}

function installationResponse({ createdAt, firstDay, lastDay, ...same }: Monitored): InstallationResponse {
  return {
    ...same,
    createdAt: createdAt.toISOString(),
    firstDay: firstDay === null ? null : dayText(firstDay),
    lastDay: lastDay === null ? null : dayText(lastDay),
  }
}
