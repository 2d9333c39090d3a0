import type { Database } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import {
  advanceCursor,
  eventBatch,
  insertDeliveries,
  listNewEvents,
  listSubscribers,
  lockCursor,
  type NewDelivery,
  type NewMessage,
  type Subscriber,
} from './hand-out-queries.ts'
import { differsForDealers, isForDealers, type LoggedEvent, messageBody, type Told } from './payload.ts'
import { queueDelivery } from './queries.ts'
import { eventNames } from './webhook.ts'

/** Who delivers in this process: those awake need no job to wake them. */
export interface Deliverers {
  /** Keeps an endpoint awake, where it is, until what is answered is called: then it looks at what is due. */
  hold(webhookId: string): (() => void) | null
}

/**
 * Makes deliveries of the tenant's next events, in one transaction with how far the log was read: an
 * event is handed out once, whenever the process dies. Answers whether there may be more.
 */
export async function handOut(
  db: Database,
  installerId: string,
  baseUrl: string,
  deliverers: Deliverers,
): Promise<boolean> {
  const releases: (() => void)[] = []
  try {
    return await db.transaction(async (tx) => {
      const cursor = await lockCursor(tx, installerId)
      if (!cursor) return false
      // Endpoints are listed after the events: one that was made before an event is always found.
      const events = await listNewEvents(tx, installerId, cursor)
      const last = events.at(-1)
      if (!last) return false
      const subscribers = await listSubscribers(tx, installerId)
      const told = { baseUrl, installerNumber: cursor.number }
      const { messages, deliveries } = deliveriesOf(events, subscribers, installerId, told)
      if (deliveries.length > 0) {
        await insertDeliveries(tx, installerId, new Date(), messages, deliveries)
        const receivers = [...new Set(deliveries.map((d) => d.webhookId))]
        const asleep = receivers.filter((id) => {
          const release = deliverers.hold(id)
          if (release) releases.push(release)
          return release === null
        })
        await queueDelivery(tx, installerId, asleep)
      }
      await advanceCursor(tx, installerId, last)
      return events.length === eventBatch
    })
  } finally {
    for (const release of releases) release()
  }
}

const known = new Set<string>(eventNames)

/** Who is told what: the installer of everything, a dealer of its own company's records. */
function deliveriesOf(
  events: readonly LoggedEvent[],
  subscribers: readonly Subscriber[],
  installerId: string,
  told: Told,
): { messages: NewMessage[]; deliveries: NewDelivery[] } {
  const listeners = subscribers.map((s) => ({
    ...s,
    isDealer: s.companyId !== installerId,
    types: s.events.includes('*') ? known : new Set(s.events),
  }))
  const messages: NewMessage[] = []
  const deliveries: NewDelivery[] = []
  for (const event of events) {
    const { at, ordinal, type } = event
    if (!known.has(type)) continue
    const made = new Set<boolean>()
    for (const { id: webhookId, companyId, since, isDealer, types } of listeners) {
      if (!types.has(type) || at <= since) continue
      if (isDealer && (companyId !== event.companyId || !isForDealers(event))) continue
      const forDealer = isDealer && differsForDealers(event)
      if (!made.has(forDealer)) {
        const body = messageBody(event, forDealer, told)
        if (body === null) break
        messages.push({ at, ordinal, forDealer, body })
        made.add(forDealer)
      }
      deliveries.push({ webhookId, id: newId('dlv'), at, ordinal, forDealer, type })
    }
  }
  return { messages, deliveries }
}
