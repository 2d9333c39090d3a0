import { currentMs, currentTime } from '../../../platform/clock.ts'
import { ContentRefused, OutboundRefused, OutboundUnavailable } from '../../../platform/outbound/refused.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { LongJob, LongJobDeps, LongJobKind } from './long-job.ts'
import { advanceLongJob, endLongJob } from './queries.ts'

interface Working {
  /** Nothing more is begun once it says so. */
  signal: AbortSignal
  /** Lets a piece begin when its turn comes. */
  turn?: <T>(piece: () => Promise<T>) => Promise<T>
  /** For who works on it by themselves: for how long they may say nothing before the server takes over. */
  heldMs?: number
  onProgress?: (done: number) => void
}

/** Works on it until it has ended, or is to be left; what it cannot be done for is told, what merely failed is thrown. */
export async function workOnLongJob(
  deps: LongJobDeps,
  { work, failing }: LongJobKind,
  job: LongJob,
  { signal, turn = (piece) => piece(), heldMs, onProgress }: Working,
): Promise<void> {
  const { db } = deps
  const pieces = work(deps, job)
  try {
    while (!signal.aborted) {
      const piece = await turn(() => pieces.next())
      if (piece.done) {
        if (piece.value) await endLongJob(db, { ...job, state: 'done', failure: null, now: currentTime() })
        return
      }
      const heldUntil = heldMs === undefined ? null : new Date(currentMs() + heldMs)
      // Somebody may have stopped it.
      if ((await advanceLongJob(db, { ...job, done: piece.value, heldUntil })) !== 'running') return
      onProgress?.(piece.value)
    }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const failure = error.message
    await db.transaction(async (tx) => {
      await failing?.(tx, job, failure)
      await endLongJob(tx, { ...job, state: 'failed', failure, now: currentTime() })
    })
  } finally {
    // Open files are closed with it.
    await pieces.return(false)
  }
}

/** What another try would be refused for as well. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof DomainError) return error.code !== 'unavailable' && error.code !== 'rate_limited'
  if (error instanceof OutboundUnavailable) return false
  return error instanceof ContentRefused || error instanceof OutboundRefused
}
