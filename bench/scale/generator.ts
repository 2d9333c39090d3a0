// The load generator, a process of its own: it is told what to drive for how long, and answers what came of it.
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { createRandom } from '../random.ts'
import { type Caller, createCaller } from './caller.ts'
import { type Kind, kinds } from './model.ts'
import type { Plan } from './plan.ts'
import { arrivals } from './random-draws.ts'
import { type Audience, createWork, liveRequest } from './requests.ts'
import { createTally, type KindResult } from './tally.ts'

export interface Drive {
  rates: Partial<Record<Kind, number>>
  seconds: number
  audience: Audience
}

export interface Driven {
  seconds: number
  kinds: Partial<Record<Kind, KindResult>>
  /** How late calls were sent, as this process had too much to do. */
  lateP99Ms: number
  /** Of its event loop, 1 being all of a core. */
  utilisation: number
  quartersSent: number
}

const settleLimitMs = 25_000

type Work = ReturnType<typeof createWork>

async function drive(
  caller: Caller,
  work: Work,
  { rates, seconds, audience }: Drive,
  seed: number,
): Promise<Driven> {
  const streams = kinds.flatMap((kind, i) => {
    const rate = rates[kind] ?? 0
    const times = arrivals(rate, seconds, createRandom(seed * 31 + i))
    return rate > 0 ? [{ kind, times, next: nextOf(times), tally: createTally(rate * seconds) }] : []
  })
  const late: number[] = []
  const under = new Set<Promise<void>>()
  const before = performance.eventLoopUtilization()
  const startedAt = performance.now()
  for (;;) {
    const now = performance.now() - startedAt
    let earliest = Number.POSITIVE_INFINITY
    for (const stream of streams) {
      while (stream.next <= now) {
        const at = startedAt + stream.next
        late.push(performance.now() - at)
        const { requests, status, seen } = work.next(stream.kind, audience)
        stream.tally.begun()
        const done: Promise<void> = Promise.all(requests.map((request) => caller.call(request)))
          .then((answers) => {
            const wrong = answers.find((answer) => answer.status !== status)
            if (wrong) stream.tally.failed(`${wrong.status}: ${wrong.body.toString('utf8', 0, 200)}`)
            else {
              const problem = seen?.(answers[0]!) ?? null
              if (problem) stream.tally.failed(problem)
              // From when it was to be sent, not from when there was time to: else a stall would hide its own waits.
              else stream.tally.done(performance.now() - at)
            }
          })
          .catch((error: Error) => stream.tally.failed(error.message))
          .finally(() => under.delete(done))
        under.add(done)
        stream.next = nextOf(stream.times)
      }
      earliest = Math.min(earliest, stream.next)
    }
    if (earliest === Number.POSITIVE_INFINITY) break
    const waitMs = earliest - (performance.now() - startedAt)
    await new Promise((resolve) => (waitMs > 1 ? setTimeout(resolve, waitMs) : setImmediate(resolve)))
  }
  const left = seconds * 1000 - (performance.now() - startedAt)
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
  const { utilization } = performance.eventLoopUtilization(before)
  const drivenSeconds = (performance.now() - startedAt) / 1000
  await Promise.race([
    Promise.all(under),
    new Promise((resolve) => setTimeout(resolve, settleLimitMs).unref()),
  ])
  late.sort((a, b) => a - b)
  return {
    seconds: drivenSeconds,
    kinds: Object.fromEntries(streams.map(({ kind, tally }) => [kind, tally.result(drivenSeconds)])),
    lateP99Ms: late[Math.floor(late.length * 0.99)] ?? 0,
    utilisation: utilization,
    quartersSent: work.quartersSent(),
  }
}

function nextOf(times: Generator<number>): number {
  const { value, done } = times.next()
  return done ? Number.POSITIVE_INFINITY : value
}

const [planFile, port] = process.argv.slice(2)
const plan = JSON.parse(readFileSync(planFile!, 'utf8')) as Plan
const caller = createCaller(Number(port))
const work = createWork(plan, createRandom(18), new Date())
let runs = 0
// An open page of each who is signed in, notified of what others change.
for (const { cookie } of plan.people) caller.hold(liveRequest(cookie))

process.on('message', async (asked: Drive) => {
  process.send!(await drive(caller, work, asked, ++runs))
})
process.on('disconnect', () => {
  caller.close()
  process.exit(0)
})
process.send!('ready')
