import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { type Context, scopeOf } from '../../domain/kernel/context.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import {
  type AlertRecord,
  alertRecord,
  alertStatuses,
  alertTypes,
  severities,
} from '../../domain/sites/alerts/alert.ts'
import { acknowledgeAlert, resolveAlert } from '../../domain/sites/alerts/handle-alert.ts'
import {
  alertList,
  alertsOfInstallation,
  changedAlerts,
  findAlert,
} from '../../domain/sites/alerts/queries.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendRecord } from '../http/etag.ts'
import { Answer, NoBody, NoQuery, oneOf, orNull, text, timestamp } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { exampleIds } from './example-ids.ts'
import { changesSchema } from './paging.ts'
import { changeFields, ofInstallation, sendList } from './record-lists.ts'

const tags = ['Monitoring']

const example: AlertRecord = {
  id: exampleIds.alert,
  type: 'underperformance',
  severity: 'medium',
  status: 'active',
  installation_id: exampleIds.installation,
  panel_id: exampleIds.panel,
  members: [exampleIds.panel],
  title: 'Panel 7: output 40% below normal',
  description:
    'Since Oct 28, 2026, Panel 7 of Ada Moreno has produced 40% less than its siblings’ output suggests.',
  recommended_action:
    'Look for dirt, new shade and damage on the panel; clean it, then check its connectors and bypass diodes.',
  triggered_at: '2026-10-31T07:15:00.000Z',
  acknowledged_at: null,
  resolved_at: null,
  updated_at: '2026-10-31T07:15:00.004Z',
}

const Alert = Answer(
  {
    id: text('The alert’s id'),
    type: oneOf(alertTypes, {
      description:
        '`outage`: reports that nothing is made while there is sun; `underperformance`: makes less than siblings and past lead to expect; `data_gap`: does not report; `anomaly`: its readings cannot be right, so that its siblings are judged without it',
    }),
    severity: oneOf(severities, { description: 'May rise while the alert is open' }),
    status: oneOf(alertStatuses, {
      description: 'active → acknowledged → resolved, or active → resolved; what recurs is a new alert',
    }),
    installation_id: text('The installation that it is about'),
    panel_id: orNull(text(), 'Null where it is about several panels or the whole installation'),
    members: Type.Array(text('A panel’s id'), {
      description:
        'The panels that it is about: one, or those whose fault has the same cause, which may become more while it is open. Empty where it is the whole installation',
    }),
    title: text('What is wrong, in a line'),
    description: text('What was seen, and since when'),
    recommended_action: text('What to do about it'),
    triggered_at: timestamp('When it was raised'),
    acknowledged_at: orNull(timestamp(), 'When somebody acknowledged it; null before'),
    resolved_at: orNull(timestamp(), 'When it was resolved; null before'),
    updated_at: timestamp('When it changed last'),
  },
  { $id: 'Alert', description: 'What is wrong with panels.', examples: [example] },
)

export const alertSchemas: readonly TSchema[] = [Alert, changesSchema('AlertList', 'Alert')]

const filter = <T extends string>(values: readonly T[], description: string) =>
  Type.Optional(Type.Unsafe<T>({ type: 'string', enum: [...values], description }))

const AlertQuery = Type.Object(
  {
    ...changeFields,
    status: filter(alertStatuses, 'Only those in this status'),
    severity: filter(severities, 'Only those of this severity'),
    type: filter(alertTypes, 'Only those of this type'),
    installation_id: ofInstallation,
  },
  { additionalProperties: false },
)
type AlertQuery = Static<typeof AlertQuery>

const AlertParams = Type.Object({
  id: Type.String({ description: 'The alert’s id', examples: [example.id] }),
})
const lists = { numbered: alertList, ofInstallation: alertsOfInstallation, changed: changedAlerts }

async function alertOf(ctx: Context, { params }: FastifyRequest): Promise<string | null> {
  const alert = await findAlert(ctx.db, scopeOf(ctx), (params as Static<typeof AlertParams>).id)
  return alert && JSON.stringify(alertRecord(alert))
}

interface Action {
  name: 'acknowledge' | 'resolve'
  summary: string
  description: string
  run: (ctx: Context, id: string) => Promise<AlertRecord>
}

const actions: Action[] = [
  {
    name: 'acknowledge',
    summary: 'Acknowledge an alert',
    description: 'Says that somebody looks after it. Only an active alert can be acknowledged.',
    run: acknowledgeAlert,
  },
  {
    name: 'resolve',
    summary: 'Resolve an alert',
    description:
      'Says that it is mended. An alert whose fault is gone resolves by itself. If the fault is still measured after this, a new alert is opened.',
    run: resolveAlert,
  },
]

export function alertRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: AlertQuery }>(
    '/monitoring/alerts',
    {
      schema: {
        operationId: 'listAlerts',
        tags,
        summary: 'List alerts',
        description:
          'Newest first; with `updated_since` what changed first first. Panels are looked at every 15 minutes and compared with their siblings, their own past and what their neighbourhood’s weather lets them make, so that a cloudy day, a foggy week or snow raises nothing. One cause is one alert, with its members.',
        querystring: AlertQuery,
        response: answers({ 200: ['AlertList', 'A page of alerts'] }, [400, 403, 404]),
      },
    },
    (request, reply) => {
      const { status, severity, type } = request.query
      return sendList(deps, request, reply, lists, { status, severity, type })
    },
  )

  app.get<{ Params: { id: string } }>(
    '/monitoring/alerts/:id',
    {
      config: { etag: 'read' },
      schema: {
        operationId: 'readAlert',
        tags,
        summary: 'Read an alert',
        params: AlertParams,
        querystring: NoQuery,
        response: answers({ 200: ['Alert', 'The alert'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const alert = await findAlert(deps.db, scopeOf(contextOf(deps, request)), request.params.id)
      if (!alert) throw notFound('alert')
      return sendRecord(request, reply, JSON.stringify(alertRecord(alert)))
    },
  )

  for (const { name, summary, description, run } of actions) {
    app.post<{ Params: { id: string } }>(
      `/monitoring/alerts/:id/${name}`,
      {
        config: { matches: alertOf },
        schema: {
          operationId: `${name}Alert`,
          tags,
          summary,
          description,
          params: AlertParams,
          querystring: NoQuery,
          body: NoBody,
          response: answers({ 200: ['Alert', 'The alert as it now reads'] }, [400, 403, 404]),
        },
      },
      async (request, reply) =>
        sendJson(reply, JSON.stringify(await run(contextOf(deps, request), request.params.id))),
    )
  }
}
