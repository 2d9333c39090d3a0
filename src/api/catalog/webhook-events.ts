import Type, { type TSchema } from 'typebox'
import { type EventName, eventNames } from '../../domain/journal/events/event-names.ts'
import { Answer, ref, timestamp } from '../http/schema-words.ts'

const descriptions: Record<EventName, [summary: string, data: string]> = {
  'lead.created': ['A lead was created', 'The lead as `GET /v1/leads/{id}` reads it'],
  'lead.updated': [
    'A lead was changed',
    'The lead as `GET /v1/leads/{id}` reads it; with `erased: true` where its customer was erased: forget them too',
  ],
  'project.created': ['A lead was sold', 'The project as `GET /v1/projects/{id}` reads it'],
  'project.updated': [
    'A project was changed',
    'The project as `GET /v1/projects/{id}` reads it; with `erased: true` where its customer was erased',
  ],
  'project.stage_changed': [
    'A project entered another stage',
    'The project as `GET /v1/projects/{id}` reads it',
  ],
  'project.deleted': ['A sale was undone right after it was made', 'The project as it was'],
  'note.created': [
    'A note was written on a lead or project',
    'The note as `GET /v1/leads/{id}/activities` reads it, with `leadId` and `projectId`. An internal one is told to the company alone that wrote it',
  ],
  'message.queued': [
    'A message to the customer was queued, as a project entered a stage',
    'The message as `GET /v1/leads/{id}/activities` reads it, with `leadId` and `projectId`',
  ],
  'proposal.opened': [
    'The customer opened the proposal; told once a day',
    'The entry as `GET /v1/leads/{id}/activities` reads it, with `leadId` and `projectId`',
  ],
  'team.alerted': [
    'People were alerted, as a project entered a stage',
    'The entry as `GET /v1/leads/{id}/activities` reads it, with `leadId` and `projectId`',
  ],
  'checklist.updated': [
    'An item of a project’s checklist was done, or is not after all',
    'The entry as `GET /v1/leads/{id}/activities` reads it, with `leadId`, `projectId` and the `item`: `stage`, `label`, `done`',
  ],
  'activity.deleted': [
    'A message to the customer or an alert was taken back, as the move or the sale that had made it was undone',
    'Of which entry: `id`, `leadId`, `projectId`',
  ],
  'file.added': [
    'A file was added to a project',
    'The file: `id`, `name`, `folder`, `url`, `project_id`. Dealers are not told of internal files',
  ],
  'file.deleted': ['A file was removed from a project', 'The file as it was'],
  'panel.created': ['A panel was registered', 'The panel as `GET /panels/{panel_id}` reads it'],
  'panel.updated': ['A panel was changed', 'The panel as `GET /panels/{panel_id}` reads it'],
  'panel.deleted': ['A panel was removed', 'The panel as it was'],
  'installation.created': [
    'An installation was registered, or a project was finished',
    'The installation as `GET /installations/{installation_id}` reads it',
  ],
  'installation.updated': [
    'An installation was changed, or panels were added or removed',
    'The installation as `GET /installations/{installation_id}` reads it',
  ],
  'installation.deleted': [
    'An installation was removed, by a caller or as the move that had made it was undone',
    'The installation as it was',
  ],
  'alert.triggered': ['An alert was raised', 'The alert as `GET /monitoring/alerts/{id}` reads it'],
  'alert.updated': [
    'An alert became more severe, more panels joined it, or the customer that it named was erased',
    'The alert as `GET /monitoring/alerts/{id}` reads it',
  ],
  'alert.acknowledged': ['An alert was acknowledged', 'The alert as `GET /monitoring/alerts/{id}` reads it'],
  'alert.resolved': ['An alert was resolved', 'The alert as `GET /monitoring/alerts/{id}` reads it'],
  'invoice.created': [
    'An invoice was drafted',
    'The invoice as `GET /billing/invoices/{invoice_id}` reads it',
  ],
  'invoice.updated': [
    'A draft was changed, by hand or by the monthly run, or an invoice’s customer was erased',
    'The invoice as `GET /billing/invoices/{invoice_id}` reads it; with `erased: true` where its customer was erased',
  ],
  'invoice.deleted': ['A draft was deleted', 'The invoice as it was'],
  'invoice.finalized': [
    'An invoice was opened',
    'The invoice as `GET /billing/invoices/{invoice_id}` reads it',
  ],
  'invoice.payment_recorded': [
    'A payment was noted, of the whole or of a part',
    'The invoice as `GET /billing/invoices/{invoice_id}` reads it, with the `payment`',
  ],
  'invoice.paid': ['An invoice was paid', 'The invoice as `GET /billing/invoices/{invoice_id}` reads it'],
  'invoice.voided': ['An invoice was voided', 'The invoice as `GET /billing/invoices/{invoice_id}` reads it'],
  'credit.created': [
    'What was paid on a voided invoice became a credit, or was refunded; or a closing invoice left something in the customer’s favour',
    'The credit as `GET /billing/credits/{credit_id}` reads it',
  ],
}

