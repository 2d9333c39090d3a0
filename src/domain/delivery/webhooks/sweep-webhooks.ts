import type { Database, Db } from '../../../platform/db.ts'
import { countDeliveries } from './delivery-counts.ts'
import { movePlaces } from './log-queries.ts'
import {
  deleteDeliveries,
  deleteMessages,
  deleteWebhookRow,
  listAllWebhooks,
  listTenants,
} from './upkeep-queries.ts'
import { feedRetentionMs, retentionMs } from './webhook.ts'
import { listWrongDeliveries } from './wrong-deliveries.ts'

const batch = 5_000
const everything = new Date('9999-01-01T00:00:00Z')

/**
 * Removes deliveries and attempts of long ago, events that the feed no longer has, and deleted endpoints with all of theirs.
 * Counts the deliveries of endpoints where what is kept of that is not right. With `compareAll` what seems right is compared
 * first: no endpoint is held for that, so that sending to it goes on.
 */
export async function sweepWebhooks(
  db: Database,
  now: Date,
  signal: AbortSignal,
  { compareAll = false } = {},
): Promise<void> {
  const longAgo = new Date(now.getTime() - retentionMs)
  const webhooks = await listAllWebhooks(db, {})
  const count = (to: { installerId: string; webhookId: string }) =>
    db.transaction((tx) => countDeliveries(tx, to))
  const failures: unknown[] = []
  // One that fails keeps no others waiting.
  const each = async <T>(all: Iterable<T>, work: (one: T) => Promise<void>) => {
    for (const one of all) {
      if (signal.aborted) return
      await work(one).catch((error: unknown) => {
        if (!signal.aborted) failures.push(error)
      })
    }
  }
  await each(webhooks, async ({ installerId, id: webhookId, deletedAt, disabled, isCounted }) => {
    const before = deletedAt ? everything : longAgo
    const old = { installerId, webhookId, before, dueToo: disabled, limit: batch }
    while (!signal.aborted && (await deleteDeliveries(db, old)).more);
    if (!signal.aborted && !deletedAt && !isCounted) await count({ installerId, webhookId })
  })
  await each(compareAll ? new Set(webhooks.map((w) => w.installerId)) : [], async (installerId) => {
    const snapshot = <T>(read: (tx: Db) => Promise<T>) => db.transaction(read, 'repeatable read')
    for (const { webhookId } of await listWrongDeliveries(db, installerId, snapshot, signal))
      await count({ installerId, webhookId })
  })
  await each([db], movePlaces)
  const before = new Date(now.getTime() - feedRetentionMs)
  await each(await listTenants(db, { before }), async ({ installerId }) => {
    const old = { installerId, before, limit: batch }
    while (!signal.aborted && (await deleteMessages(db, old)).count === batch);
  })
  // A little later than what it was sent, so that nothing handed out just before is left behind.
  const gone = webhooks.filter((w) => w.deletedAt && w.deletedAt < new Date(now.getTime() - 3_600_000))
  await each(gone, (webhook) => deleteWebhookRow(db, webhook))
  if (failures.length > 0) throw failures[0]
}
