import { withoutRedis } from '../../support/redis-server.ts'
import type { Fault } from '../fault.ts'
import { longestSilence, type Silence } from '../load/silence.ts'
import { withEngines } from '../shapes.ts'

/** On a busy machine too: it is the others that must not wait for the store. */
const othersWithinMs = 5_000

let others: Silence = { kind: '', ms: 0 }

/** The store takes every request and says nothing. Files wait for a bounded time, everything else does not. */
export const storeHangs: Fault = {
  name: 'store-hangs',
  title: 'The S3 store accepts, and does not answer for 40 seconds',
  shape: withEngines,
  times: 3,
  skip: withoutRedis,
  async strike({ s3, load }, { short }) {
    const silence = Promise.withResolvers<void>()
    let turn = 0
    s3!.play(async (_asked, raw) => {
      await silence.promise
      // Half is done after all, when nobody waits for it any more; of the rest the connection breaks.
      if (turn++ % 2 === 0) return null
      raw.destroy()
      return 'answered'
    })
    others = await longestSilence(load, ['files'], short ? 2_000 : 40_000)
    s3!.play(null)
    silence.resolve()
  },
  async check() {
    return others.ms <= othersWithinMs ? [] : [`${others.kind} waited ${Math.round(others.ms)} ms`]
  },
}