const camelCase = (name: string) =>
  name.replace(/[._](\w)/g, (_whole, letter: string) => letter.toUpperCase())
const schemaName = (name: EventName) => `${name[0]!.toUpperCase()}${camelCase(name).slice(1)}Event`

type Kind<Name> = Name extends `${infer Before}.${string}` ? Before : never

/** What is told of an event, by the beginning of its name. */
const records: Record<Kind<EventName>, string> = {
  lead: 'Lead',
  project: 'Project',
  note: 'ActivityEventData',
  message: 'ActivityEventData',
  proposal: 'ActivityEventData',
  team: 'ActivityEventData',
  checklist: 'ActivityEventData',
  activity: 'WithdrawnEventData',
  file: 'FileEventData',
  panel: 'Panel',
  installation: 'Installation',
  alert: 'Alert',
  invoice: 'Invoice',
  credit: 'Credit',
}

const Snapshot = Answer(
  {
    version: Type.Integer({
      description: 'Grows with every change of the record: drop what is older than you have',
    }),
    previous: Type.Unsafe({
      type: 'object',
      additionalProperties: true,
      description:
        'The fields that this change made otherwise, each as it was; empty where the record is new',
    }),
    erased: Type.Optional(
      Type.Boolean({ description: 'True where the customer was erased: forget them too' }),
    ),
  },
  { $id: 'Snapshot', description: 'What comes with a record that is told of.' },
)

const withPayment = Answer({ payment: ref('Payment') })

const eventSchema = (name: EventName) => {
  const record = records[name.split('.')[0] as Kind<EventName>]
  const parts = [{ $ref: `${record}#` }, { $ref: 'Snapshot#' }]
  return Answer(
    {
      type: Type.Unsafe({ type: 'string', const: name, description: 'What happened' }),
      timestamp: timestamp('When it happened'),
      data: Type.Unsafe({
        description: descriptions[name][1],
        allOf: name === 'invoice.payment_recorded' ? [...parts, withPayment] : parts,
      }),
    },
    { $id: schemaName(name), description: descriptions[name][0] },
  )
}

/** What endpoints are sent, event by event. */
export const eventSchemas: readonly TSchema[] = [Snapshot, ...eventNames.map(eventSchema)]

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const parameters = [
  header('webhook-id', 'The delivery’s id, the same for every attempt: what arrives twice can be told by it'),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; several, separated by spaces, while a secret is rotated',
  ),
]

/** What endpoints are sent, for the description's own section on webhooks. */
export const webhookEvents = Object.fromEntries(
  eventNames.map((name) => {
    const [summary] = descriptions[name]
    const operation = {
      operationId: camelCase(name),
      tags: ['Webhooks'],
      summary,
      description:
        'The record as it was in the transaction of this event, whatever became of it since. What an endpoint is told of one record comes in order, unless a delivery fails; what happens while it is disabled waits for 30 days. Answer 2xx within 15 seconds; redirects are not followed. Otherwise it is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.',
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { $ref: `#/components/schemas/${schemaName(name)}` } },
        },
      },
      responses: {
        '2XX': { description: 'It has arrived' },
        '410': { description: 'The endpoint is no more: it is disabled' },
      },
    }
    return [name, { post: operation }]
  }),
)
