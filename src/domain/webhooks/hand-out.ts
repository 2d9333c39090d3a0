import type { Database } from '../../platform/db.ts'
import {
  insertMessages,
  listNewEvents,
  listSubscribers,
  lockCursor,
  type NewMessage,
  type Subscriber,
} from './hand-out-queries.ts'
import { differsForDealers, isForDealers, type LoggedEvent, messageBody, type Told } from './payload.ts'
import { queueDelivery } from './queries.ts'
import { eventNames } from './webhook.ts'

/** Who delivers in this process: those awake need no job to wake them. */
export interface Deliverers {
  /** Keeps an endpoint awake, where it is, until what is answered is called: then it looks for what is new. */
  hold(webhookId: string): (() => void) | null
}

/**
 * Makes messages of the tenant's next events, in one transaction with how far the log was read: an event is
 * handed out once, whenever the process dies. Answers how many events; `watchedUntil` says that it will look again.
 */
export async function handOut(
  db: Database,
  installerId: string,
  baseUrl: string,
  deliverers: Deliverers,
  watchedUntil: Date | null = null,
): Promise<number> {
  const releases: (() => void)[] = []
  try {
    return await db.transaction(async (tx) => {
      const cursor = await lockCursor(tx, installerId)
      if (!cursor) return 0
      // Endpoints are listed after the events: one that was made before an event is always found.
      const events = await listNewEvents(tx, installerId, cursor)
      const last = events.at(-1)
      if (!last) return 0
      const subscribers = await listSubscribers(tx, installerId)
      const told = { baseUrl, installerNumber: cursor.installerNumber }
      const { messages, receivers } = messagesOf(events, subscribers, installerId, cursor.number, told)
      await insertMessages(tx, installerId, last, messages, watchedUntil)
      const asleep = receivers.filter((id) => {
        const release = deliverers.hold(id)
        if (release) releases.push(release)
        return release === null
      })
      await queueDelivery(tx, installerId, asleep)
      return events.length
    })
  } finally {
    for (const release of releases) release()
  }
}

const known = new Set<string>(eventNames)

/** What is told, and who is to be woken for it: the installer hears of everything, a dealer of its own company's records. */
function messagesOf(
  events: readonly LoggedEvent[],
  subscribers: readonly Subscriber[],
  installerId: string,
  newest: number,
  told: Told,
): { messages: NewMessage[]; receivers: string[] } {
  const listeners = subscribers.map((s) => ({
    ...s,
    isDealer: s.companyId !== installerId,
    types: s.events.includes('*') ? known : new Set(s.events),
  }))
  const messages: NewMessage[] = []
  const receivers = new Set<string>()
  for (const event of events) {
    const { at, ordinal, type } = event
    if (!known.has(type)) continue
    const toDealers = isForDealers(event) && !differsForDealers(event)
    const made = new Set<boolean>()
    for (const { id, companyId, since, isDealer, types } of listeners) {
      if (!types.has(type) || at <= since) continue
      if (isDealer && (companyId !== event.companyId || !isForDealers(event))) continue
      const forDealer = isDealer && differsForDealers(event)
      if (!made.has(forDealer)) {
        const body = messageBody(event, forDealer, told)
        if (body === null) break
        const number = newest + messages.length + 1
        messages.push({ number, at, ordinal, forDealer, toDealers, type, companyId: event.companyId, body })
        made.add(forDealer)
      }
      receivers.add(id)
    }
  }
  return { messages, receivers: [...receivers] }
}
