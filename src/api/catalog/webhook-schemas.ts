import Type, { type Static, type TSchema } from 'typebox'
import { eventNames } from '../../domain/journal/events/event-names.ts'
import { Answer, Fields, oneOf, orNull, ref, text, timestamp } from '../http/schema-words.ts'
import { exampleIds } from './example-ids.ts'
import { listSchema, pageFields } from './paging.ts'

const exampleId = exampleIds.webhook
const exampleDelivery = exampleIds.delivery
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwLbZxJvLrJ0E='

const own = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: '^[\\s\\S]{16,}$',
    'x-message': 'must have 16 to 256 characters',
    description:
      'Your own signing secret of 16 to 256 characters: its bytes are the key. One that begins with `whsec_` and goes on in base64 also signs by what that decodes to, as the Standard Webhooks libraries expect. Made when absent',
  }),
)

const url = Type.String({ minLength: 1, maxLength: 2048, description: 'A public https address' })
const events = Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...eventNames, '*'] }), {
  minItems: 1,
  maxItems: 100,
  description: 'What to tell; `*` stands for everything',
})

export const WebhookPatchBody = Fields(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    status: Type.Optional(
      Type.Unsafe<'enabled' | 'disabled'>({
        type: 'string',
        enum: ['enabled', 'disabled'],
        description:
          'Turned on again, it is told in order of what happened meanwhile, 30 days ago at most; turned off, that waits',
      }),
    ),
  },
  { examples: [{ events: ['panel.created', 'alert.triggered'], status: 'enabled' }] },
)
export type WebhookPatchBody = Static<typeof WebhookPatchBody>

export const NewWebhookBody = Fields(
  {
    url,
    events,
    secret: own,
  },
  { examples: [{ url: 'https://hooks.example.com/sunstead', events: ['lead.created', 'panel.created'] }] },
)
export type NewWebhookBody = Static<typeof NewWebhookBody>

export const RotateBody = Type.Unsafe<{ secret?: string; grace_hours?: number } | null>({
  ...Fields(
    {
      secret: own,
      grace_hours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 24,
          description: 'How long the secret of before signs too; 24 when absent',
        }),
      ),
    },
    { examples: [{ grace_hours: 24 }] },
  ),
  type: ['object', 'null'],
})
export type RotateBody = Static<typeof RotateBody>

const instant = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description }))

export const RedeliverBody = Fields(
  {
    delivery_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'One delivery' })),
    since: instant('Or those of events from this time on'),
    until: instant('and before this one; now when absent'),
  },
  {
    minProperties: 1,
    examples: [
      { delivery_id: exampleDelivery },
      { since: '2026-11-14T00:00:00Z', until: '2026-11-15T00:00:00Z' },
    ],
  },
)
export type RedeliverBody = Static<typeof RedeliverBody>

export const WebhookParams = Fields({
  webhook_id: Type.String({ description: 'The endpoint’s id', examples: [exampleId] }),
})
export type WebhookParams = Static<typeof WebhookParams>

export const WebhookQuery = Fields(pageFields)
export type WebhookQuery = Static<typeof WebhookQuery>

const states = ['due', 'delivered', 'failed'] as const

