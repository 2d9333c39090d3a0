import Type, { type Static } from 'typebox'
import { deliveryStates } from '../../domain/delivery/webhooks/sent-queries.ts'
import { eventNames } from '../../domain/journal/events/event-names.ts'
import { Fields, limitTo, nextPage, oneOf, optional } from '../http/schema-words.ts'
import { Seen } from './seen.ts'

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

export const WebhooksQuery = Fields({
  after: nextPage('^we_[0-9a-z]{10,40}$'),
  limit: limitTo(200),
})

export const NewWebhookBody = Fields({ url, events, description: optional(description) })

export const WebhookChange = Type.Partial(Type.Object({ seen: Seen, url, events, description }), {
  additionalProperties: false,
  minProperties: 1,
})

export const RotateBody = Fields({ graceHours: Type.Integer({ minimum: 0, maximum: 24 }) })

export const DeliveriesQuery = Fields({
  state: optional(oneOf<(typeof deliveryStates)[number]>(deliveryStates)),
  after: nextPage('^\\d{1,13}~-?\\d{1,5}$'),
  limit: limitTo(200),
})

/** One delivery; or those of events from a time on and before another, now where it is absent. */
export const RedeliverBody = Fields({
  deliveryId: optional(Type.String({ minLength: 1, maxLength: 64 })),
  since: optional(instant),
  until: optional(instant),
})
export type RedeliverBody = Static<typeof RedeliverBody>
