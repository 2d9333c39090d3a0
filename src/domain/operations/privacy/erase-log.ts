import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../../platform/db.ts'
import {
  listKeptMessages,
  rewriteMessages,
  type StoredMessage,
} from '../../delivery/webhooks/rewrite-messages.ts'
import type { Position } from '../../journal/events/event-id.ts'
import type { Erasure } from './erasure.ts'
import { eraseVisitors, listEventTexts, saveEventTexts } from './log-queries.ts'
import { redactChanges, redactData, redactMessage } from './redact-event.ts'

const batch = 200
const beginning: Position = { at: new Date(0), ordinal: 0 }

/** Takes the customer out of what the log says of these records, and out of what endpoints are still to be position. */
export async function eraseLog(db: Database, erasure: Erasure, recordIds: readonly string[]): Promise<void> {
  for (const recordId of recordIds) {
    let position: Omit<StoredMessage, 'type' | 'body' | 'head'> | null = { ...beginning, forDealer: false }
    while (position) position = await eraseMessages(db, erasure, recordId, position)
    let after: Position | null = beginning
    while (after) after = await eraseSome(db, erasure, recordId, after)
  }
}

/** Takes out of the security trail from where the customer's documents were opened. */
export async function eraseTrail(db: Database, erasure: Erasure): Promise<void> {
  const some = () => db.transaction((tx) => eraseVisitors(tx, erasure, batch))
  while ((await some()) === batch);
}

async function eraseSome(
  db: Database,
  { installerId, leadId, person }: Erasure,
  recordId: string,
  after: Position,
): Promise<Position | null> {
  return db.transaction(async (tx) => {
    const events = await listEventTexts(tx, { installerId, recordId, ...after, limit: batch })
    const redacted = events.map((event) => ({
      ...event,
      changes: redactChanges(event.changes),
      data: redactData(event.type, event.data, person),
    }))
    const changed = redacted.filter((event, i) => !isDeepStrictEqual(event, events[i]))
    if (changed.length > 0) await saveEventTexts(tx, { installerId, leadId }, changed)
    return events.length < batch ? null : events.at(-1)!
  })
}

async function eraseMessages(
  db: Database,
  { installerId, person }: Erasure,
  recordId: string,
  after: Omit<StoredMessage, 'type' | 'body' | 'head'>,
): Promise<StoredMessage | null> {
  return db.transaction(async (tx) => {
    const messages = await listKeptMessages(tx, { installerId, recordId, ...after, limit: batch })
    await rewriteMessages(
      tx,
      installerId,
      messages.map(({ at, ordinal, forDealer, type, body, head }) => ({
        at,
        ordinal,
        forDealer,
        ...redactMessage(type, body, head, person),
      })),
    )
    return messages.length < batch ? null : messages.at(-1)!
  })
}
