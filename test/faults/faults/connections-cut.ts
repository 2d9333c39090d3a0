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
