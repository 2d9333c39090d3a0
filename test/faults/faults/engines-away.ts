import { setTimeout as sleep } from 'node:timers/promises'
import { withoutRedis } from '../../support/redis-server.ts'
import { refuse } from '../../support/s3-server.ts'
import type { Fault } from '../fault.ts'
import { withEngines } from '../shapes.ts'

const awayMs = 2_000
const base = { shape: withEngines, times: 10, skip: withoutRedis } satisfies Partial<Fault>

/** Calls are served meanwhile: each process limits for itself. */
export const redisKilled: Fault = {
  ...base,
  name: 'redis-killed',
  title: 'Redis is killed, and started again empty',
  async strike({ redis }) {
    await redis!.kill()
    await sleep(awayMs)
    await redis!.start()
  },
}

export const redisFrozen: Fault = {
  ...base,
  name: 'redis-frozen',
  title: 'Redis is frozen',
  longOnly: true,
  async strike({ redis }) {
    redis!.freeze()
    await sleep(awayMs)
    redis!.thaw()
  },
}

/** What was counted is lost, again and again; it is counted anew there, and nobody is refused or let in for it. */
export const redisRestarted: Fault = {
  ...base,
  name: 'redis-restarted',
  title: 'Redis is restarted empty, five times in a row',
  // redis-killed shows nearly the same.
  longOnly: true,
  async strike({ redis }) {
    for (let i = 0; i < 5; i++) {
      // It hangs up instead of an answer.
      await redis!.ask('shutdown', 'nosave').catch(() => {})
      await redis!.kill()
      await redis!.start()
      await sleep(300)
    }
  },
  async check({ redis }) {
    return (await redis!.keys()).length > 0 ? [] : ['nothing is counted in Redis again']
  },
}

export const storeRefuses: Fault = {
  ...base,
  name: 'store-away',
  title: 'The S3 store is away',
  async strike({ s3 }) {
    await s3!.away()
    await sleep(awayMs)
    await s3!.back()
  },
}

export const storeFails: Fault = {
  ...base,
  name: 'store-fails',
  title: 'The S3 store answers 500',
  async strike({ s3 }) {
    s3!.play(async () => refuse(500, 'InternalError'))
    await sleep(awayMs)
    s3!.play(null)
  },
}
