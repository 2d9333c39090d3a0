import { eventId } from '../../../src/domain/journal/events/event-id.ts'
import { eventNames } from '../../../src/domain/journal/events/event-names.ts'
import type { Behaviour, Receiver } from '../../support/webhook-receiver.ts'
import type { Rows } from './postgres.ts'

/** An endpoint of a company that hears of everything, and remembers what it heard. */
export interface Endpoint {
  webhookId: string
  path: string
  /** How it answers what it has noted; null: with 204. */
  behave(behaviour: Behaviour | null): void
  /** Messages that came once more, since the last time this was asked. */
  takeRepeated(): number
  /** The time of the newest event that it was told of, by `performance.now()`. */
  newestHeard(): number
  /** Events in the database of which it was not told. */
  missing(rows: Rows): Promise<string[]>
  /** Records of which it was told in another order than they changed in, as far as the first arrival of each goes. */
  outOfOrder(): string[]
}

export function noteArrivals(
  receiver: Receiver,
  { webhookId, path, installerId }: { webhookId: string; path: string; installerId: string },
): Endpoint {
  const heard = new Map<string, { record: string; timestamp: string }>()
  let newest = 0
  let repeated = 0
  let behaviour: Behaviour | null = null
  receiver.behave(path, (response, received) => {
    const { id, message } = received
    if (heard.has(id)) repeated++
    else heard.set(id, { record: message.data.id, timestamp: message.timestamp })
    newest = Math.max(newest, Date.parse(message.timestamp) - performance.timeOrigin)
    // What is kept of each would fill the memory.
    receiver.received.splice(0)
    if (behaviour) behaviour(response, received)
    else response.writeHead(204).end()
  })
  return {
    webhookId,
    path,
    behave: (next) => {
      behaviour = next
    },
    takeRepeated() {
      const count = repeated
      repeated = 0
      return count
    },
    newestHeard: () => newest,
    async missing(rows) {
      const events = await rows<{ at: Date; ordinal: number; type: string; subject: string }>(
        `select e.at, e.ordinal, e.type, e.subject_id as subject from events e
         join webhooks w on w.installer_id = e.installer_id and w.id = $2 and e.at > w.created_at
         where e.installer_id = $1 and e.type = any($3) order by e.at, e.ordinal`,
        [installerId, webhookId, eventNames],
      )
      return events
        .filter((event) => !heard.has(eventId(installerId, event)))
        .map(({ at, type, subject }) => `${type} of ${subject} at ${at.toISOString()}`)
    },
    outOfOrder() {
      const newest = new Map<string, string>()
      const wrong: string[] = []
      for (const { record, timestamp } of heard.values()) {
        const before = newest.get(record)
        if (before !== undefined && before > timestamp) wrong.push(`${record}: ${timestamp} after ${before}`)
        else newest.set(record, timestamp)
      }
      return wrong
    },
  }
}
