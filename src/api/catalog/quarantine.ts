import type { FastifyInstance } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { decideQuarantined, type QuarantineDecision } from '../../domain/sites/energy/decide-quarantined.ts'
import { kwhText } from '../../domain/sites/energy/energy.ts'
import { type Quarantined, quarantineList } from '../../domain/sites/energy/quarantine-queries.ts'
import { findInstallationOwner } from '../../domain/sites/installations/queries.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { Answer, NoBody, NoQuery, number, text, timestamp } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { exampleIds } from './example-ids.ts'
import { listBody, listSchema, pageFields, pageWanted } from './paging.ts'

const tags = ['Monitoring']
const closed = { additionalProperties: false }

const example = {
  id: exampleIds.reading,
  panel_id: exampleIds.panel,
  installation_id: exampleIds.installation,
  timestamp: '2026-06-15T18:00:00.000Z',
  kwh: 314,
  most_kwh: 0.546,
  interval_seconds: 3600,
  received_at: '2026-06-15T19:00:04.120Z',
}

const QuarantinedReading = Answer(
  {
    id: text('The quarantined reading’s id'),
    panel_id: text('The panel that it was sent for'),
    installation_id: text('The installation of the panel'),
    timestamp: timestamp('The time that it is of'),
    kwh: number('As it was sent'),
    most_kwh: number('What the panel could have made at most: its capacity × 1.3 × the interval'),
    interval_seconds: number('Since the reading before it, a day at most'),
    received_at: timestamp('When it came'),
  },
  {
    $id: 'QuarantinedReading',
    description: 'A reading that its panel cannot have made.',
    examples: [example],
  },
)

export const quarantineSchemas: readonly TSchema[] = [
  QuarantinedReading,
  listSchema('QuarantinePage', 'QuarantinedReading'),
]

const QuarantineQuery = Type.Object(
  {
    ...pageFields,
    installation_id: Type.Optional(Type.String({ description: 'Those of one installation' })),
  },
  closed,
)
type QuarantineQuery = Static<typeof QuarantineQuery>

const Params = Type.Object({
  id: Type.String({ description: 'The quarantined reading’s id', examples: [example.id] }),
})

const actions: { name: QuarantineDecision; summary: string; description: string }[] = [
  {
    name: 'release',
    summary: 'Let a quarantined reading count',
    description:
      'It is right after all: it takes the place of what counts at its time, and moves every total.',
  },
  {
    name: 'drop',
    summary: 'Drop a quarantined reading',
    description:
      'It is wrong: it is gone, and sending the same again does not bring it back. What counts at its time stays.',
  },
]

/** Readings that no panel of that capacity can make: listed, released and dropped. */
export function quarantineRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: QuarantineQuery }>(
    '/monitoring/quarantine',
    {
      schema: {
        operationId: 'listQuarantine',
        tags,
        summary: 'List quarantined readings',
        description: 'Those that wait to be released, dropped or replaced; what came last first.',
        querystring: QuarantineQuery,
        response: answers({ 200: ['QuarantinePage', 'A page of readings'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { installation_id, ...query } = request.query
      const page = pageWanted(query)
      const scope = scopeOf(contextOf(deps, request))
      if (
        installation_id !== undefined &&
        (await findInstallationOwner(deps.db, scope, installation_id)) === null
      )
        throw notFound('installation')
      const { records, total } = await deps.numberedPage(
        deps.db,
        quarantineList,
        scope,
        { installationId: installation_id },
        page,
      )
      return sendJson(reply, listBody(page, records, total))
    },
  )

  for (const { name, summary, description } of actions) {
    app.post<{ Params: { id: string } }>(
      `/monitoring/quarantine/:id/${name}`,
      {
        schema: {
          operationId: `${name}QuarantinedReading`,
          tags,
          summary,
          description,
          params: Params,
          querystring: NoQuery,
          body: NoBody,
          response: answers({ 200: ['QuarantinedReading', 'As it was kept'] }, [400, 403, 404]),
        },
      },
      async (request, reply) => {
        const [decided] = await decideQuarantined(contextOf(deps, request), [request.params.id], name)
        return sendJson(reply, quarantinedRecord(decided!))
      },
    )
  }
}

/** As the list has it. Decimals are written as they are. */
function quarantinedRecord(reading: Quarantined): string {
  const { id, panelId, installationId, at, microkwh, mostMicrokwh, intervalMs, receivedAt } = reading
  return `{"id":"${id}","panel_id":"${panelId}","installation_id":"${installationId}","timestamp":"${at.toISOString()}","kwh":${kwhText(microkwh)},"most_kwh":${kwhText(mostMicrokwh)},"interval_seconds":${intervalMs / 1000},"received_at":"${receivedAt.toISOString()}"}`
}
