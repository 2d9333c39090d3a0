import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { within } from '../within.ts'
import type { Script } from './scripts.ts'

export type Reply = string | number | Reply[] | null

/** What is counted in Redis (or Valkey), as long as it is there. */
export interface SharedCounts {
  /** Answers null where Redis is away, or does not answer in time: then it is to be decided without it. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<Reply> | null
  /** Why it is not used just now; null while all is well. */
  trouble(): string | null
  close(): Promise<void>
}

export interface RedisOptions {
  url: string
  /** Called when it is found, and when it is lost and why. */
  onChange(reason: string | null): void
  /** For tests: certificates that are trusted, and other limits. */
  ca?: string
  limits?: Partial<RedisLimits>
}

export interface RedisLimits {
  /** No call is held longer than this. */
  answerMs: number
  /** From the connection to the first answer. */
  connectMs: number
  /** Between looks at whether it is well, and between attempts to connect. */
  lookMs: number
  /** After which a connection that says nothing is made anew. */
  patienceMs: number
}

const usualLimits: RedisLimits = { answerMs: 250, connectMs: 3_000, lookMs: 500, patienceMs: 5_000 }

interface Asked {
  script: Script
  keys: readonly string[]
  args: readonly string[]
  settle(reply: Reply): void
}

/** Proves that scripts run and write: a server that only answers may be a replica, or full. */
const probe = `return redis.call('SET', KEYS[1], '1', 'PX', 60000)`
const probeKey = 'sunstead:probe'

/**
 * Keeps a connection, and makes another where it is lost. What is asked in one turn of the event loop goes in one
 * write. Whoever asks while Redis is away is told so at once.
 */
export function connectRedis({ url, onChange, ca, limits: given }: RedisOptions): SharedCounts {
  const limits = { ...usualLimits, ...given }
  const closing = new AbortController()
  const underWay = new Set<Asked[]>()
  let client: Redis | null = null
  let waiting: Asked[] = []
  /** Null while all is well. */
  let trouble: string | null = 'not connected yet'

  function change(reason: string | null): void {
    if (trouble === reason) return
    const isNews = (trouble === null) !== (reason === null)
    trouble = reason
    if (reason !== null) for (const batch of underWay) giveUp(batch)
    if (isNews && !closing.signal.aborted) onChange(reason)
  }

  function giveUp(batch: Asked[]): void {
    underWay.delete(batch)
    for (const { settle } of batch) settle(null)
  }

  async function send(batch: Asked[]): Promise<void> {
    underWay.add(batch)
    const deadline = setTimeout(() => {
      // Where it was we who were busy, the answer is there already and is read first.
      setImmediate(() => {
        if (underWay.has(batch)) change(`it did not answer within ${limits.answerMs} ms`)
      })
    }, limits.answerMs)
    try {
      const unknown = await exchange(batch, (pipeline, { script, keys, args }) =>
        pipeline.evalsha(script.sha, keys.length, ...keys, ...args),
      )
      if (unknown.length > 0)
        await exchange(unknown, (pipeline, { script, keys, args }) =>
          pipeline.eval(script.source, keys.length, ...keys, ...args),
        )
    } catch (error) {
      change(reasonOf(error as Error))
    } finally {
      clearTimeout(deadline)
      giveUp(batch)
    }
  }

  /** Answers those whose script Redis does not have. */
  async function exchange(
    batch: Asked[],
    add: (pipeline: ReturnType<Redis['pipeline']>, asked: Asked) => unknown,
  ): Promise<Asked[]> {
    const pipeline = client!.pipeline()
    for (const asked of batch) add(pipeline, asked)
    const replies = (await pipeline.exec()) ?? []
    return batch.filter((asked, i) => {
      const [error, reply] = replies[i] ?? [new Error('it was closed'), null]
      if (error?.message.startsWith('NOSCRIPT')) return true
      if (error) throw error
      asked.settle(reply as Reply)
      return false
    })
  }

  async function attend(): Promise<void> {
    while (!closing.signal.aborted) {
      const mine = new Redis(url, {
        lazyConnect: true,
        connectionName: 'sunstead',
        connectTimeout: limits.connectMs,
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        retryStrategy: null,
        ...(ca ? { tls: { ca } } : {}),
      })
      client = mine
      const lost = Promise.withResolvers<string>()
      mine.on('error', (error) => lost.resolve(reasonOf(error)))
      mine.on('end', () => lost.resolve('the connection was closed'))
      // Also what it rejects with later, when nobody waits for it any more.
      change(await Promise.race([lost.promise, watch(mine).catch(reasonOf)]))
      mine.disconnect()
      await wait(limits.lookMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  /** Looks every so often until something is wrong with the connection; answers what. */
  async function watch(mine: Redis): Promise<string> {
    if (!(await within(limits.connectMs, mine.connect()))) return 'it took too long to connect'
    for (;;) {
      const asked = performance.now()
      if (!(await within(limits.patienceMs, mine.eval(probe, 1, probeKey))))
        return `it did not answer for ${limits.patienceMs} ms`
      // One that is slow would be lost again by the next call.
      if (performance.now() - asked < limits.answerMs) change(null)
      await wait(limits.lookMs, undefined, { ref: false })
    }
  }

  const attended = attend()
  return {
    run(script, keys, args) {
      if (trouble !== null) return null
      return new Promise((settle) => {
        if (waiting.length === 0)
          setImmediate(() => {
            const batch = waiting
            waiting = []
            void send(batch)
          })
        waiting.push({ script, keys, args, settle })
      })
    },
    trouble: () => trouble,
    async close() {
      closing.abort()
      client?.disconnect()
      await attended
    },
  }
}

/** An error of several addresses has no words of its own. */
function reasonOf({ message, code }: Error & { code?: string }): string {
  return message || code || 'it failed'
}
