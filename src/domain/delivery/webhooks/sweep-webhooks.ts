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
  for (const webhook of webhooks) {
    const { installerId, id: webhookId, deletedAt, disabled, isCounted } = webhook
    const before = deletedAt ? everything : longAgo
    const old = { installerId, webhookId, before, dueToo: disabled, limit: batch }
    while (!signal.aborted && (await deleteDeliveries(db, old)).count === batch);
    if (!signal.aborted && !deletedAt && !isCounted) await count({ installerId, webhookId })
  }
  for (const installerId of compareAll ? new Set(webhooks.map((w) => w.installerId)) : []) {
    if (signal.aborted) break
    const snapshot = <T>(read: (tx: Db) => Promise<T>) => db.transaction(read, 'repeatable read')
    for (const { webhookId } of await listWrongDeliveries(db, installerId, snapshot, signal))
      await count({ installerId, webhookId })
  }
  await movePlaces(db)
  const before = new Date(now.getTime() - feedRetentionMs)
  for (const { installerId } of await listTenants(db, { before })) {
    const old = { installerId, before, limit: batch }
    while (!signal.aborted && (await deleteMessages(db, old)).count === batch);
  }
  // A little later than what it was sent, so that nothing handed out just before is left behind.
  const gone = webhooks.filter((w) => w.deletedAt && w.deletedAt < new Date(now.getTime() - 3_600_000))
  for (const webhook of gone) if (!signal.aborted) await deleteWebhookRow(db, webhook)
}
