import type { Bed } from './bed/bed.ts'
import type { Shape } from './shapes.ts'

/**
 * One thing that goes wrong: a file in faults/ that exports it, named in registry.ts. It is played on a bed (bed/bed.ts: the
 * server as its own process, PostgreSQL, a receiver of webhooks, a host of files) under a mixed load (load/load.ts), which
 * goes on before, during and after. What must hold afterwards is the same for all and is looked at by verify.ts; a fault
 * says only what happens, and what it alone must keep.
 */
export interface Fault {
  /** For `--only` and the tests. */
  name: string
  /** For the table. */
  title: string
  shape: Shape
  /** Why it cannot be played on this machine. */
  skip?: string | false
  /** How often the long suite plays it; the short one plays it once. */
  times: number
  /** Not in the short form, where another fault shows nearly the same. */
  longOnly?: true
  /** A server may end by itself and be started again, which otherwise is a finding. */
  mayEnd?: true
  /**
   * Lets it happen, and undoes it. From its end on seconds are counted until all is well: every kind of call of the load
   * has succeeded again, and a webhook of what was written since has arrived. `play` tells short from long, and how often it was played on this bed.
   */
  strike(bed: Bed, play: Play): Promise<void>
  /** What must hold besides, asked once all is verified; each sentence is a failure. */
  check?(bed: Bed, play: Play): Promise<string[]>
}

export interface Play {
  /** From 0. */
  round: number
  /** Of the short form: what lasts as long as one likes is kept short. */
  short: boolean
}

/** What came of one play. */
export interface Outcome {
  /** Calls that were answered, from its beginning until all was well. */
  answered: number
  /** Of them with 503: to be sent again. */
  refused: number
  /** Whose connection broke: the caller cannot know. */
  unanswered: number
  /** Writes of the load that were held against the database. */
  checked: number
  /** Answered and not there, or otherwise than answered; events that did not arrive. */
  lost: string[]
  /** Done twice. */
  twice: string[]
  /** Messages that a receiver got again: webhooks are delivered at least once. */
  repeatedWebhooks: number
  /** Everything else that must not be: a 500, a hanging call, a stale rendering, a copy that differs. */
  wrong: string[]
  secondsUntilWell: number
}
