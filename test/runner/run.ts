// Runs test files in a few processes, and reports them file by file. Started by npm test.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { globalSetup, globalTeardown } from '../support/global-setup.ts'
import { createQueue, type Queue } from './queue.ts'
import { createReport, isOutcome } from './report.ts'

/** For what hangs. No test takes a tenth of it on a quiet machine, so that a busy one is slow and fails nothing. */
const testLimitMs = 900_000
/** A test has a limit of its own: a worker that tells nothing for longer hangs, and cannot say so. */
const silenceMs = Number(process.env.TEST_SILENCE_MS ?? testLimitMs + 60_000)
const worker = resolve('test/runner/worker.ts')
const remembered = resolve('node_modules/.cache/test-durations.json')
const printed = ['test:start', 'test:pass', 'test:fail', 'test:diagnostic', 'test:stdout', 'test:stderr']

const durations = readDurations()
// The longest first, so that no worker is left alone with one at the end; what is new may be long, and most of all what
// starts browsers or programs of its own.
const expectedMs = (file: string) =>
  durations[file] ?? (/^test\/(browser|demo|process|readme)/.test(file) ? 2e9 : 1e9)
const files = [...new Set(process.argv.slice(2).map((file) => relative('', file)))].sort(
  (a, b) => expectedMs(b) - expectedMs(a),
)
/** These ask for all that the machine can do, or say how soon something must be answered. */
const alone = ['test/process/citus.test.ts', 'test/process/overload.test.ts']
const isAlone = (file: string) => alone.includes(file)
const report = createReport(process.stdout)
const told = new Set<string>()
/** How long each file took. */
const lasted = new Map<string, number>()
const begun = performance.now()

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
try {
  await globalSetup()
  // Tests wait for the database and for other processes as much as they calculate.
  const workers = Math.max(2, availableParallelism()) + 2
  await runTogether(
    files.filter((file) => !isAlone(file)),
    workers,
  )
  await runTogether(files.filter(isAlone), 1)
  tellDurations()
  report.say(`duration_ms ${performance.now() - begun}`)
  await report.end()
} finally {
  await globalTeardown()
}
process.exitCode = report.counts.fail + report.counts.cancelled > 0 ? 1 : 0

async function runTogether(files: readonly string[], most: number): Promise<void> {
  const queue = createQueue(files)
  try {
    const workers = Array.from({ length: Math.min(files.length, most) }, (_, index) => index)
    await Promise.all(workers.map((index) => work(queue, `${index}`)))
    const taken = queue.taken()
    for (const file of files) {
      if (taken.has(file)) lasted.set(file, taken.get(file)!.ms ?? 0)
      else report.printBroken(file, [], 'It was not run.')
    }
  } finally {
    queue.remove()
  }
}

/** A worker, and after one that died the next, until no file is left. */
async function work(queue: Queue, name: string): Promise<void> {
  for (let life = 0; queue.taken().size < queue.files.length; life++) {
    if (interrupted.signal.aborted) return
    const id = `${name}.${life}`
    const { failure, rest } = await runWorker(queue.folder, id)
    const its = [...queue.taken()].filter(([, taken]) => taken.worker === id)
    const [broken] = its.find(([, taken]) => taken.ms === undefined) ?? []
    const late = rest.some(isLateFailure)
    // At the end of a run's output too: where that is cut off, the end is what is left.
    const why = (what: string) => [failure ?? what, ...rest.flatMap(wordsOf)].join('\n')
    if (broken) report.printBroken(broken, rest, why('Its process ended by itself.'))
    else if (failure || late) report.printBroken('what files left behind', rest, why('It failed too late.'))
    // The next would do no better.
    if (failure && its.length === 0) return
    // What a process had not told yet when it died is lost.
    for (const [file] of its) if (file !== broken && !told.has(file)) queue.release(file)
  }
}

/** Answers what its files did not tell themselves: what came after the last of them that ended, and why it failed. */
async function runWorker(folder: string, id: string): Promise<{ failure: string | null; rest: TestEvent[] }> {
  const env = { ...process.env, TEST_QUEUE: folder, TEST_WORKER: id }
  const hanging = new AbortController()
  const watch = setTimeout(() => hanging.abort(), silenceMs)
  const signal = AbortSignal.any([hanging.signal, interrupted.signal])
  let failure: string | null = null
  let rest: TestEvent[] = []
  for await (const event of run({ files: [worker], timeout: testLimitMs, env, signal })) {
    watch.refresh()
    if (!printed.includes(event.type) || isCount(event)) continue
    if (isOfWorker(event)) {
      if (isOutcome(event)) failure = whyEnded(event.data.details, hanging.signal.aborted)
      continue
    }
    rest.push(event)
    if (!isOutcome(event) || event.data.nesting > 0) continue
    const isEmpty = event.type === 'test:pass' && rest.filter(isOutcome).length === 1
    if (isEmpty) report.printBroken(event.data.name, [], 'It holds no test.')
    else report.print(rest)
    told.add(event.data.name)
    rest = []
  }
  clearTimeout(watch)
  return { failure, rest }
}

/** Of what failed when its test had ended, or outside of all tests, as node tells it. */
function isLateFailure({ type, data }: TestEvent): boolean {
  return type === 'test:diagnostic' && data.message.startsWith('Error')
}

function wordsOf(event: TestEvent): string[] {
  if (event.type === 'test:stderr') return [event.data.message.trimEnd()]
  return event.type === 'test:diagnostic' && isLateFailure(event) ? [event.data.message] : []
}

function whyEnded(details: object, isHanging: boolean): string | null {
  const { error } = details as { error?: { exitCode?: number; signal?: string } }
  if (isHanging) return `Its process was silent for ${silenceMs / 1000} seconds, and was ended.`
  if (error) return `Its process ended by itself, with ${error.signal ?? `exit code ${error.exitCode}`}.`
  return null
}

/** Node reports a program of tests as a test where it failed otherwise than by its tests. */
function isOfWorker({ data }: TestEvent): boolean {
  return data !== undefined && 'name' in data && data.name === worker
}

/** Of one worker; the report counts all of them. */
function isCount({ type, data }: TestEvent): boolean {
  return type === 'test:diagnostic' && data.nesting === 0 && /^[a-z_]+ [\d.]+$/.test(data.message)
}

function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(remembered, 'utf8'))
  } catch {
    return {}
  }
}

function tellDurations(): void {
  const slowest = [...lasted].toSorted(([, a], [, b]) => b - a).slice(0, 10)
  for (const [file, ms] of slowest) report.say(`slowest: ${(ms / 1000).toFixed(1).padStart(5)} s  ${file}`)
  for (const [file, ms] of lasted) durations[file] = Math.round(ms)
  writeFileSync(remembered, JSON.stringify(durations))
}
