import { after } from 'node:test'
import { createWebhook } from '../../src/domain/delivery/webhooks/create-webhook.ts'
import { handOut } from '../../src/domain/delivery/webhooks/hand-out.ts'
import { createLanes, type Lanes, type LanesOptions } from '../../src/domain/delivery/webhooks/lanes.ts'
import { createLog } from '../../src/platform/log.ts'
import { createOutbound } from '../../src/platform/outbound/http.ts'
import { migrateQueue } from '../../src/platform/queue.ts'
import { createSecretBox, type SecretBox } from '../../src/platform/secret-box.ts'
import { secretKey, type TestDatabase } from './database.ts'
import type { Actors } from './factories.ts'
import { type Receiver, startPlainReceiver } from './webhook-receiver.ts'

export interface LaneHook {
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

export interface LaneParts {
  box: SecretBox
  receiver: Receiver
  register(of: Actors, events?: string[]): Promise<LaneHook>
  /** The parts that deliver, as a server has them, without the queue that runs them. */
  lanes(options?: Partial<LanesOptions> & { timeLimitMs?: number }): Lanes
  handOutAll(installerId: string): Promise<void>
  /** What was sent to an endpoint, from the oldest event. */
  deliveries(hook: { id: string }): Promise<Delivery[]>
}

/** A receiver, and what it takes to deliver to it step by step. */
export async function startLaneParts(database: TestDatabase): Promise<LaneParts> {
  const { db } = database
  await migrateQueue(database.url, createLog('silent'))
  const receiver = await startPlainReceiver()
  const trustedHosts = new Set([receiver.host])
  const outbound = createOutbound({ trustedHosts })
  const box = createSecretBox([secretKey])
  const running: Lanes[] = []
  after(async () => {
    for (const lanes of running) await lanes.stop(0)
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
    lanes({ timeLimitMs, ...options } = {}) {
      const sending = {
        outbound,
        box,
        userAgent: 'test',
        baseUrl: () => 'http://sunstead.test',
        ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
      }
      const lanes = createLanes({ db, sending, waitsSeconds: [], ...options })
      running.push(lanes)
      return lanes
    },
    async handOutAll(installerId) {
      while (await handOut(db, installerId, { hold: () => null }));
    },
    deliveries: ({ id }) =>
      database.rows<Delivery>(
        'select id, state, attempts from webhook_deliveries where webhook_id = $1 order by event_at, event_ordinal',
        [id],
      ),
  }
}
