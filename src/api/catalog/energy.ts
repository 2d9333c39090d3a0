import type { FastifyInstance } from 'fastify'
import type { Energy, Granularity } from '../../domain/sites/energy/energy.ts'
import { readEnergy } from '../../domain/sites/energy/read-energy.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendJson } from '../http/send-json.ts'
import { EnergyQuery } from './energy-schemas.ts'
import { readingRoutes } from './readings.ts'
import { storedReadingRoute } from './stored-readings.ts'

export { energySchemas } from './energy-schemas.ts'

export function energyRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: EnergyQuery }>(
    '/monitoring/energy',
    {
      schema: {
        operationId: 'readEnergy',
        tags: ['Monitoring'],
        summary: 'Read the energy made',
        description:
          'By one panel, by an installation, or by all that the key reaches, in buckets of the local clock: days of 23 and 25 hours are right, and an hour that the clock shows twice is there twice, with its offsets. Where a clock changes by half an hour, the hour in which it does is shorter or longer.',
        querystring: EnergyQuery,
        response: answers({ 200: ['Energy', 'What was made'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { panel_id, installation_id, start_date, end_date, granularity = 'daily' } = request.query
      const energy = await readEnergy(contextOf(deps, request), {
        panelId: panel_id,
        installationId: installation_id,
        startDate: start_date,
        endDate: end_date,
        granularity: granularity as Granularity,
      })
      return sendJson(reply, energyBody(energy))
    },
  )
  readingRoutes(app, deps)
  storedReadingRoute(app, deps)
}

/** Decimals are written as they are: as binary fractions they would not be exact. */
function energyBody({ buckets, totalKwh, averageDailyKwh, completenessPercent }: Energy): string {
  const data = buckets.map(({ timestamp, kwh }) => `{"timestamp":"${timestamp}","kwh":${kwh}}`)
  return `{"data":[${data.join(',')}],"summary":{"total_kwh":${totalKwh},"average_daily_kwh":${averageDailyKwh},"completeness_percent":${completenessPercent}}}`
}
