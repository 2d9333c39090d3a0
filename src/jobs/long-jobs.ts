import type { LongJob, LongJobDeps, LongJobId, LongJobKind } from '../domain/journal/long-jobs/long-job.ts'
import {
  countHandedOver,
  findLongJob,
  listToHandOver,
  longJobsChannel,
  markHandedOver,
  putOffLongJob,
  queueLongJob,
  releaseLongJob,
  takeBackLongJobs,
} from '../domain/journal/long-jobs/queries.ts'
import { workOnLongJob } from '../domain/journal/long-jobs/work-on-long-job.ts'
import { currentMs, currentTime } from '../platform/clock.ts'
import type { Session } from '../platform/leader.ts'
import type { Log } from '../platform/log.ts'
import type { Task } from '../platform/queue.ts'
import { createWaitQueue } from '../platform/wait-queue.ts'
import type { Job } from './jobs.ts'

interface LongJobOptions {
  /** Pieces under way at once, whoever they are of. */
  concurrency?: number
  /** Before it is tried again: what failed once, twice, and so on; the last wait stays. */
  waitsMs?: readonly number[]
}

/** Of one tenant, and in all: each is in memory, some megabytes for the check of a large file, and has a place of the queue. */
const maxOfTenant = 3
const max = 20
const lookMs = 15_000
const retryWaitsMs = [1_000, 5_000, 20_000, 60_000, 300_000, 600_000]
const troubled = 'Something went wrong on the server. It is tried again by itself.'

export interface LongJobs {
  tasks: Record<string, Task>
  /** Hears of new work from then on; the queue runs the tasks meanwhile. */
  start(session: Session): Promise<void>
  jobs: Job[]
  /** What is under way ends after its piece, and goes on at the next start. */
  stop(): Promise<void>
}

/**
 * Does what was asked for by rows of `long_jobs`. The leader hands each to the queue, which keeps it through a crash; its
 * pieces take turns with those of all others, so nobody's small import waits for another's large one.
 */
export function createLongJobs(
  deps: LongJobDeps,
  kinds: readonly LongJobKind[],
  log: Log,
  { concurrency = 4, waitsMs = retryWaitsMs }: LongJobOptions = {},
): LongJobs {
  const { db } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const turn = createWaitQueue({ concurrency, maxWaiting: Number.POSITIVE_INFINITY })
  const underWay = new Set<string>()
  let handing: Promise<void> | null = null
  let isAsked = false
  let isTakenBack = false

  /** What is on a node that is away is taken back once it is there. */
  async function takeBack(): Promise<void> {
    if (isTakenBack) return
    await takeBackLongJobs(db, {})
    isTakenBack = true
  }

  async function handOverAll(): Promise<void> {
    while (isAsked && !signal.aborted) {
      isAsked = false
      await takeBack().catch(note)
      const limit = Math.max(0, max - (await countHandedOver(db, {})))
      for (const job of await listToHandOver(db, { now: currentTime(), maxOfTenant, limit })) {
        if (signal.aborted) return
        // Together: one that fails at once says so after this, and not before.
        await db.transaction(async (tx) => {
          await markHandedOver(tx, job)
          await queueLongJob(tx, job)
        })
      }
    }
  }

  /** One pass at a time; who asks during one gets another. */
  function handOver(): Promise<void> {
    isAsked = true
    handing ??= handOverAll().finally(() => {
      handing = null
    })
    return handing
  }

  /** What fails here is found by the next look. */
  const handOverSoon = () => {
    if (!signal.aborted) handOver().catch(note)
  }
  const note = (error: Error) => log.debug({ error: error.message }, 'long work was not handed over')

  async function run({ installerId, id }: LongJobId): Promise<void> {
    const job = await findLongJob(db, { installerId, id })
    // Handed over twice, by one who died in between: the other goes on with it.
    if (job?.state !== 'running' || underWay.has(id)) return
    underWay.add(id)
    try {
      await work(job)
    } finally {
      underWay.delete(id)
      if (!signal.aborted) handOverSoon()
    }
  }

  async function work(job: LongJob): Promise<void> {
    const kind = kinds.find((one) => one.kind === job.kind)
    try {
      if (!kind) throw new Error(`no kind of long work is called ${job.kind}`)
      await workOnLongJob(deps, kind, job, { signal, turn: (piece) => turn(piece, signal) })
      // It is to be left, or somebody else works on it: what has not ended is handed over anew.
      const notBefore = signal.aborted ? null : new Date(currentMs() + lookMs)
      await releaseLongJob(db, { ...job, notBefore })
    } catch (error) {
      if (signal.aborted) return releaseLongJob(db, { ...job, notBefore: null })
      await retryLater(job, error as Error)
    }
  }

  async function retryLater(job: LongJob, error: Error): Promise<void> {
    const { attempts, kind, id } = (await findLongJob(db, job)) ?? job
    const waitMs = waitsMs[Math.min(attempts, waitsMs.length - 1)]!
    log.warn({ kind, id, error: error.message, waitMs }, 'long work failed and is tried again')
    await putOffLongJob(db, { ...job, notBefore: new Date(currentMs() + waitMs), failure: troubled })
    setTimeout(handOverSoon, waitMs).unref()
  }

  return {
    tasks: { 'long-job': (payload) => run(payload as LongJobId) },
    async start(session) {
      await takeBack().catch(note)
      await session.listen(longJobsChannel, handOverSoon)
    },
    jobs: [{ name: 'hand over long work', everyMs: lookMs, run: handOver }],
    async stop() {
      stopping.abort()
      await handing?.catch(note)
    },
  }
}
