import { after } from 'node:test'
import { createWebhook } from '../../src/domain/delivery/webhooks/create-webhook.ts'
import {
  createDeliveryWorkers,
  type DeliveryWorkers,
  type DeliveryWorkersOptions,
} from '../../src/domain/delivery/webhooks/delivery-workers.ts'
import { dispatchMessages } from '../../src/domain/delivery/webhooks/dispatch-messages.ts'
import { createLog } from '../../src/platform/log.ts'
import { createOutbound } from '../../src/platform/outbound/http.ts'
import { migrateQueue } from '../../src/platform/queue.ts'
import { createSecretBox, type SecretBox } from '../../src/platform/secret-box.ts'
import { secretKey, type TestDatabase } from './database.ts'
import type { Actors } from './factories.ts'
import { type Receiver, startPlainReceiver } from './webhook-receiver.ts'

export interface RegisteredWebhook {
  id: string
  /** Where the receiver hears of it. */
  path: string
  installerId: string
}

export interface Delivery {
  id: string
  state: string
  attempts: { status: number | null; error: string | null }[]
}

export interface DeliverySetup {
  box: SecretBox
  receiver: Receiver
  register(of: Actors, events?: string[]): Promise<RegisteredWebhook>
  /** The parts that deliver, as a server has them, without the queue that runs them. */
  workers(options?: Partial<DeliveryWorkersOptions> & { timeLimitMs?: number }): DeliveryWorkers
  dispatchAll(installerId: string): Promise<void>
  /** What was sent to an endpoint, from the oldest event. */
  deliveries(hook: { id: string }): Promise<Delivery[]>
}

/** A receiver, and what it takes to deliver to it step by step. */
export async function startDeliverySetup(database: TestDatabase): Promise<DeliverySetup> {
  const { db } = database
  await migrateQueue(database.url, createLog('silent'))
  const receiver = await startPlainReceiver()
  const trustedHosts = new Set([receiver.host])
  const outbound = createOutbound({ trustedHosts })
  const box = createSecretBox([secretKey])
  const running: DeliveryWorkers[] = []
  after(async () => {
    for (const workers of running) await workers.stop(0)
    await outbound.close()
    await receiver.close()
    await database.drop()
  })
  let paths = 0
  return {
    box,
    receiver,
    async register(of, events = ['*']) {
      const path = `/${++paths}`
      const { id } = await createWebhook(of.as(), { trustedHosts, box }, { url: receiver.url + path, events })
      return { id, path, installerId: of.company.installerId }
    },
    workers({ timeLimitMs, ...options } = {}) {
      const sending = {
        outbound,
        box,
        userAgent: 'test',
        baseUrl: () => 'http://sunstead.test',
        ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
      }
      const workers = createDeliveryWorkers({ db, sending, waitsSeconds: [], ...options })
      running.push(workers)
      return workers
    },
    async dispatchAll(installerId) {
      while (await dispatchMessages(db, installerId, { hold: () => null }));
    },
    deliveries: ({ id }) =>
      database.rows<Delivery>(
        'select id, state, attempts from webhook_deliveries where webhook_id = $1 order by event_at, event_ordinal',
        [id],
      ),
  }
}
