import { type Context, scopeOf } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { batchOf, inOrder, panelsOf } from './batch.ts'
import { unknownPanel } from './reading.ts'
import { findPanels } from './reading-queries.ts'
import { createSentReadings, type Rejected, type SentReadings } from './sent-readings.ts'
import { storeBatch } from './store-batch.ts'

export interface Taken {
  /** Readings that stand as they were sent, or stood until a later one of the same call. */
  accepted: number
  /** How many of these gave another value to a time that had one. */
  updated: number
  /** What no panel of that capacity can make: kept, and in no total. */
  quarantined: number
  rejected: Rejected[]
}

/** So many readings are taken by one transaction: enough to be quick, few enough to hold its locks briefly. */
export const batchSize = 1_000

/**
 * Takes readings in the order in which they were sent: of one panel and time the last one stands. What is wrong with
 * one is said, and the others are taken. Sending the same again changes nothing.
 */
export async function takeReadings(ctx: Context, values: readonly unknown[]): Promise<Taken> {
  authorize(ctx.actor, 'readings.send')
  const sent = createSentReadings(ctx.now)
  for (let index = 0; index < values.length; index++) sent.add(index, values[index])
  return takeSent(ctx, sent)
}

/** The same for readings that were read one by one. */
export async function takeSent(ctx: Context, sent: SentReadings): Promise<Taken> {
  authorize(ctx.actor, 'readings.send')
  const taken: Taken = { accepted: 0, updated: 0, quarantined: 0, rejected: sent.rejected }
  const count = sent.at.length
  for (let from = 0; from < count; from += batchSize) {
    await takeSome(ctx, sent, inOrder(sent, from, Math.min(from + batchSize, count)), taken)
  }
  taken.rejected.sort((a, b) => a.index - b.index)
  return taken
}

async function takeSome(
  ctx: Context,
  sent: SentReadings,
  places: readonly number[],
  taken: Taken,
): Promise<void> {
  const panels = await findPanels(ctx.db, scopeOf(ctx), panelsOf(sent, places))
  const { batch, unknown } = batchOf(sent, places, panels)
  for (const place of unknown) taken.rejected.push({ index: sent.indexes[place]!, message: unknownPanel })
  if (batch.at.length === 0) return
  const { accepted, updated, quarantined } = await storeBatch(ctx, batch)
  taken.accepted += accepted
  taken.updated += updated
  taken.quarantined += quarantined
}
