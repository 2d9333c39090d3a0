import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Db, PooledDatabase, Shows } from '../db.ts'
import { isOutdatedPlan } from '../pipeline.ts'
import { withinTransaction } from '../within-transaction.ts'
import { type TroubleObserver, type WatchLimits, watchReplica } from './watch.ts'

/** What a primary or a replica has of a tenant. */
export interface Seen {
  /** Whatever changes the tenant's clock makes it another. */
  mark: string | null
  isStandby: boolean
  /** How far the log is. */
  place: number | null
  timeline: string | null
}

export type LookAtTenant = (db: Db, tenant: string) => Promise<Seen>

/** Where a list was read, and why there. */
export type ReadReason = 'fresh' | 'behind' | 'busy' | 'conflict' | 'failed' | 'failover' | 'away'

export interface ReplicaObserver extends TroubleObserver {
  read(from: 'replica' | 'primary', reason: ReadReason): void
}

export interface Replica {
  /** The primary, whose lists and reports are read from the replica where that is as good. */
  database: PooledDatabase
  /** Looks at the replica from now on; otherwise from the first list on, which waits for the first look. */
  watch(): void
  close(): void
}

interface Options {
  primary: PooledDatabase
  replica: PooledDatabase
  look: LookAtTenant
  observer: ReplicaObserver
  limits?: Partial<WatchLimits>
}

type Attempt<T> = { answer: T } | { reason: ReadReason }

/** What others write may be on its way: it is looked for again after so long, where the whole log must be there. */
const againMs = [4, 12]

/**
 * Reads from a replica what it can be proved to have. Primary and replica are asked together; the list is read after the
 * replica has answered, on the same connection, so that it is of no earlier moment, whichever of several servers the
 * address leads to.
 */
export function createReplica({ primary, replica, look, observer, limits }: Options): Replica {
  const watch = watchReplica({ primary, replica, observer, ...(limits ? { limits } : {}) })
  let firstLook: Promise<unknown> | null = null

  function attempt<T>(tenant: string, shows: Shows, read: (db: Database) => Promise<T>): Promise<Attempt<T>> {
    if (replica.isBusy()) return Promise.resolve({ reason: 'busy' })
    const { promise, resolve, reject } = Promise.withResolvers<Attempt<T>>()
    let open = true
    const settle = (outcome: Attempt<T>) => {
      open = false
      stopWaiting()
      resolve(outcome)
    }
    const stopWaiting = watch.onTrouble(() => settle({ reason: 'away' }))
    const here = look(primary, tenant).catch(() => null)
    let hasFailed = false
    let isOwn = false

    async function ask(tx: Db): Promise<void> {
      let reason = lacking(await here, await look(tx, tenant), shows)
      for (const ms of shows === 'anything' ? againMs : []) {
        if (reason !== 'behind' || !open) break
        await sleep(ms)
        reason = lacking(await here, await look(tx, tenant), shows)
      }
      if (!open) return
      if (reason !== null) return settle({ reason })
      const noted: Db['query'] = async (statement, values) => {
        try {
          return await tx.query(statement, values)
        } catch (error) {
          hasFailed = true
          throw error
        }
      }
      try {
        const answer = await read(withinTransaction({ query: noted }))
        if (open) settle({ answer })
      } catch (error) {
        isOwn = !hasFailed
        throw error
      }
    }

    // Where the clock is the proof it must be of the same moment as the list: what a primary that waits for other
    // standbys has not told anybody yet is not read then.
    replica.transaction(ask, shows === 'clocked' ? 'repeatable read' : 'read committed').then(
      () => watch.wentWell(),
      (error) => {
        if (!open) return
        if (!isOwn) return settle({ reason: failedBy(error) })
        // What the list itself has to say, such as that there is no such record.
        stopWaiting()
        reject(error)
      },
    )
    return promise
  }

  /** Why the primary is to be read instead; null where the replica has all. */
  function lacking(here: Seen | null, there: Seen, shows: Shows): ReadReason | null {
    if (here === null || here.isStandby || here.place === null) return 'failover'
    if (!watch.isFit(here.timeline)) return 'away'
    if (!there.isStandby) {
      watch.found('it has been promoted')
      return 'away'
    }
    if (here.mark !== there.mark) return 'behind'
    return shows === 'anything' && (there.place ?? 0) < here.place ? 'behind' : null
  }

  function failedBy(error: unknown): ReadReason {
    const { code, message } = causeOf(error)
    if (/^40(001|P01)$/.test(code) || /conflict with recovery/.test(message)) return 'conflict'
    if (!isOutdatedPlan({ code, message })) watch.found(message)
    return 'failed'
  }

  const database: PooledDatabase = {
    ...primary,
    async reading(tenant, shows, read) {
      if (firstLook === null) await start()
      if (!watch.isFit()) {
        observer.read('primary', 'away')
        return read(primary)
      }
      const outcome = await attempt(tenant, shows, read)
      if ('answer' in outcome) {
        observer.read('replica', 'fresh')
        return outcome.answer
      }
      observer.read('primary', outcome.reason)
      return read(primary)
    },
  }

  function start(): Promise<unknown> {
    firstLook ??= watch.start()
    return firstLook
  }

  return { database, watch: () => void start(), close: watch.stop }
}

/** What the server or the network said first. */
function causeOf(error: unknown): { code: string; message: string } {
  let found = error as Error & { code?: string }
  while (found.cause instanceof Error) found = found.cause
  return { code: found.code ?? '', message: found.message }
}
