import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Bed, startBed } from './bed/bed.ts'
import { failuresOf, playOnce } from './play.ts'
import { faults } from './registry.ts'
import type { Shape } from './shapes.ts'

/** The short form: each fault of a shape once, on one bed. */
export function playShort(shape: Shape): void {
  const its = faults.filter((fault) => fault.shape === shape && !fault.longOnly)
  describe(`faults: ${shape.name}`, () => {
    let bed: Bed
    before(async () => {
      if (its.some(({ skip }) => !skip)) bed = await startBed(shape)
    })
    its.forEach((fault, round) => {
      test(fault.title, { skip: fault.skip ?? false }, async (t) => {
        const outcome = await playOnce(bed, fault, { round, short: true })
        assert.deepEqual(failuresOf(outcome), [])
        assert.ok(outcome.checked > 0)
        const { answered, refused, unanswered, repeatedWebhooks, secondsUntilWell } = outcome
        t.diagnostic(
          `${answered} answered, ${refused} refused, ${unanswered} unanswered, ${repeatedWebhooks} webhooks repeated, well after ${secondsUntilWell.toFixed(2)} s`,
        )
      })
    })
  })
}
