import { type EventName, eventNames } from '../../domain/journal/events/event-names.ts'

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
  'file.added': [
    'A file was added to a project',
    'The file: `id`, `name`, `folder`, `url`, `project_id`. Dealers are not told of internal files',
  ],
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
    'An installation was removed, as the move that had made it was undone',
    'The installation as it was',
  ],
  'alert.triggered': ['An alert was raised', 'The alert as `GET /monitoring/alerts` reads it'],
  'alert.updated': [
    'An alert became more severe, more panels joined it, or the customer that it named was erased',
    'The alert as `GET /monitoring/alerts` reads it',
  ],
  'alert.acknowledged': ['An alert was acknowledged', 'The alert as `GET /monitoring/alerts` reads it'],
  'alert.resolved': ['An alert was resolved', 'The alert as `GET /monitoring/alerts` reads it'],
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
    const [summary, data] = descriptions[name]
    const operation = {
      operationId: name.replace(/[._](\w)/g, (_whole, letter: string) => letter.toUpperCase()),
      tags: ['Webhooks'],
      summary,
      description:
        'The record as it was in the transaction of this event, whatever became of it since. What an endpoint is told of one record comes in order, unless a delivery fails; what happens while it is disabled waits for 30 days. Answer 2xx within 15 seconds; redirects are not followed. Otherwise it is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.',
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['type', 'timestamp', 'data'],
              properties: {
                type: { type: 'string', const: name },
                timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
                data: {
                  type: 'object',
                  description: data,
                  required: ['id', 'version', 'previous'],
                  properties: {
                    id: { type: 'string' },
                    version: {
                      type: 'integer',
                      description: 'Grows with every change of the record: drop what is older than you have',
                    },
                    previous: {
                      type: 'object',
                      description:
                        'The fields that this change made otherwise, each as it was; empty where the record is new',
                    },
                  },
                },
              },
            },
          },
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