export const DeliveryQuery = Fields({
  ...pageFields,
  status: Type.Optional(
    Type.Unsafe<(typeof states)[number]>({
      type: 'string',
      enum: [...states],
      description: 'Only those in this status',
    }),
  ),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

const webhook = {
  id: text("The service's own id"),
  url: text('Where events are posted to'),
  events: Type.Array(oneOf([...eventNames, '*']), {
    description: 'What it is told; `*` stands for everything',
  }),
  status: oneOf(['enabled', 'disabled'], {
    description:
      'Disabled by a person, by an answer of 410, or after 5 days in which every delivery failed. What happens then waits for 30 days',
  }),
  created_at: timestamp('When it was registered'),
  last_delivery: orNull(
    Answer({
      id: text('The delivery’s id'),
      event: text('What was told'),
      at: timestamp('When it was tried'),
      delivered: Type.Boolean({ description: 'Whether it arrived' }),
      status: orNull(Type.Integer(), 'What the endpoint answered'),
    }),
    'The newest attempt; null before the first',
  ),
}
const webhookExample = {
  id: exampleId,
  url: 'https://hooks.example.com/sunstead',
  events: ['lead.created', 'panel.created'],
  status: 'enabled',
  created_at: '2026-11-14T08:00:00.000Z',
  last_delivery: null,
}

const Webhook = Answer(webhook, {
  $id: 'Webhook',
  description: 'An endpoint that is told what happens.',
  examples: [webhookExample],
})
const WebhookCreated = Answer(
  { ...webhook, secret: text('What messages are signed with. Shown here and never again') },
  {
    $id: 'WebhookCreated',
    description: 'A new endpoint with its secret.',
    examples: [{ ...webhookExample, secret: exampleSecret }],
  },
)
const WebhookSecret = Answer(
  {
    id: text('The endpoint’s id'),
    secret: text('The new one. Shown here and never again'),
    previous_expires_at: orNull(timestamp(), 'Until when the one before signs too'),
  },
  {
    $id: 'WebhookSecret',
    description: 'A secret in place of the one before.',
    examples: [{ id: exampleId, secret: exampleSecret, previous_expires_at: '2026-11-15T08:00:00.000Z' }],
  },
)

const attemptExample = {
  at: '2026-11-14T08:00:00.120Z',
  duration_ms: 84,
  status: 204,
  error: null,
  answer: null,
}
const Attempt = Answer(
  {
    at: timestamp('When it was made'),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds' }),
    status: orNull(Type.Integer(), 'What the endpoint answered; null where no answer came'),
    error: orNull(text(), 'What went wrong; null where nothing did'),
    answer: orNull(text(), 'How the answer begins'),
  },
  { $id: 'WebhookAttempt', description: 'An attempt to deliver.', examples: [attemptExample] },
)
const Delivery = Answer(
  {
    id: text('Also the `webhook-id` of every attempt'),
    event: text('What is told'),
    event_at: timestamp('When it happened'),
    status: oneOf(states, { description: 'Whether it is still to arrive, has arrived, or was given up' }),
    next_attempt_at: orNull(timestamp(), 'Null unless it is due'),
    attempts: Type.Array(ref('WebhookAttempt'), { description: 'Every attempt so far' }),
  },
  {
    $id: 'WebhookDelivery',
    description: 'What is sent to an endpoint of an event.',
    examples: [
      {
        id: exampleDelivery,
        event: 'lead.created',
        event_at: '2026-11-14T08:00:00.000Z',
        status: 'delivered',
        next_attempt_at: null,
        attempts: [attemptExample],
      },
    ],
  },
)
const Tested = Answer(
  {
    delivery_id: text('The `webhook-id` of the test'),
    delivered: Type.Boolean({ description: 'Whether it arrived' }),
    attempt: ref('WebhookAttempt'),
  },
  {
    $id: 'WebhookTested',
    description: 'How a test went.',
    examples: [{ delivery_id: exampleDelivery, delivered: true, attempt: attemptExample }],
  },
)
const Redelivered = Answer(
  { redelivered: Type.Integer({ description: 'How many deliveries are sent again' }) },
  {
    $id: 'WebhookRedelivered',
    description: 'What is sent again.',
    examples: [{ redelivered: 12 }],
  },
)

export const webhookSchemas: readonly TSchema[] = [
  Webhook,
  WebhookCreated,
  WebhookSecret,
  Attempt,
  Delivery,
  Tested,
  Redelivered,
  listSchema('WebhookPage', 'Webhook'),
  listSchema('WebhookDeliveryPage', 'WebhookDelivery'),
]
