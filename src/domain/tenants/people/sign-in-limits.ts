import { createHash } from 'node:crypto'
import type { Attempt, AttemptLimits, AttemptRule, Counted } from '../../../platform/attempt-limits.ts'
import { networkOf } from '../../../platform/network.ts'
import { TryLater } from '../../kernel/domain-error.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const quarter = 15 * minute

/** One person at one place: a few mistakes are free, then it takes ever longer. */
const pair: AttemptRule = { free: 5, firstWaitMs: 5 * second, maxWaitMs: quarter, forgetMs: hour }

/** One place, whomever it tries: an office shares one address. */
const place: AttemptRule = { free: 20, firstWaitMs: 5 * second, maxWaitMs: quarter, forgetMs: 5 * minute }

/**
 * One person from everywhere, apart from browsers in which they signed in before. Anybody can cause these waits, so they
 * stay short: by a link that is mailed to them, a person gets past them.
 */
const person: AttemptRule = {
  free: 20,
  firstWaitMs: 5 * second,
  maxWaitMs: 30 * second,
  forgetMs: 5 * minute,
}

/** Who gets to try codes knows the password: this is nobody that anybody can cause for others. */
const codes: AttemptRule = { free: 10, firstWaitMs: 5 * second, maxWaitMs: quarter, forgetMs: hour }

/** Mails that somebody asks for, perhaps in another's name. */
const asked: AttemptRule = { free: 3, firstWaitMs: 30 * second, maxWaitMs: quarter, forgetMs: hour }
const mailed: AttemptRule = { free: 3, firstWaitMs: 2 * minute, maxWaitMs: hour, forgetMs: hour }

/** Each writes a line to the database, without any secret. */
const challenges: AttemptRule = { free: 60, firstWaitMs: second, maxWaitMs: minute, forgetMs: 10 * second }

/** What is guessed, or asked for, when signing in. */
export type Guess = 'password' | 'code' | 'reset' | 'link' | 'passkey' | 'challenge' | 'setUp'

export interface Try {
  what: Guess
  /** The email that was named or is known; null where there is none. */
  email: string | null
  address: string
  /** The secret of a browser in which the person of this email has signed in before. */
  device: string | null
}

/** Counts the try, or refuses it where it comes too early. */
export async function startTry(limits: AttemptLimits, tried: Try): Promise<Attempt> {
  const begun = await limits.begin(countedFor(tried))
  if ('attempt' in begun) return begun.attempt
  throw tooManyTries(begun.waitMs, tried.what)
}

/** Whether one more mail may go to this person because somebody asked for it. */
export async function mayMail(limits: AttemptLimits, email: string): Promise<boolean> {
  return 'attempt' in (await limits.begin([{ key: keyOf('mailed', email), rule: mailed }]))
}

function countedFor({ what, email, address, device }: Try): Counted[] {
  const network = networkOf(address)
  switch (what) {
    case 'password':
    case 'code':
      // Others' mistakes do not hold up the browsers that are known, nor theirs others.
      if (device) return [{ key: keyOf(what, 'device', email, device), rule: pair, clearedByRight: true }]
      return [
        { key: keyOf(what, email, network), rule: pair, clearedByRight: true },
        { key: keyOf(what, email), rule: what === 'code' ? codes : person },
        { key: keyOf('place', network), rule: place },
      ]
    case 'reset':
      return [
        { key: keyOf(what, email, network), rule: asked },
        { key: keyOf(what, network), rule: place },
      ]
    case 'challenge':
      return [{ key: keyOf(what, network), rule: challenges }]
    default:
      return [{ key: keyOf(what, network), rule: place }]
  }
}

/** Of one length, whatever was sent. */
function keyOf(...parts: (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24)
}

function tooManyTries(waitMs: number, what: Guess): TryLater {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  const why = what === 'reset' ? 'A link was asked for many times.' : 'There were too many tries.'
  return new TryLater('rate_limited', `${why} Wait ${wait}, then try again.`, seconds)
}
