import { setTimeout as sleep } from 'node:timers/promises'
import { connectRedis } from '../platform/redis/connection.ts'

const patienceMs = 4_000
const againMs = 50

/** Whether limits can be shared by the Redis that is configured, as a server asks it: a replica or a full one cannot. */
export async function examineLimits(url: string): Promise<string> {
  const redis = connectRedis({ url, onChange: () => {} })
  try {
    for (const until = performance.now() + patienceMs; redis.trouble() !== null; await sleep(againMs))
      if (performance.now() > until)
        throw new Error(`Redis is away (${redis.trouble()}); each host limits for itself`)
    return 'shared by Redis'
  } finally {
    await redis.close()
  }
}
