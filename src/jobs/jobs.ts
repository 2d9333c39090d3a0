import type { Log } from '../platform/log.ts'

export interface Job {
  name: string
  everyMs: number
  run(signal: AbortSignal): Promise<void>
}

/** Runs each job now and again, one run of it at a time; a run that fails is logged and tried again. */
export function startJobs(jobs: Job[], log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const loops = jobs.map(async ({ name, everyMs, run }) => {
    while (!stopping.signal.aborted) {
      await run(stopping.signal).catch((error: Error) => {
        if (!stopping.signal.aborted)
          log.warn({ job: name, error: error.message }, 'a job failed and is tried again')
      })
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
