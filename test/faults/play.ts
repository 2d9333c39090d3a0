import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from './bed/bed.ts'
import type { Fault, Outcome, Play } from './fault.ts'
import type { Tally } from './load/caller.ts'
import { verify } from './verify.ts'

/** After that it is not well by itself. */
const wellWithinMs = 90_000
const lookMs = 10

/** Plays a fault once, under load, and looks at everything that must hold afterwards. */
export async function playOnce(bed: Bed, fault: Fault, play: Play): Promise<Outcome> {
  const { load } = bed
  const begun = performance.now()
  load.start()
  const wrong: string[] = []
  if (!(await untilWell(bed, begun))) wrong.push(`it was not well before: ${notWell(bed, begun)}`)
  // At whatever moment.
  await sleep(Math.random() * (play.short ? 200 : 1_000))
  const before = { ...load.caller.tally }
  await fault.strike(bed, play)
  const over = performance.now()
  const isWell = await untilWell(bed, over)
  const secondsUntilWell = (performance.now() - over) / 1_000
  if (!isWell) wrong.push(`not well after ${wellWithinMs / 1_000} s: ${notWell(bed, over)}`)
  const counted = since(before, load.caller.tally)
  await load.stop()
  const found = await verify(bed, fault)
  const besides = (await fault.check?.(bed, play)) ?? []
  return { ...counted, ...found, wrong: [...wrong, ...found.wrong, ...besides], secondsUntilWell }
}

/** Every kind of call has succeeded that was begun since, and each endpoint was told of something that happened since. */
async function untilWell(bed: Bed, from: number): Promise<boolean> {
  while (performance.now() < from + wellWithinMs) {
    if (notWell(bed, from) === '') return true
    await sleep(lookMs)
  }
  return false
}

function notWell({ load, endpoints }: Bed, from: number): string {
  const silent = endpoints
    .filter((endpoint) => endpoint.newestHeard() < from)
    .map(({ path }) => `webhooks at ${path}`)
  return [...load.notWell(from), ...silent].join(', ')
}

function since(before: Tally, now: Tally): Tally {
  return {
    answered: now.answered - before.answered,
    refused: now.refused - before.refused,
    unanswered: now.unanswered - before.unanswered,
  }
}

/** What must not be, of all plays. */
export const failuresOf = ({ lost, twice, wrong }: Outcome) => [
  ...lost.map((one) => `lost: ${one}`),
  ...twice.map((one) => `twice: ${one}`),
  ...wrong,
]
