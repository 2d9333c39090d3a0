import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../fault.ts'
import { oneServer } from '../shapes.ts'

const base = { shape: oneServer, times: 10 } satisfies Partial<Fault>

/** In the middle of whatever is said: what was written and not answered may be there. */
export const databaseCut: Fault = {
  ...base,
  name: 'database-cut',
  title: 'Connections to PostgreSQL are reset, again and again',
  async strike({ databaseWay }) {
    for (let i = 0; i < 5; i++) {
      databaseWay!.cut()
      await sleep(200)
      databaseWay!.cutAfter(Math.floor(Math.random() * 2_000))
      await sleep(200)
    }
  },
}

export const databaseStalled: Fault = {
  ...base,
  name: 'database-stalled',
  title: 'Nothing passes between server and PostgreSQL for 7 seconds',
  longOnly: true,
  async strike({ databaseWay }) {
    const resume = databaseWay!.stall()
    await sleep(7_000)
    resume()
  },
}

export const callersCut: Fault = {
  ...base,
  name: 'callers-cut',
  title: 'Connections of callers are reset, again and again',
  async strike({ front }) {
    for (let i = 0; i < 10; i++) {
      front.cut()
      await sleep(100)
      front.cutAfter(Math.floor(Math.random() * 1_000))
      await sleep(100)
    }
  },
}

let brokenOff = 0

/** No connection is reset: whoever waits is answered when it goes on. */
export const callersStalled: Fault = {
  ...base,
  name: 'callers-stalled',
  title: 'Nothing passes between callers and server for 10 seconds',
  // Ten seconds of waiting; postgres-frozen holds every call in the short form.
  longOnly: true,
  async strike({ front, load }) {
    const { unanswered } = load.caller.tally
    const resume = front.stall()
    await sleep(10_000)
    resume()
    // What was under way is answered within this.
    await sleep(1_000)
    brokenOff = load.caller.tally.unanswered - unanswered
  },
  async check() {
    return brokenOff === 0 ? [] : [`${brokenOff} calls were broken off, though nobody cut their connection`]
  },
}
