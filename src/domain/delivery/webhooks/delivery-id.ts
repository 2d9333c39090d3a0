import type { Position } from './position.ts'

const chanceOfWebhook = 10

/**
 * The id of what an endpoint is told of an event: the event's place, and the part of the endpoint's id that
 * chance made. Nothing is kept until it was sent, so after a crash the same id must come out again.
 */
export function deliveryId(webhookId: string, { at, ordinal }: Position): string {
  const time = at.getTime().toString(32).padStart(10, '0')
  const place = ordinal.toString(32).padStart(4, '0')
  return `dlv_${time}${place}${webhookId.slice(-chanceOfWebhook)}`
}
