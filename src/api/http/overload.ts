import type { Database } from '../../platform/db.ts'

/** More is asked for than can be done. */
export class Overloaded extends Error {
  override name = 'Overloaded'
}

const lookMs = 100
/** The event loop comes this much too late, several times in a row: one slow piece of work is no overload. */
const lateMs = 250
const timesLate = 3
/** Below this the loop is late through something else, a busy machine, say, and turning calls away would not help. */
const fewCalls = 200

export interface Load {
  began(): void
  ended(): void
  /** Why a call is to be turned away before anything is done for it, or null. */
  tooMuch(): string | null
  close(): void
}

/**
 * Calls are not judged by how many are open, since slow senders would fill that without making any work: what counts is
 * how much waits for the database, and whether we get round to things at all.
 */
export function watchLoad(db: Pick<Database, 'isBusy'>): Load {
  let underWay = 0
  let late = 0
  let lookedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    late = now - lookedAt - lookMs > lateMs ? late + 1 : 0
    lookedAt = now
  }, lookMs)
  timer.unref()
  // In one turn of the loop thousands of calls may be begun, before the timer has its turn.
  const isLate = () => late >= timesLate || performance.now() - lookedAt > lookMs + timesLate * lateMs
  return {
    began: () => {
      underWay++
    },
    ended: () => {
      underWay--
    },
    tooMuch() {
      if (db.isBusy()) return 'too many calls wait for the database'
      if (underWay > fewCalls && isLate()) return 'more calls come than can be answered'
      return null
    },
    close: () => clearInterval(timer),
  }
}
