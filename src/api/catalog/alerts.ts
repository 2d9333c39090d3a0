import type { FastifyInstance } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { type Context, scopeOf } from '../../domain/kernel/context.ts'
import { type AlertRecord, alertStatuses, alertTypes, severities } from '../../domain/sites/alerts/alert.ts'
import { acknowledgeAlert, resolveAlert } from '../../domain/sites/alerts/handle-alert.ts'
import { alertList } from '../../domain/sites/alerts/queries.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { Answer, oneOf, orNull, text, timestamp } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { listBody, listSchema, pageFields, pageWanted } from './paging.ts'

const tags = ['Monitoring']

const example: AlertRecord = {
  id: 'alrt_01jcq5d8m0b6x7v2k9fz3h4t1w',
  type: 'underperformance',
  severity: 'medium',
  status: 'active',
  installation_id: 'inst_01jcq5d8m0b6x7v2k9fz3h4t1w',
  panel_id: 'pnl_01jcq5d8m0b6x7v2k9fz3h4t1w',
  members: ['pnl_01jcq5d8m0b6x7v2k9fz3h4t1w'],
  title: 'Panel 7: output 40% below normal',
  description:
    'Since Oct 28, 2026, Panel 7 of Ada Moreno has produced 40% less than its siblings’ output suggests.',
  recommended_action:
    'Look for dirt, new shade and damage on the panel; clean it, then check its connectors and bypass diodes.',
  triggered_at: '2026-10-31T07:15:00.000Z',
  acknowledged_at: null,
  resolved_at: null,
}

const Alert = Answer(
  {
    id: text(),
    type: oneOf(alertTypes, {
      description:
        '`outage`: reports that nothing is made while there is sun; `underperformance`: makes less than siblings and past lead to expect; `data_gap`: does not report; `anomaly`: its readings cannot be right, so that its siblings are judged without it',
    }),
    severity: oneOf(severities, { description: 'May rise while the alert is open' }),
    status: oneOf(alertStatuses),
    installation_id: text(),
    panel_id: orNull(text(), 'Null where it is about several panels or the whole installation'),
    members: Type.Array(text(), {
      description:
        'The panels that it is about: one, or those whose fault has the same cause, which may become more while it is open. Empty where it is the whole installation',
    }),
    title: text(),
    description: text('What was seen, and since when'),
    recommended_action: text('What to do about it'),
    triggered_at: timestamp(),
    acknowledged_at: orNull(timestamp()),
    resolved_at: orNull(timestamp()),
  },
  { $id: 'Alert', examples: [example] },
)

export const alertSchemas: readonly TSchema[] = [Alert, listSchema('AlertList', 'Alert')]

const filter = <T extends string>(values: readonly T[], description: string) =>
  Type.Optional(Type.Unsafe<T>({ type: 'string', enum: [...values], description }))

const AlertQuery = Type.Object(
  {
    ...pageFields,
    status: filter(alertStatuses, 'All when absent'),
    severity: filter(severities, 'All when absent'),
    type: filter(alertTypes, 'All when absent'),
  },
  { additionalProperties: false },
)
type AlertQuery = Static<typeof AlertQuery>

const NoQuery = Type.Object({}, { additionalProperties: false })
const NoBody = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {},
  additionalProperties: false,
  description: 'Takes no fields',
})
const AlertParams = Type.Object({ id: Type.String({ examples: [example.id] }) })

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
          'Newest first. Panels are looked at every 15 minutes and compared with their siblings, their own past and what their neighbourhood’s weather lets them make, so that a cloudy day, a foggy week or snow raises nothing. One cause is one alert, with its members.',
        querystring: AlertQuery,
        response: answers({ 200: ['AlertList', 'A page of alerts'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const { status, severity, type, ...asked } = request.query
      const page = pageWanted(asked)
      const scope = scopeOf(contextOf(deps, request))
      const { records, total } = await deps.numberedPage(
        deps.db,
        alertList,
        scope,
        { status, severity, type },
        page,
      )
      return sendJson(reply, listBody(page, records, total))
    },
  )

  for (const { name, summary, description, run } of actions) {
    app.post<{ Params: { id: string } }>(
      `/monitoring/alerts/:id/${name}`,
      {
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
