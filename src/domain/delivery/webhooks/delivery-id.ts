import { isId } from '../../../platform/ids.ts'
import { isEventId } from '../../journal/events/event-id.ts'

/** A delivery has the id of its event; tests, and what older versions sent, have one of their own. */
export function isDeliveryId(text: string): boolean {
  return isEventId(text) || isId(text, 'dlv')
}
