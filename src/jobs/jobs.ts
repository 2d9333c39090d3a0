import type { Log } from '../platform/log.ts'
import { shortageOf } from '../platform/shortage.ts'
import { traced } from '../platform/tracing/tracing.ts'
import type { WorkMetrics } from '../platform/work-metrics.ts'

export interface Job {
  name: string
  everyMs: number
  run(signal: AbortSignal): Promise<void>
}

const none = () => ({})
const sayAgainMs = 300_000

/**
 * Runs each job now and again, one run of it at a time. A run that fails is tried again; why is logged once, and now and
 * then while it stays so: some run every second.
 */
export function startJobs(
  jobs: Job[],
  log: Log,
  metrics: Pick<WorkMetrics, 'jobDone'>,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const loops = jobs.map(async ({ name, everyMs, run }) => {
    let said = { why: '', at: 0 }
    const failed = (error: Error) => {
      const why = shortageOf(error) ?? error.message
      const now = performance.now()
      if (stopping.signal.aborted || (why === said.why && now - said.at < sayAgainMs)) return
      said = { why, at: now }
      log.warn({ job: name, error: why }, 'a job failed and is tried again')
    }
    while (!stopping.signal.aborted) {
      const since = performance.now()
      const ended = (result: 'done' | 'failed') =>
        metrics.jobDone(name, result, (performance.now() - since) / 1000)
      await traced(`job ${name}`, 'INTERNAL', none, () => run(stopping.signal)).then(
        () => {
          said = { why: '', at: 0 }
          ended('done')
        },
        (error) => {
          failed(error)
          ended('failed')
        },
      )
      await pause(everyMs, stopping.signal)
    }
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

/** Ends early where it is told to. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    timer.unref()
    signal.addEventListener('abort', done, { once: true })
  })
}
