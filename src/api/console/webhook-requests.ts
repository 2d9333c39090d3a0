import Type, { type Static } from 'typebox'
import { deliveryStates } from '../../domain/delivery/webhooks/sent-queries.ts'
import { eventNames } from '../../domain/journal/events/event-names.ts'
import { Seen } from './seen.ts'

const exact = { additionalProperties: false }

export const WebhookParams = Type.Object({ id: Type.String() })
export const DeliveryParams = Type.Object({ id: Type.String(), deliveryId: Type.String() })

const url = Type.String({ minLength: 1, maxLength: 2048 })
const description = Type.String({ maxLength: 200 })
const events = Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...eventNames, '*'] }), {
  minItems: 1,
  maxItems: 100,
})
const instant = Type.String({
  format: 'date-time',
  pattern: '^[^,]{1,30}Z$',
  'x-message': 'must be a timestamp in UTC, such as 2027-01-31T00:00:00Z',
})

export const WebhooksQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        pattern: '^we_[0-9a-z]{10,40}$',
        'x-message': 'must be the "next" of the page before, as it is',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  exact,
)
export type WebhooksQuery = Static<typeof WebhooksQuery>

export const NewWebhookBody = Type.Object({ url, events, description: Type.Optional(description) }, exact)
export type NewWebhookBody = Static<typeof NewWebhookBody>

export const WebhookChange = Type.Partial(Type.Object({ seen: Seen, url, events, description }), {
  ...exact,
  minProperties: 1,
})
export type WebhookChange = Static<typeof WebhookChange>

export const RotateBody = Type.Object({ graceHours: Type.Integer({ minimum: 0, maximum: 24 }) }, exact)
export type RotateBody = Static<typeof RotateBody>

export const DeliveriesQuery = Type.Object(
  {
    state: Type.Optional(
      Type.Unsafe<(typeof deliveryStates)[number]>({ type: 'string', enum: [...deliveryStates] }),
    ),
    after: Type.Optional(
      Type.String({
        pattern: '^\\d{1,13}~-?\\d{1,5}$',
        'x-message': 'must be the "next" of the page before, as it is',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  exact,
)
export type DeliveriesQuery = Static<typeof DeliveriesQuery>

/** One delivery; or those of events from a time on and before another, now where it is absent. */
export const RedeliverBody = Type.Object(
  {
    deliveryId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    since: Type.Optional(instant),
    until: Type.Optional(instant),
  },
  exact,
)
export type RedeliverBody = Static<typeof RedeliverBody>
