import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../platform/db.ts'
import { lockCursor } from '../webhooks/hand-out-queries.ts'
import type { Position } from '../webhooks/position.ts'
import { rewriteMessages } from '../webhooks/rewrite-messages.ts'
import type { Erasure } from './erasure.ts'
import { eraseVisitors, listEventTexts, saveEventTexts } from './log-queries.ts'
import { redactChanges, redactData } from './redact-event.ts'

const batch = 200
const beginning: Position = { at: new Date(0), ordinal: 0 }

/** Takes the customer out of what the log says of these records, and out of what endpoints are still to be told. */
export async function eraseLog(
  db: Database,
  erasure: Erasure,
  recordIds: readonly string[],
  baseUrl: string,
): Promise<void> {
  for (const recordId of recordIds) {
    let after: Position | null = beginning
    while (after) after = await eraseSome(db, erasure, recordId, after, baseUrl)
  }
}

/** Takes out of the security trail from where the customer's documents were opened. */
export async function eraseTrail(db: Database, { installerId, leadId }: Erasure): Promise<void> {
  const some = () => db.transaction((tx) => eraseVisitors(tx, installerId, leadId, batch))
  while ((await some()) === batch);
}

async function eraseSome(
  db: Database,
  { installerId, leadId, person }: Erasure,
  recordId: string,
  after: Position,
  baseUrl: string,
): Promise<Position | null> {
  return db.transaction(async (tx) => {
    // Whoever makes messages of events holds this too: none is made meanwhile of what was read before.
    const cursor = await lockCursor(tx, installerId)
    const events = await listEventTexts(tx, installerId, recordId, after, batch)
    const redacted = events.map((event) => ({
      ...event,
      changes: redactChanges(event.changes),
      data: redactData(event.type, event.data, person),
    }))
    const changed = redacted.filter((event, i) => !isDeepStrictEqual(event, events[i]))
    if (changed.length > 0) await saveEventTexts(tx, installerId, leadId, changed)
    if (cursor && events.length > 0)
      await rewriteMessages(tx, installerId, events, { baseUrl, installerNumber: cursor.installerNumber })
    return events.length < batch ? null : events.at(-1)!
  })
}
