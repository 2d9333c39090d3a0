import type { FastifyInstance } from 'fastify'
import { kwhText } from '../../domain/sites/energy/energy.ts'
import { readReadings } from '../../domain/sites/energy/read-readings.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { instant } from '../http/instant.ts'
import { sendJson } from '../http/send-json.ts'
import { StoredReadingsQuery } from './energy-schemas.ts'
import { createPlaces } from './record-lists.ts'

const defaultPerPage = 1_000

/** Readings as they are kept, back again. */
export function storedReadingRoute(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: StoredReadingsQuery }>(
    '/monitoring/readings',
    {
      schema: {
        operationId: 'listReadings',
        tags: ['Monitoring'],
        summary: 'List readings',
        description:
          'The readings that count, of a panel or of an installation, panel by panel in order of time, each rounded to a millionth of a kWh. What is quarantined is in no total and not here: it is listed under `/monitoring/quarantine`.',
        querystring: StoredReadingsQuery,
        response: answers({ 200: ['StoredReadingPage', 'A page of readings'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { panel_id: panelId, installation_id: installationId, start, end, cursor } = request.query
      const perPage = request.query.per_page ?? defaultPerPage
      const ctx = contextOf(deps, request)
      const asked = [panelId ?? null, installationId ?? null, start, end ?? null, perPage]
      const places = createPlaces(deps, ['readings', ctx.actor.companyId, ...asked])
      const after = cursor === undefined ? null : places.read(cursor)
      const { readings, next } = await readReadings(ctx, {
        panelId,
        installationId,
        from: instant(start),
        until: end === undefined ? ctx.now : instant(end),
        after: after && { panelId: after.id, at: after.at },
        limit: perPage,
      })
      const data = readings.map(
        (one) =>
          `{"panel_id":"${one.panelId}","timestamp":"${new Date(one.at).toISOString()}","kwh":${kwhText(one.microkwh)}}`,
      )
      const place = next && places.write({ id: next.panelId, at: next.at })
      return sendJson(
        reply,
        `{"data":[${data.join(',')}],"meta":{"per_page":${perPage},"next":${JSON.stringify(place)}}}`,
      )
    },
  )
}
