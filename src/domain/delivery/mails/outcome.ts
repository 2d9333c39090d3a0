import type { LeasedMail, NotSent } from './queries.ts'

/** Why a mail was not sent, as the sender saw it. */
export interface SendingFailure {
  /**
   * server: no mail could be sent just now; refused: this one never will be; later: this one may be at another time;
   * unknown: it was handed over whole, and no answer came; stopped: we are stopping, and it was not handed over.
   */
  kind: 'server' | 'refused' | 'later' | 'unknown' | 'stopped'
  message: string
}

// Five tries over some nine hours, then it is given up and stays readable as failed.
const waitsMs = [60_000, 600_000, 3_600_000, 28_800_000]
// What no server could be reached for is given up after as long as mail servers themselves keep trying (RFC 5321).
const unreachedForMs = 5 * 86_400_000
/** Sent once more, for it may not have arrived; never a third time, for it may have arrived twice. */
export const maxUnanswered = 2
const maxError = 500

/** What becomes of a mail that was not sent. */
export function outcomeOf(
  mail: LeasedMail,
  failure: SendingFailure,
  now: Date,
  serverWaitMs: number,
): NotSent {
  const { attempts, createdAt } = mail
  const error = failure.message.slice(0, maxError)
  const at = (waitMs: number) => new Date(now.getTime() + waitMs)
  const failed = {
    state: 'failed',
    attempts: attempts + 1,
    unanswered: 0,
    error,
    nextAttemptAt: now,
  } as const
  switch (failure.kind) {
    case 'stopped':
      return { state: 'queued', attempts, unanswered: mail.unanswered - 1, error: null, nextAttemptAt: now }
    case 'server':
      if (now.getTime() - createdAt.getTime() > unreachedForMs) return { ...failed, attempts }
      return { state: 'queued', attempts, unanswered: 0, error, nextAttemptAt: at(serverWaitMs) }
    case 'refused':
      return failed
    case 'later':
    case 'unknown': {
      const wait = waitsMs[attempts]
      const unknown = failure.kind === 'unknown'
      if (wait === undefined || (unknown && mail.unanswered >= maxUnanswered)) return failed
      return {
        state: 'queued',
        attempts: attempts + 1,
        unanswered: unknown ? mail.unanswered : 0,
        error,
        nextAttemptAt: at(wait * (0.9 + Math.random() * 0.2)),
      }
    }
  }
}
