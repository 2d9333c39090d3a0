import type { Db } from './db.ts'
import type { Log } from './log.ts'
import { instant } from './sql/row.ts'
import { sql } from './sql/sql.ts'
import { scalar } from './sql/statements.ts'

const readTime = scalar({ at: instant }, () => sql`select clock_timestamp() as at`)

/** Within it clocks are taken for the same. */
const toleranceMs = 1_000
const lookEveryMs = 5_000
/** An answer that took longer says little about when it was given. */
const answerMs = 500
/** A time that is otherwise than it was is believed once it has stayed so for this long. */
const standsMs = 30_000

export interface TimeSource {
  /** The time by which everybody goes: the database's. */
  ask(): Promise<number>
  hostMs(): number
  /** Goes on evenly, whatever is done to the clock of the host. */
  steadyMs(): number
}

export interface ClockMetrics {
  /** By how much the clock of the host is ahead of the time that is used. */
  ahead(seconds: number): void
}

/** What was believed, and when by the steady clock. */
interface Believed {
  ms: number
  at: number
}

/**
 * The time of all who share a database is the database's, carried on by what no clock can be set by. While the host's clock
 * agrees it is read as it is; where it jumps, or is another one than on other hosts, it is passed over.
 */
export function createClock({ ask, hostMs, steadyMs }: TimeSource) {
  let believed: Believed | null = null
  let doubted: { byMs: number; since: number } | null = null
  let wasOffAt = Number.NEGATIVE_INFINITY

  const expectedMs = ({ ms, at }: Believed) => ms + steadyMs() - at
  const aheadMs = () => (believed ? hostMs() - expectedMs(believed) : 0)
  const isOff = () => Math.abs(aheadMs()) >= toleranceMs

  return {
    nowMs(): number {
      const host = hostMs()
      if (!believed) return host
      const expected = expectedMs(believed)
      return Math.abs(host - expected) < toleranceMs ? host : Math.round(expected)
    },
    aheadMs,
    isOff,
    /** Whether all clocks have agreed for so long, or for as long as they are watched. */
    isSteady(forMs: number): boolean {
      if (isOff()) wasOffAt = steadyMs()
      return steadyMs() - wasOffAt > forMs
    },
    /** Compares with the database; answers by how much the time was set anew, where it was. */
    async look(): Promise<number> {
      const begun = steadyMs()
      const asked = await ask()
      const at = steadyMs()
      if (believed && at - begun > answerMs) return 0
      const found: Believed = { ms: asked + (at - begun) / 2, at }
      const byMs = believed ? found.ms - expectedMs(believed) : 0
      if (isOff() || Math.abs(byMs) >= toleranceMs) wasOffAt = at
      if (Math.abs(byMs) < toleranceMs) {
        believed = found
        doubted = null
        return 0
      }
      if (!doubted || Math.abs(doubted.byMs - byMs) >= toleranceMs) doubted = { byMs, since: at }
      if (at - doubted.since < standsMs) return 0
      believed = found
      doubted = null
      return byMs
    },
  }
}

type Clock = ReturnType<typeof createClock>

let current: Clock | null = null

/**
 * What time it is: for what is written down, and what is compared with it. How long something takes is measured by
 * `performance.now`.
 */
export const currentTime = (): Date => new Date(currentMs())

export const currentMs = (): number => current?.nowMs() ?? Date.now()

/** Whether what a host's clock has written down, the age of a file say, can be believed. */
export const isClockSteady = (forMs: number): boolean => current?.isSteady(forMs) ?? true

/** Goes by the database's time from now on. */
export async function takeTime(db: Db): Promise<Clock> {
  const clock = createClock({
    ask: async () => (await readTime(db, {})).getTime(),
    hostMs: () => Date.now(),
    steadyMs: () => performance.now(),
  })
  await clock.look()
  current = clock
  return clock
}

/** Goes by the database's time, compares again and again, and says where the host's clock is another one. */
export async function keepTime(db: Db, log: Log, metrics: ClockMetrics): Promise<{ stop(): void }> {
  const clock = await takeTime(db)
  let wasOff = false
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const say = () => {
    const seconds = clock.aheadMs() / 1_000
    metrics.ahead(seconds)
    if (clock.isOff() === wasOff) return
    wasOff = !wasOff
    if (wasOff)
      log.warn({ seconds }, 'the clock of this host is not the database’s, whose time is used: set it right')
    else log.info('the clock of this host is right again')
  }
  const look = async () => {
    // A database that is away tells no time: the one that is known goes on.
    const setMs = await clock.look().catch(() => 0)
    if (setMs !== 0) log.warn({ seconds: setMs / 1_000 }, 'the time is set anew, as the database’s clock was')
    say()
    if (!stopped) next()
  }
  const next = () => {
    timer = setTimeout(() => void look(), lookEveryMs).unref()
  }
  say()
  next()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
      if (current === clock) current = null
    },
  }
}
